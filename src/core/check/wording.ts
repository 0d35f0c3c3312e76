import type { InputSpec } from '../catalog/inputSpec';
import { type ExactValue, isExactList } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';

const longestShown = 60;

/** A value as a message shows it: JSON, cut where it is long. */
export function shown(value: ExactValue): string {
  const text =
    typeof value === 'string' && value.length > longestShown ? value.slice(0, longestShown + 1) : value;
  const written = isExactList(text) && text.length > 8 ? '[…]' : writeExact(text);
  return written.length > longestShown ? `${written.slice(0, longestShown)}…` : written;
}

/** The type of an output or an input in a message; the options of an old combo are called what they are. */
export function shownType(type: ExactValue): string {
  if (isExactList(type)) return 'a list of options';
  if (typeof type !== 'string') return shown(type);
  // What the server calls an input whose type another one decides.
  return type === '*' || /^COMFY_\w+_V3$/.test(type) ? 'any type' : type;
}

/** An output that fits an input, in a message: `an output of type IMAGE or MASK`, `any output`. */
export function fittingOutput(spec: InputSpec): string {
  const types = typesFor(spec);
  return types.length === 0 ? 'any output' : `an output of type ${either(types)}`;
}

/** The types that an input takes; none where it takes all. */
function typesFor(spec: InputSpec): readonly string[] {
  if (spec.kind === 'union') return spec.types;
  if (spec.kind === 'matchType') return spec.allowedTypes.includes('*') ? [] : spec.allowedTypes;
  const type = spec.kind === 'dynamicSlot' ? spec.slotType : spec.type;
  const shownAs = shownType(type);
  return shownAs === 'any type' ? [] : [shownAs];
}

/** `a`, `a or b`, `a, b or c`. */
export function either(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function and(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

const mostIds = 8;

/** `node 3`, `nodes 3 and 4`; of many only the first. */
export function nodesInWords(ids: readonly string[]): string {
  const rest = ids.length - mostIds;
  const named = rest > 0 ? [...ids.slice(0, mostIds), `${rest} more`] : ids;
  return `${ids.length === 1 ? 'node' : 'nodes'} ${and(named)}`;
}

/** The message with "the server" capital where a sentence begins with it. */
export function sentences(text: string): string {
  return text.replace(/(^|[.?!] )the server\b/g, '$1The server');
}

/** A proposal at the end of a message, or nothing. */
export function didYouMean(texts: readonly string[]): string {
  return texts.length === 0 ? '' : ` Did you mean ${either(texts.map((text) => JSON.stringify(text)))}?`;
}
