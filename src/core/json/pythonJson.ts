import { parseExact } from './exactReader';
import { plainFrom } from './exactValue';

/**
 * JSON.parse for what Python servers write: bare NaN, Infinity and -Infinity are read as numbers (protocol 1.2). Throws
 * `SyntaxError` if the text is not JSON, as JSON.parse does. Numbers are doubles as in JSON.parse; if digits beyond
 * 2^53 matter, use `parseJson` or `parseExact`.
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (strict) {
    if (!/NaN|Infinity/.test(text)) throw strict;
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
