/** A value of a price expression; undefined where there is none. */
export type PriceValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly PriceValue[]
  | ReadonlyMap<string, PriceValue>
  | ((given: readonly PriceValue[]) => PriceValue);

/** How many calls one price may take. */
export const mostCalls = 500;

/** The expression uses something that is not understood here; nothing is said about the price then. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

export function isList(value: PriceValue): value is readonly PriceValue[] {
  return Array.isArray(value);
}

export function isTable(value: PriceValue): value is ReadonlyMap<string, PriceValue> {
  return value instanceof Map;
}

/** A value as text; nothing for what has no text of its own. */
export function textOf(value: PriceValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? value.toString() : '';
}

/** What JSONata takes for true. */
export function isTruthy(value: PriceValue): boolean {
  if (isList(value)) return value.some(isTruthy);
  if (isTable(value)) return value.size > 0;
  return typeof value === 'function' ? false : Boolean(value);
}
