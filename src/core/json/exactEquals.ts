import { type ExactValue, isExactList, isExactObject } from './exactValue';

/** Equality as Python's `==`: 1, 1.0 and true are equal, NaN equals nothing, strings are compared by code unit. */
export function exactEquals(a: ExactValue, b: ExactValue): boolean {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (isExactList(a) && isExactList(b)) {
    return a.length === b.length && a.every((item, index) => exactEquals(item, b[index] ?? null));
  }
  if (isExactObject(a) && isExactObject(b)) {
    return (
      a.size === b.size &&
      [...a].every(([name, value]) => b.has(name) && exactEquals(value, b.get(name) ?? null))
    );
  }
  return a === b;
}

/** A number in Python's sense, where bool is a kind of int. */
export type ExactNumber = boolean | bigint | number;

export function isNumeric(value: ExactValue | undefined): value is ExactNumber {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

/** Below, equal or above zero; NaN when one of the two is NaN. Integers against floats lose no digit. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  const left = typeof a === 'boolean' ? BigInt(a) : a;
  const right = typeof b === 'boolean' ? BigInt(b) : b;
  // The comparison operators of JavaScript are exact for a bigint against a number.
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? NaN : 0;
}
