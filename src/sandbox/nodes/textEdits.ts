import { pythonStr } from '../execution/pythonText';
import { NodeFailure } from './nodeFailure';
import type { NodeResult } from './sandboxNode';
import { numberIn, textIn } from './nodeValues';
import type { Inputs } from './nodeValues';

export function handOn(inputs: Inputs): NodeResult {
  return { outputs: [inputs['value']] };
}

export function showAnything(inputs: Inputs): NodeResult {
  const source = inputs['source'];
  const isJson =
    (typeof source === 'object' && source !== null && source.constructor === Object) || Array.isArray(source);
  const text = isJson ? JSON.stringify(source, undefined, 2) : pythonStr(source);
  return { outputs: [text], ui: { text: [text] } };
}

export function concatenate(inputs: Inputs): NodeResult {
  return {
    outputs: [[textIn(inputs, 'string_a'), textIn(inputs, 'string_b')].join(textIn(inputs, 'delimiter'))],
  };
}

export function substring(inputs: Inputs): NodeResult {
  return {
    outputs: [
      Array.from(textIn(inputs, 'string')).slice(numberIn(inputs, 'start'), numberIn(inputs, 'end')).join(''),
    ],
  };
}

export function textLength(inputs: Inputs): NodeResult {
  return { outputs: [Array.from(textIn(inputs, 'string')).length] };
}

export function convertCase(inputs: Inputs): NodeResult {
  const text = textIn(inputs, 'string');
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  switch (inputs['mode']) {
    case 'UPPERCASE':
      return { outputs: [text.toUpperCase()] };
    case 'lowercase':
      return { outputs: [text.toLowerCase()] };
    case 'Capitalize':
      return { outputs: [capital(text)] };
    default:
      return { outputs: [text.replace(/\p{L}+/gu, capital)] };
  }
}

export function trimText(inputs: Inputs): NodeResult {
  const text = textIn(inputs, 'string');
  if (inputs['mode'] === 'Left') return { outputs: [text.trimStart()] };
  return { outputs: [inputs['mode'] === 'Right' ? text.trimEnd() : text.trim()] };
}

export function replaceText(inputs: Inputs): NodeResult {
  const replacement = textIn(inputs, 'replace');
  return { outputs: [textIn(inputs, 'string').replaceAll(textIn(inputs, 'find'), () => replacement)] };
}

function inCase(inputs: Inputs, text: string): string {
  return inputs['case_sensitive'] === false ? text.toLowerCase() : text;
}

export function containsText(inputs: Inputs): NodeResult {
  const text = inCase(inputs, textIn(inputs, 'string'));
  return { outputs: [text.includes(inCase(inputs, textIn(inputs, 'substring')))] };
}

export function compareTexts(inputs: Inputs): NodeResult {
  const [first, second] = ['string_a', 'string_b'].map((name) => inCase(inputs, textIn(inputs, name)));
  if (inputs['mode'] === 'Starts With') return { outputs: [first?.startsWith(second ?? '')] };
  if (inputs['mode'] === 'Ends With') return { outputs: [first?.endsWith(second ?? '')] };
  return { outputs: [first === second] };
}

/** Python's patterns are near enough to ours for what workflows do with them. */
function patternOf(inputs: Inputs, flags: string): RegExp {
  const options = [
    inputs['case_insensitive'] === true ? 'i' : '',
    inputs['multiline'] === true ? 'm' : '',
    inputs['dotall'] === true ? 's' : '',
  ];
  try {
    return new RegExp(textIn(inputs, 'regex_pattern'), flags + options.join(''));
  } catch (error) {
    throw new NodeFailure('re.error', error instanceof Error ? error.message : String(error));
  }
}

export function matchPattern(inputs: Inputs): NodeResult {
  return { outputs: [patternOf(inputs, 'u').test(textIn(inputs, 'string'))] };
}

export function extractPattern(inputs: Inputs): NodeResult {
  const matches = [...textIn(inputs, 'string').matchAll(patternOf(inputs, 'gu'))];
  const mode = String(inputs['mode']);
  const part = mode.endsWith('Groups') || mode.endsWith('Group') ? numberIn(inputs, 'group_index') : 0;
  const found = matches.map((match) => match[part] ?? '');
  return { outputs: [mode.startsWith('All') ? found.join('\n') : (found[0] ?? '')] };
}

export function replacePattern(inputs: Inputs): NodeResult {
  const replacement = textIn(inputs, 'replace').replaceAll(/\\(\d)/g, '$$$1');
  const most = numberIn(inputs, 'count');
  const text = textIn(inputs, 'string');
  if (most === 0) return { outputs: [text.replace(patternOf(inputs, 'gu'), replacement)] };
  let result = text;
  for (let count = 0; count < most; count += 1) result = result.replace(patternOf(inputs, 'u'), replacement);
  return { outputs: [result] };
}

export function chooseResolution(inputs: Inputs): NodeResult {
  const [, across = 1, down = 1] = /^(\d+):(\d+)/.exec(textIn(inputs, 'aspect_ratio'))?.map(Number) ?? [];
  const multiple = numberIn(inputs, 'multiple');
  const unit = Math.sqrt((numberIn(inputs, 'megapixels') * 1024 * 1024) / (across * down));
  const side = (share: number): number =>
    Math.max(multiple, Math.round((unit * share) / multiple) * multiple);
  return { outputs: [side(across), side(down)] };
}

/** Only the chosen side is asked for. */
export function switchInput(inputs: Inputs): NodeResult {
  return { outputs: [inputs[chosenSide(inputs)]] };
}

export function chosenSide(inputs: Inputs): 'on_true' | 'on_false' {
  return inputs['switch'] === true ? 'on_true' : 'on_false';
}
