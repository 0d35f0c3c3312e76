import { budgets } from '../../safety/budgets';
import {
  type Allowance,
  isList,
  isTable,
  PricePattern,
  jsonataText,
  type PriceValue,
  spendSteps,
  Unsupported,
} from './priceValue';

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
