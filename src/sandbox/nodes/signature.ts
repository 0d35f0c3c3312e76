import type { InputSpecJson } from './sandboxNode';

/** Reads the inputs and outputs of a node type from its line in `nodeSignatures.ts`, which explains the syntax. */
export interface Signature {
  readonly classType: string;
  readonly required: Readonly<Record<string, InputSpecJson>>;
  readonly optional: Readonly<Record<string, InputSpecJson>>;
  readonly outputs: readonly { readonly name: string; readonly type: string; readonly isList: boolean }[];
  /** Names of the inputs that accept a model file. */
  readonly models: readonly string[];
}

/** What the names `$…` and `@…` stand for. */
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

/** Limits beyond 2^53 keep every digit. */
function limit(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
