import { sandboxStr, NodeFailure } from './pythonText';
import {
  type InputSpecJson,
  type NodeBehaviour,
  type NodeResult,
  type NodeContext,
  type SandboxValue,
  ExecutionBlocker,
} from './sandboxNode';
import { type Inputs, numberIn, inputText, inputsHash, Token, tokenIn } from './nodeValues';
import { t } from '../../core/safety/localize';
import { drawPicture } from '../drawing/picture';
import { pictureNodes } from './pictureNodes';

function handingOn(python: string): NodeBehaviour {
  return { run: (inputs) => ({ outputs: [inputs['value']] }), pythonFunction: `${python}.execute` };
}

function showAnything(inputs: Inputs): NodeResult {
  const source = inputs['source'];
  const isJson =
    (typeof source === 'object' && source !== null && source.constructor === Object) || Array.isArray(source);
  const text = isJson ? JSON.stringify(source, undefined, 2) : sandboxStr(source);
  return { outputs: [text], ui: { text: [text] } };
}

function joinTexts(inputs: Inputs): NodeResult {
  const texts = ['text_a', 'text_b', 'text_c', 'text_d']
    .map((name) => inputs[name])
    .filter((text) => text !== undefined && text !== '')
    .map(sandboxStr);
  const trimmed = inputs['clean_whitespace'] === 'true' ? texts.map((text) => text.trim()) : texts;
  return { outputs: [trimmed.join(inputText(inputs, 'delimiter').replaceAll('\\n', '\n'))] };
}

/** Python's patterns are close enough to ours for the usual workflows. */
function replacePattern(inputs: Inputs): NodeResult {
  const flags = { case_insensitive: 'i', multiline: 'm', dotall: 's' };
  const options = Object.entries(flags).map(([name, flag]) => (inputs[name] === true ? flag : ''));
  const replacement = inputText(inputs, 'replace').replaceAll(/\\(\d)/g, '$$$1');
  const most = numberIn(inputs, 'count');
  let text = inputText(inputs, 'string');
  try {
    const pattern = new RegExp(
      inputText(inputs, 'regex_pattern'),
      ['u', most === 0 && 'g', ...options].filter(Boolean).join(''),
    );
    for (let count = 0; count < Math.max(1, most); count += 1) text = text.replace(pattern, replacement);
  } catch (error) {
    throw new NodeFailure('re.error', error instanceof Error ? error.message : String(error));
  }
  return { outputs: [text] };
}

function chooseResolution(inputs: Inputs): NodeResult {
  const [, across = 1, down = 1] = /^(\d+):(\d+)/.exec(inputText(inputs, 'aspect_ratio'))?.map(Number) ?? [];
  const multiple = numberIn(inputs, 'multiple');
  const unit = Math.sqrt((numberIn(inputs, 'megapixels') * 1024 * 1024) / (across * down));
  const side = (share: number): number =>
    Math.max(multiple, Math.round((unit * share) / multiple) * multiple);
  return { outputs: [side(across), side(down)] };
}

function chosenSide(inputs: Inputs): 'on_true' | 'on_false' {
  return inputs['switch'] === true ? 'on_true' : 'on_false';
}

/** Both sides of a switch have the type of the link's other end, and only the chosen one is evaluated. */
const lazyMatch: InputSpecJson = [
  'COMFY_MATCHTYPE_V3',
  { lazy: true, template: { template_id: 'switch', allowed_types: '*' } },
];

const textNodes: Readonly<Record<string, NodeBehaviour>> = {
  PrimitiveString: handingOn('String'),
  PrimitiveStringMultiline: handingOn('StringMultiline'),
  PrimitiveInt: handingOn('Int'),
  PrimitiveFloat: handingOn('Float'),
  PrimitiveBoolean: handingOn('Boolean'),
  PreviewAny: { run: showAnything, output: true },
  StringConcatenate: {
    run: (inputs) => {
      const texts = [inputText(inputs, 'string_a'), inputText(inputs, 'string_b')];
      return { outputs: [texts.join(inputText(inputs, 'delimiter'))] };
    },
  },
  StringReplace: {
    run: (inputs) => {
      const replacement = inputText(inputs, 'replace');
      return {
        outputs: [inputText(inputs, 'string').replaceAll(inputText(inputs, 'find'), () => replacement)],
      };
    },
  },
  RegexReplace: { run: replacePattern },
  ResolutionSelector: { run: chooseResolution },
  ComfySwitchNode: {
    run: (inputs) => ({ outputs: [inputs[chosenSide(inputs)]] }),
    needs: (known) => [chosenSide(known)],
    specs: { on_false: lazyMatch, on_true: lazyMatch },
  },
  'Text String': {
    run: (inputs) => ({ outputs: ['text', 'text_b', 'text_c', 'text_d'].map((name) => inputs[name]) }),
  },
  'Text Concatenate': { run: joinTexts },
  'Text to Console': { output: true },
};

