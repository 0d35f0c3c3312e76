import type { InputSpec } from '../catalog/inputSpec';
import { type ExactValue, isExactList } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import { plural, t } from '../safety/localize';

const longestShown = 60;

/** A value as shown in a message: JSON, shortened if long. */
export function shownExact(value: ExactValue): string {
  const text =
    typeof value === 'string' && value.length > longestShown ? value.slice(0, longestShown + 1) : value;
  const written = isExactList(text) && text.length > 8 ? '[…]' : writeExact(text);
  return written.length > longestShown ? `${written.slice(0, longestShown)}…` : written;
}

/** The type of an output or an input in a message; the options of an old combo are described. */
export function shownType(type: ExactValue): string {
  if (isExactList(type)) return t`a list of options`;
  if (typeof type !== 'string') return shownExact(type);
  return takesAny(type) ? t`any type` : type;
}

/** `*`, and the server's internal name for an input whose type depends on another. */
function takesAny(type: ExactValue): boolean {
  return type === '*' || type === 'COMFY_MATCHTYPE_V3';
}

/** An output that matches an input, in a message: `an output of type IMAGE or MASK`, `any output`. */
export function fittingOutput(spec: InputSpec): string {
  const types = typesFor(spec);
  return types.length === 0 ? t`any output` : t`an output of type ${listWithOr(types)}`;
}

/** The types that an input accepts; none if it accepts all. */
function typesFor(spec: InputSpec): readonly string[] {
  if (spec.kind === 'union') return spec.types;
  if (spec.kind === 'matchType') return spec.allowedTypes.includes('*') ? [] : spec.allowedTypes;
  return takesAny(spec.type) ? [] : [shownType(spec.type)];
}

/** `a`, `a or b`, `a, b or c`. */
export function listWithOr(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : t`${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listWithAnd(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : t`${texts.slice(0, -1).join(', ')} and ${last}`;
}

const mostIds = 8;

/** `node 3`, `nodes 3 and 4`; of many only the first. */
export function nodesInWords(ids: readonly string[]): string {
  const rest = ids.length - mostIds;
  if (rest > 0) return t`nodes ${t`${ids.slice(0, mostIds).join(', ')} and ${rest} more`}`;
  return plural(ids.length, t`node ${listWithAnd(ids)}`, t`nodes ${listWithAnd(ids)}`);
}

/** A message with a suggestion at its end, or else an alternative text. */
export function withProposal(message: string, texts: readonly string[], otherwise = message): string {
  if (texts.length === 0) return otherwise;
  return t`${message} Did you mean ${listWithOr(texts.map((text) => JSON.stringify(text)))}?`;
}
