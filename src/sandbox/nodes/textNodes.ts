import { pythonStr } from './pythonText';
import { NodeFailure } from './nodeFailure';
import type { InputSpecJson, NodeBehaviour, NodeResult } from './sandboxNode';
import { type Inputs, numberIn, textIn } from './nodeValues';

function handingOn(python: string): NodeBehaviour {
  return { run: (inputs) => ({ outputs: [inputs['value']] }), pythonFunction: `${python}.execute` };
}

function showAnything(inputs: Inputs): NodeResult {
  const source = inputs['source'];
  const isJson =
    (typeof source === 'object' && source !== null && source.constructor === Object) || Array.isArray(source);
  const text = isJson ? JSON.stringify(source, undefined, 2) : pythonStr(source);
  return { outputs: [text], ui: { text: [text] } };
}

function joinTexts(inputs: Inputs): NodeResult {
  const texts = ['text_a', 'text_b', 'text_c', 'text_d']
    .map((name) => inputs[name])
    .filter((text) => text !== undefined && text !== '')
    .map(pythonStr);
  const trimmed = inputs['clean_whitespace'] === 'true' ? texts.map((text) => text.trim()) : texts;
  return { outputs: [trimmed.join(textIn(inputs, 'delimiter').replaceAll('\\n', '\n'))] };
}

/** Python's patterns are close enough to ours for the usual workflows. */
function replacePattern(inputs: Inputs): NodeResult {
  const flags = { case_insensitive: 'i', multiline: 'm', dotall: 's' };
  const options = Object.entries(flags).map(([name, flag]) => (inputs[name] === true ? flag : ''));
  const replacement = textIn(inputs, 'replace').replaceAll(/\\(\d)/g, '$$$1');
  const most = numberIn(inputs, 'count');
  let text = textIn(inputs, 'string');
  try {
    const pattern = new RegExp(
      textIn(inputs, 'regex_pattern'),
      ['u', most === 0 && 'g', ...options].filter(Boolean).join(''),
    );
    for (let count = 0; count < Math.max(1, most); count += 1) text = text.replace(pattern, replacement);
  } catch (error) {
    throw new NodeFailure('re.error', error instanceof Error ? error.message : String(error));
  }
  return { outputs: [text] };
}

function chooseResolution(inputs: Inputs): NodeResult {
  const [, across = 1, down = 1] = /^(\d+):(\d+)/.exec(textIn(inputs, 'aspect_ratio'))?.map(Number) ?? [];
  const multiple = numberIn(inputs, 'multiple');
  const unit = Math.sqrt((numberIn(inputs, 'megapixels') * 1024 * 1024) / (across * down));
  const side = (share: number): number =>
    Math.max(multiple, Math.round((unit * share) / multiple) * multiple);
  return { outputs: [side(across), side(down)] };
}

function chosenSide(inputs: Inputs): 'on_true' | 'on_false' {
  return inputs['switch'] === true ? 'on_true' : 'on_false';
}

/** Both sides of a switch have the type of the other end of the link, and only the chosen one is evaluated. */
const lazyMatch: InputSpecJson = [
  'COMFY_MATCHTYPE_V3',
  { lazy: true, template: { template_id: 'switch', allowed_types: '*' } },
];

/** Literals and texts. */
export const textNodes: Readonly<Record<string, NodeBehaviour>> = {
  PrimitiveString: handingOn('String'),
  PrimitiveStringMultiline: handingOn('StringMultiline'),
  PrimitiveInt: handingOn('Int'),
  PrimitiveFloat: handingOn('Float'),
  PrimitiveBoolean: handingOn('Boolean'),
  PreviewAny: { run: showAnything, output: true },
  StringConcatenate: {
    run: (inputs) => {
      const texts = [textIn(inputs, 'string_a'), textIn(inputs, 'string_b')];
      return { outputs: [texts.join(textIn(inputs, 'delimiter'))] };
    },
  },
  StringReplace: {
    run: (inputs) => {
      const replacement = textIn(inputs, 'replace');
      return {
        outputs: [textIn(inputs, 'string').replaceAll(textIn(inputs, 'find'), () => replacement)],
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