const anything = (id: string): InputSpecJson => [
  'COMFY_MATCHTYPE_V3',
  { template: { template_id: id, allowed_types: '*' } },
];

const counted = {
  start_iteration_index: ['INT', { default: 0 }],
  max_iteration: ['INT', { default: 4, max: 18446744073709551615n }],
  step: ['INT', { default: 1, min: 1 }],
};
const modes = [
  { key: 'simple', inputs: { required: { num_iterations: ['INT', { default: 4, min: 0 }] } } },
  { key: 'For', inputs: { required: counted } },
  { key: 'List', inputs: { required: { list: anything('list_item') } } },
];
const termination = {
  input: { required: { termination: ['*', {}] } },
  prefix: 'termination',
  min: 0,
  max: 50,
};

/** Real servers have no limit. */
const mostIterations = 1000;

/** All of these node types take lists. */
type Lists = Readonly<Record<string, readonly SandboxValue[] | undefined>>;

function startLoop(lists: Lists, context: NodeContext): NodeResult {
  const mode = lists['mode']?.[0];
  if (!modes.some(({ key }) => key === mode)) {
    const message = "StartLoop.execute() missing 1 required positional argument: 'mode'";
    throw new NodeFailure('TypeError', message);
  }
  const number = (name: string, preset: number): number => Number(lists[`mode.${name}`]?.[0] ?? preset);
  const items = mode === 'List' ? (lists['mode.list'] ?? []) : undefined;
  const [first, step] = mode === 'For' ? [number('start_iteration_index', 0), number('step', 1)] : [0, 1];
  const last = mode === 'For' ? number('max_iteration', 4) : number('num_iterations', 4);
  const count = items?.length ?? Math.min(mostIterations, Math.max(0, Math.ceil((last - first) / step)));
  context.text(`Iteration 0 / ${count}`);
  const iterations = Array.from(
    { length: count },
    (_, index) => [first + index * step, items?.[index]] as const,
  );
  return { outputs: [null, false, count === 0, null, null], iterations };
}

function iterate(lists: Lists): NodeResult {
  const names = ['iteration_index', 'is_first', 'is_last', 'list_item'];
  const values = names.map((name) => lists[name]?.[0] ?? null);
  return { outputs: [...values, lists['current_iteration_value'] ?? [null]] };
}

function tellProgress({ start_id, position, total }: Lists, context: NodeContext): NodeResult {
  context.text(`Iteration ${String(position?.[0])} / ${String(total?.[0])}`, String(start_id?.[0]));
  return { outputs: [position?.[0]] };
}

function collect(lists: Lists): NodeResult {
  const outputs = Object.entries(lists).filter(([name]) => name.startsWith('output'));
  const values = outputs.flatMap(([, list = []]) => list);
  return { outputs: [values.length === 0 ? [null] : values] };
}

const behaviour = (
  run: (lists: Lists, context: NodeContext) => NodeResult,
  output = false,
): NodeBehaviour => ({
  run: (inputs, context) => run(inputs as Lists, context),
  takesLists: true,
  output,
});

/** The nodes that the server executes for iterations are in protocol 1.5. */
const loopNodes: Readonly<Record<string, NodeBehaviour>> = {
  StartLoop: {
    ...behaviour(startLoop),
    // Never cached.
    fingerprint: () => String(Math.random()),
    specs: {
      mode: ['COMFY_DYNAMICCOMBO_V3', { options: modes }],
      initial_iteration_value: anything('carried_value'),
    },
  },
  EndLoop: {
    ...behaviour(collect),
    specs: {
      output_value: anything('output_value'),
      next_iteration_value: anything('carried_value'),
      terminations: ['COMFY_AUTOGROW_V3', { template: termination }],
    },
  },
  LoopIteration: behaviour(iterate),
  LoopProgress: behaviour(tellProgress, true),
  LoopResult: behaviour(collect, true),
};

/** Python's, and those named by Comfy Cloud (protocol 7.3). */
const failures = (): Readonly<Record<string, readonly [string, string]>> => ({
  value: ['ValueError', t`This node always fails`],
  memory: ['torch.OutOfMemoryError', 'Allocation on device'],
  type: ['TypeError', "unsupported operand type(s) for +: 'Tensor' and 'str'"],
  credits: ['Exception', 'Payment Required: Please add credits to your account to use this node.'],
  ValidationError: ['ValidationError', 'The width must be a multiple of 8'],
  ModelDownloadError: ['ModelDownloadError', 'could not fetch flux1-dev.safetensors'],
  ImageDownloadError: ['ImageDownloadError', 'image not found: portrait.png'],
  OOMError: ['OOMError', 'the machine has 24 GB and the model needs 30 GB'],
  InsufficientFundsError: ['InsufficientFundsError', 'this node costs 12 credits and 3 are left'],
  InactiveSubscriptionError: ['InactiveSubscriptionError', 'the subscription ended yesterday'],
});

