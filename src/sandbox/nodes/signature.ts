import { modelNames } from './listedModels';
import { choiceLists } from './choiceLists';
import type { InputSpecJson } from './sandboxNode';

/**
 * The inputs and outputs of a node class, written like a function:
 *
 *     ImageScale(image: IMAGE, upscale_method: $resizing, width: INT=512 0..16384, crop: [disabled|center]) -> IMAGE
 *
 * - `name?: …` is an optional input; `=…` the default, as JSON; `a..b` the limits (`a..` has no upper one); `/s` the step of the field
 * - `[a|b]` is a choice, `$resizing` a choice named in choiceLists.ts, `@checkpoints` a file of modelNames.ts, and `@*`
 *   one of the input area
 * - `SEED` is a whole number up to 2^64-1 that can be drawn anew
 * - `COMBO` before a choice writes it in the newer form of node classes
 * - words after that are options set to true, such as `multiline`
 * - an output is a type, or `name: TYPE`; `TYPE[]` gives a list
 *
 * Names, types and limits are those of ComfyUI 0.33. Inputs that its later versions added to a class are optional here,
 * so that files from before run as they are.
 */
export interface Signature {
  readonly classType: string;
  readonly required: Readonly<Record<string, InputSpecJson>>;
  readonly optional: Readonly<Record<string, InputSpecJson>>;
  readonly outputs: readonly { readonly name: string; readonly type: string; readonly isList: boolean }[];
}

const largestSeed = 18446744073709551615n;

const inputPattern =
  /\s*(?<name>[\w. ]+?)(?<optional>\?)?: (?<type>(?:COMBO)?\[[^\]]*\]|(?:COMBO)?[$@][\w*]+|[*\w][\w,]*)(?:=(?<preset>"(?:[^"\\]|\\.)*"|[-\w.]+))?(?: (?<min>-?[\d.e-]+?)\.\.(?<max>[-\d.e]*))?(?: \/(?<step>[\d.e-]+))?(?<flags>(?: \w+)*)(?:,|$)/gy;

export function parseSignature(text: string): Signature {
  const shape = /^(?<classType>[^(]+)\((?<inputs>.*)\) ->(?<outputs>.*)$/s.exec(
    text.replace(/\s*\n\s*/g, ' ').replace(' )', ')'),
  );
  const { classType, inputs = '', outputs = '' } = shape?.groups ?? {};
  if (classType === undefined) throw new Error(`Not a signature: ${text}`);
  const required: Record<string, InputSpecJson> = {};
  const optional: Record<string, InputSpecJson> = {};
  let end = 0;
  for (const match of inputs.matchAll(inputPattern)) {
    const { name = '', ...parts } = match.groups ?? {};
    end = match.index + match[0].length;
    (parts['optional'] === undefined ? required : optional)[name] = inputSpecOf(parts);
  }
  if (end < inputs.length) throw new Error(`Not understood in ${classType}: ${inputs.slice(end)}`);
  const slots = outputs.split(',').map((output) => output.trim());
  return { classType, required, optional, outputs: slots.filter((slot) => slot !== '').map(outputOf) };
}

function outputOf(text: string): Signature['outputs'][number] {
  const [typeText = '', name] = text.split(': ').reverse();
  const type = typeText.replace('[]', '');
  return { name: name ?? type, type, isList: typeText.endsWith('[]') };
}

function inputSpecOf(parts: Readonly<Record<string, string | undefined>>): InputSpecJson {
  const { type = '', preset, min, max, step, flags = '' } = parts;
  const options: Record<string, unknown> = {};
  if (type === 'SEED') {
    return ['INT', { default: 0, min: 0, max: largestSeed, control_after_generate: true }];
  }
  if (preset !== undefined)
    options['default'] = JSON.parse(/^[-\d"tf]/.test(preset) ? preset : JSON.stringify(preset));
  if (min !== undefined) options['min'] = limit(min);
  if (max !== undefined && max !== '') options['max'] = limit(max);
  if (step !== undefined) options['step'] = Number(step);
  for (const flag of flags.split(' ').filter((word) => word !== '')) options[flag] = true;
  const choices = choicesOf(type.replace(/^COMBO/, ''));
  if (choices !== undefined && type.startsWith('COMBO')) return ['COMBO', { options: choices, ...options }];
  const kind = choices ?? type;
  return Object.keys(options).length === 0 ? [kind] : [kind, options];
}

function choicesOf(type: string): readonly string[] | undefined {
  if (type.startsWith('[')) return type.slice(1, -1).split('|');
  if (type.startsWith('$')) return choiceLists[type.slice(1)] ?? unknownList(type);
  if (type === '@*') return [];
  return type.startsWith('@') ? (modelNames[type.slice(1)] ?? unknownList(type)) : undefined;
}

function unknownList(name: string): never {
  throw new Error(`No list ${name}`);
}

/** Limits beyond 2^53 keep every digit. */
function limit(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
