import type { InputSpecJson, NodeDefinitionJson, SandboxNode } from './sandboxNode';
import { behaviours } from './behaviours';
import { nodeSignatures } from './nodeSignatures';
import { checkTensor } from './nodeValues';
import { askPartner } from './pictureNodes';
import { standIn } from './standIn';
import { exactFrom } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';

/** Parsed from a line of `nodeSignatures.ts`, which explains the syntax. */
export interface Signature {
  readonly classType: string;
  readonly required: Readonly<Record<string, InputSpecJson>>;
  readonly optional: Readonly<Record<string, InputSpecJson>>;
  readonly outputs: readonly { readonly name: string; readonly type: string; readonly isList: boolean }[];
  readonly models: readonly string[];
}

/** The lists that the names `$…` and `@…` stand for. */
export type ChoiceLists = ReadonlyMap<string, readonly string[]>;

const largestSeed = 18446744073709551615n;

const inputPattern =
  /\s*(?<name>[\w. ]+?)(?<optional>\?)?: (?<type>(?:COMBO)?\[[^\]]*\]|(?:COMBO)?[$@][\w*]+|[*\w][\w,]*)(?:=(?<preset>"(?:[^"\\]|\\.)*"|[-\w.]+))?(?: (?<min>-?[\d.e-]+?)\.\.(?<max>[-\d.e]*))?(?: \/(?<step>[\d.e-]+))?(?<flags>(?: \w+)*)(?:,|$)/gy;

