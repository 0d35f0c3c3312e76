import { budgets } from '../../safety/budgets';

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

type BuiltIn = (...given: readonly PriceValue[]) => PriceValue;

const builtIns: Readonly<Record<string, BuiltIn>> = {
  contains: ofTexts((text, part) => text.includes(part)),
  substringBefore: ofTexts((text, part) => (text.includes(part) ? text.slice(0, text.indexOf(part)) : text)),
  lowercase: ofTexts((text) => text.toLowerCase()),
  uppercase: ofTexts((text) => text.toUpperCase()),
  length: ofTexts((text) => text.length),
  substring: (text, start, length) => {
    if (typeof text !== 'string' || typeof start !== 'number') return undefined;
    return text.slice(start, typeof length === 'number' ? start + length : undefined);
  },
  match: (text, pattern, limit) => {
    if (typeof text !== 'string' || !(pattern instanceof PricePattern)) return undefined;
    const found = pattern.matches(text, typeof limit === 'number' ? limit : Infinity);
    return found.length > 1 ? found : found[0];
  },
  lookup: (value, name) => (isTable(value) ? value.get(jsonataText(name)) : undefined),
  exists: (value) => value !== undefined,
  type: (value) => (value === undefined ? undefined : typeOf(value)),
  string: (value) => (value === undefined ? undefined : jsonataText(value)),
  number: (value) => {
    if (value === undefined) return undefined;
    const number = Number(value);
    if (Number.isNaN(number)) throw new Unsupported('a number');
    return number;
  },
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  round: (value, digits) => {
    if (typeof value !== 'number') return undefined;
    const scale = 10 ** (typeof digits === 'number' ? digits : 0);
    return Math.round(value * scale) / scale;
  },
  max: ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b), -Infinity)),
  min: ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b), Infinity)),
  sum: ofNumbers((numbers) => numbers.reduce((sum, each) => sum + each, 0)),
  count: (value) => (isList(value) ? value.length : value === undefined ? 0 : 1),
};

/** One of JSONata's own functions; throws {@link Unsupported} for those that no price badge has used yet. */
export function callBuiltIn(name: string, given: readonly PriceValue[], allowance: Allowance): PriceValue {
  const builtIn = Object.hasOwn(builtIns, name) ? builtIns[name] : undefined;
  if (!builtIn) throw new Unsupported(`$${name}`);
  const [first] = given;
  if (isList(first) || (name === 'match' && typeof first === 'string')) spendSteps(allowance, first.length);
  // No built-in function has more arguments.
  return builtIn(...given.slice(0, 3));
}

/** Without a string, there is no result. */
function ofTexts(act: (text: string, part: string) => PriceValue): BuiltIn {
  return (text, part = '') => {
    if (typeof text !== 'string' || typeof part !== 'string') return undefined;
    // Searching a long string in another can take the product of their lengths.
    if (part.length > budgets.priceNeedle) throw new Unsupported('looking for a text that long');
    return act(text, part);
  };
}

function ofNumber(act: (value: number) => number): BuiltIn {
  return (value) => (typeof value === 'number' ? act(value) : undefined);
}

function ofNumbers(act: (values: readonly number[]) => number): BuiltIn {
  return (value) => {
    const numbers = (isList(value) ? value : [value]).filter((each) => typeof each === 'number');
    return numbers.length === 0 ? undefined : act(numbers);
  };
}

function typeOf(value: Exclude<PriceValue, undefined>): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (value instanceof PricePattern) return 'function';
  return isTable(value) ? 'object' : typeof value;
}
