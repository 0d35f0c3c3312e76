export type PriceValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly PriceValue[]
  | ReadonlyMap<string, PriceValue>
  | PricePattern
  | ((given: readonly PriceValue[]) => PriceValue);

/** A regular expression of one character class: it looks at each character once, so no text makes it run for long. */
export class PricePattern {
  readonly #pattern: RegExp;

  /** Throws {@link Unsupported} for every other regular expression. */
  constructor(source: string, flags: string) {
    if (!/^\[\^?(?:[^\\[\]]|\\[dswDSW\\\]^-]|\\x[\da-f]{2}|\\u[\da-f]{4})+\]$/i.test(source))
      throw new Unsupported('a regular expression');
    try {
      this.#pattern = new RegExp(source, `${flags}g`);
    } catch {
      throw new Unsupported('a regular expression');
    }
  }

  matches(text: string, most: number): readonly ReadonlyMap<string, PriceValue>[] {
    const found: ReadonlyMap<string, PriceValue>[] = [];
    for (const { 0: match, index } of text.matchAll(this.#pattern)) {
      if (found.length >= most) break;
      found.push(
        new Map<string, PriceValue>([
          ['match', match],
          ['index', index],
          ['groups', []],
        ]),
      );
    }
    return found;
  }
}

/** The remaining budget of one price. */
export interface Allowance {
  calls: number;
  steps: number;
}

/** @throws Unsupported when the steps are used up */
export function spendSteps(allowance: Allowance, steps = 1): void {
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

/** A value as JSONata writes it: numbers with 15 significant digits, which hides what binary fractions add. */
export function jsonataText(value: PriceValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  return typeof value === 'boolean' ? value.toString() : '';
}

/** JSONata's truthiness. Lists may contain each other many times. */
export function isTruthy(value: PriceValue, allowance: Allowance): boolean {
  spendSteps(allowance);
  if (isList(value)) return value.some((each) => isTruthy(each, allowance));
  if (isTable(value)) return value.size > 0;
  return typeof value === 'function' || value instanceof PricePattern ? false : Boolean(value);
}