export function parseSignature(text: string, lists: ChoiceLists): Signature {
  const {
    classType,
    inputs = '',
    outputs = '',
  } = /^(?<classType>[^(]+)\((?<inputs>.*)\) ->(?<outputs>.*)$/.exec(text)?.groups ?? {};
  if (classType === undefined) throw new Error(`Not a signature: ${text}`);
  const required: Record<string, InputSpecJson> = {};
  const optional: Record<string, InputSpecJson> = {};
  const models: string[] = [];
  let end = 0;
  for (const match of inputs.matchAll(inputPattern)) {
    const { name = '', type = '', ...parts } = match.groups ?? {};
    end = match.index + match[0].length;
    (parts['optional'] === undefined ? required : optional)[name] = inputSpecOf(type, parts, lists);
    if (/^(COMBO)?@\w/.test(type)) models.push(name);
  }
  if (end < inputs.length) throw new Error(`Not understood in ${classType}: ${inputs.slice(end)}`);
  const slots = outputs.split(',').map((output) => output.trim());
  return {
    classType,
    required,
    optional,
    outputs: slots.filter((slot) => slot !== '').map(outputOf),
    models,
  };
}

function outputOf(text: string): Signature['outputs'][number] {
  const [typeText = '', name] = text.split(': ').reverse();
  const type = typeText.replace('[]', '');
  return { name: name ?? type, type, isList: typeText.endsWith('[]') };
}

function inputSpecOf(
  type: string,
  { preset, min, max, step, flags = '' }: Readonly<Record<string, string | undefined>>,
  lists: ChoiceLists,
): InputSpecJson {
  if (type === 'SEED') {
    return ['INT', { default: 0, min: 0, max: largestSeed, control_after_generate: true }];
  }
  const options: Record<string, unknown> = {};
  if (preset !== undefined)
    options['default'] = JSON.parse(/^[-\d"tf]/.test(preset) ? preset : JSON.stringify(preset));
  if (min !== undefined) options['min'] = limit(min);
  if (max !== undefined && max !== '') options['max'] = limit(max);
  if (step !== undefined) options['step'] = Number(step);
  for (const flag of flags.split(' ').filter((word) => word !== '')) options[flag] = true;
  const choices = choicesOf(type.replace(/^COMBO/, ''), lists);
  if (choices !== undefined && type.startsWith('COMBO')) return ['COMBO', { options: choices, ...options }];
  const kind = choices ?? type;
  return Object.keys(options).length === 0 ? [kind] : [kind, options];
}

function choicesOf(type: string, lists: ChoiceLists): readonly string[] | undefined {
  if (type.startsWith('[')) return type.slice(1, -1).split('|');
  if (type === '@*') return [];
  if (!/^[$@]/.test(type)) return undefined;
  const choices = lists.get(type);
  if (choices === undefined) throw new Error(`No list ${type}`);
  return choices;
}

function limit(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

interface Place {
  readonly module: string;
  readonly category: string;
}

function listedNodes(): readonly SandboxNode[] {
  const lists = new Map<string, readonly string[]>();
  const nodes: SandboxNode[] = [];
  let place: Place = { module: 'nodes', category: '' };
  for (const line of nodeSignatures.trim().split('\n')) {
    const [, signature = '', module, category] = /^(.*?) ?(?:# (\S+): (.+))?$/.exec(line) ?? [];
    const here = module !== undefined && category !== undefined ? { module, category } : place;
    const [, list, names] = /^([$@]\w+) = (.+)$/.exec(line) ?? [];
    if (list !== undefined && names !== undefined) lists.set(list, names.split('|'));
    else if (signature === '') place = here;
    else nodes.push(nodeOf(signature, here, lists));
  }
  return nodes;
}

export function nodesIn(place: Place, signatures: readonly string[]): readonly SandboxNode[] {
  return signatures.map((signature) => nodeOf(signature, place, new Map()));
}

function nodeOf(line: string, { module, category }: Place, lists: ChoiceLists): SandboxNode {
  const [text = '', title] = line.split(' -- ');
  const { classType, required, optional, outputs, models } = parseSignature(text, lists);
  const { output = false, takesLists = false, hidden, specs, run, ...more } = behaviours[classType] ?? {};
  const isPartner = module.startsWith('comfy_api_nodes.') && outputs[0]?.type === 'IMAGE';
  for (const [name, spec] of Object.entries(specs ?? {}))
    Object.assign(name in optional ? optional : required, { [name]: spec });
  const input = {
    required,
    ...(Object.keys(optional).length > 0 && { optional }),
    ...(hidden && { hidden }),
  };
  const definition: NodeDefinitionJson = {
    input,
    input_order: Object.fromEntries(
      Object.entries(input).map(([section, inputs]) => [section, Object.keys(inputs)]),
    ),
    is_input_list: takesLists,
    output: outputs.map(({ type }) => type),
    output_is_list: outputs.map(({ isList }) => isList),
    output_name: outputs.map(({ name }) => name),
    name: classType,
    display_name: title ?? spaced(classType),
    description: '',
    python_module: module,
    category,
    output_node: output,
    has_intermediate_output: false,
    ...(isPartner && { api_node: true }),
  };
  return {
    definition,
    run: (inputs, context) => {
      for (const [name, [type]] of Object.entries(required))
        if (!takesLists && name in inputs) checkTensor(type, inputs[name]);
      if (run) return run(inputs, context);
      return isPartner ? askPartner(inputs, context) : standIn(definition, inputs);
    },
    // A sandbox has no model files and needs none: it accepts any name.
    ...(models.length > 0 && { validates: models, validate: () => true as const }),
    ...more,
  };
}

/** `EmptyLatentImage` as `Empty Latent Image`. */
function spaced(classType: string): string {
  return classType
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

let all: ReadonlyMap<string, SandboxNode> | undefined;

/** Every node type of the sandbox, by name. */
export function sandboxNodes(): ReadonlyMap<string, SandboxNode> {
  all ??= new Map(listedNodes().map((node) => [node.definition.name, node]));
  return all;
}

/** Limits beyond 2^53 are bigint. @param inputFiles names that the loaders offer */
export function sandboxDefinitions(inputFiles: readonly string[] = []): Record<string, NodeDefinitionJson> {
  return Object.fromEntries(
    [...sandboxNodes()].map(([name, { definition }]) => [name, withFiles(definition, inputFiles)]),
  );
}

/** Keeps every digit of every limit. */
export function definitionsText(definitions: Readonly<Record<string, NodeDefinitionJson>>): string {
  return writeExact(exactFrom(definitions));
}

const uploads = ['image_upload', 'audio_upload'];

function withFiles(definition: NodeDefinitionJson, files: readonly string[]): NodeDefinitionJson {
  const entries = Object.entries(definition.input.required);
  if (!entries.some(([, spec]) => isUpload(spec))) return definition;
  const required = Object.fromEntries(
    entries.map(([name, spec]) => [name, isUpload(spec) ? offering(spec, files) : spec]),
  );
  return { ...definition, input: { ...definition.input, required } };
}

function isUpload([, options]: InputSpecJson): boolean {
  return uploads.some((name) => options?.[name] === true);
}

function offering([type, options]: InputSpecJson, files: readonly string[]): InputSpecJson {
  return type === 'COMBO' ? [type, { ...options, options: files }] : [files, options];
}
