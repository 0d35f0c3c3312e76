import { budgets } from '../safety/budgets';
import { JsonLimitError, readJson } from './boundedJson';
import { parseExact } from './exactReader';
import { plainFrom } from './exactValue';

/**
 * JSON.parse for what Python servers write: bare NaN, Infinity and -Infinity are read as numbers (protocol 1.2). Throws
 * `SyntaxError` if the text is not JSON, as JSON.parse does, and `JsonLimitError` for more than an answer may hold.
 * Numbers are doubles as in JSON.parse; if digits beyond 2^53 matter, use `parseJson` or `parseExact`.
 * @param source the endpoint
 * @param values how many it may hold
 */
export function parsePythonJson(text: string, source = '', values: number = budgets.answerValues): unknown {
  try {
    // Bodies are held to the size of each request while they arrive.
    return readJson(text, { bytes: Infinity, values }, source);
  } catch (strict) {
    if (strict instanceof JsonLimitError || !/NaN|Infinity/.test(text)) throw strict;
    return doubles(plainFrom(parseExact(text)));
  }
}

/** Both roads must give the same kinds of values: large integers are doubles on the fast one. */
function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(doubles);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, doubles(member)]));
  }
  return value;
}
