/** A value of a price expression; undefined if there is none. */
export type PriceValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly PriceValue[]
  | ReadonlyMap<string, PriceValue>
  | ((given: readonly PriceValue[]) => PriceValue);

/** The remaining budget of one price. */
export interface Allowance {
  calls: number;
  steps: number;
}

/** @throws Unsupported when the steps are used up */
export function spend(allowance: Allowance, steps = 1): void {
  if ((allowance.steps -= steps) < 0) throw new Unsupported('too many steps');
}

/** The expression uses something unsupported; no price is shown. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

export function isList(value: PriceValue): value is readonly PriceValue[] {
  return Array.isArray(value);
}

export function isTable(value: PriceValue): value is ReadonlyMap<string, PriceValue> {
  return value instanceof Map;
}

/** A value as a string; undefined if it has no string form. */
export function textOf(value: PriceValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? value.toString() : '';
}

/** JSONata's truthiness. Lists may contain each other many times. */
export function isTruthy(value: PriceValue, allowance: Allowance): boolean {
  spend(allowance);
  if (isList(value)) return value.some((each) => isTruthy(each, allowance));
  if (isTable(value)) return value.size > 0;
  return typeof value === 'function' ? false : Boolean(value);
}