/** For tests: the real server has none of these nodes. */
const sandboxOnlyNodes: Readonly<Record<string, NodeBehaviour>> = {
  SandboxFail: { run: fail },
  SandboxSlow: { run: takeTime },
  SandboxExpand: { run: expand },
  SandboxBlock: { run: block },
};

function fail(inputs: Inputs): NodeResult {
  const [type, words] = failures()[inputText(inputs, 'how')] ?? ['ValueError', t`This node always fails`];
  throw new NodeFailure(type, inputs['message'] === undefined ? words : inputText(inputs, 'message'));
}

async function takeTime(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const steps = numberIn(inputs, 'steps');
  for (let step = 1; step <= steps; step += 1) {
    if (step % 5 === 1) context.text(t`step ${step} of ${steps}`);
    await context.steps(step, steps);
  }
  return { outputs: [inputs['value']] };
}

/** The first node's picture comes from outside of the expansion, so it is passed as a value. */
function expand(inputs: Inputs, context: NodeContext): NodeResult {
  const ids = Array.from(
    { length: numberIn(inputs, 'count') },
    (_, index) => `${context.expansionPrefix}${index + 1}`,
  );
  const nodes = Object.fromEntries(
    ids.map((id, index) => {
      const image = index === 0 ? { __value__: inputs['image'] } : [ids[index - 1], 0];
      return [id, { class_type: 'ImageInvert', inputs: { image } }];
    }),
  );
  return { outputs: [], expand: { nodes, outputs: [[ids.at(-1), 0]] } };
}

function block(inputs: Inputs): NodeResult {
  if (inputs['block'] !== true) return { outputs: [inputs['value']] };
  const message = inputText(inputs, 'message');
  return { outputs: [new ExecutionBlocker(message === '' ? null : message)] };
}

/** Half of the real server's size: a PNG of an intermediate picture is many times larger than its JPEG. */
const previewSide = 256;

async function sampleLatent(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { facts } = tokenIn(inputs, 'latent_image', 'LATENT');
  const { width = 8, height = 8 } = facts;
  const scale = Math.min(1, previewSide / Math.max(width, height));
  const [across = 1, down = 1] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const number = (name: string, missing: number): number =>
    inputs[name] === undefined ? missing : numberIn(inputs, name);
  const all =
    inputs['sigmas'] === undefined
      ? numberIn(inputs, 'steps')
      : (tokenIn(inputs, 'sigmas', 'SIGMAS').facts.steps ?? 1);
  const from = Math.min(all, number('start_at_step', 0));
  const steps = Math.max(0, Math.min(all, number('end_at_step', all)) - from);
  const hash = inputsHash(inputs);
  for (let step = 1; step <= steps; step += 1) {
    context.preview(() => drawPicture(across, down, hash, (from + step) / all));
    await context.steps(step, steps);
  }
  return { outputs: [new Token('LATENT', hash, facts)] };
}

/** With sigmas, the second result is the same without noise. */
async function sampleTwice(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const { outputs } = await sampleLatent(inputs, context);
  return { outputs: [...outputs, ...outputs] };
}

const loraRows: InputSpecJson = [
  'COMFY_DYNAMICGROUP_V3',
  {
    template: {
      required: {
        lora_name: ['COMBO', { options: ['lcm_lora_sdxl.safetensors', 'epiNoiseoffset_v2.safetensors'] }],
        strength: ['FLOAT', { default: 1, min: -100, max: 100, step: 0.01 }],
      },
    },
    min: 1,
    max: 20,
    group_name: 'LoRA',
  },
];

/** What stand-ins don't cover, and unusual names of server-side functions. */
export const behaviours: Readonly<Record<string, NodeBehaviour>> = {
  CheckpointLoaderSimple: { pythonFunction: 'CheckpointLoaderSimple.load_checkpoint' },
  CLIPTextEncode: { pythonFunction: 'CLIPTextEncode.encode' },
  LoadLoraModel: { specs: { loras: loraRows }, validates: ['loras'], validate: () => true },
  KSampler: { run: sampleLatent, pythonFunction: 'KSampler.sample' },
  KSamplerAdvanced: { run: sampleLatent },
  SamplerCustom: { run: sampleTwice },
  SamplerCustomAdvanced: { run: sampleTwice },
  ...loopNodes,
  ...pictureNodes,
  ...textNodes,
  ...sandboxOnlyNodes,
};
