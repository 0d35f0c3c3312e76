import { budgets } from '../safety/budgets';
import { numberText, t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';
import { type ExactValue, plainFrom } from './exactValue';

const [quote, backslash, comma] = Array.from('"\\,', (each) => each.charCodeAt(0));
const [openBracket, closeBracket, openBrace, closeBrace] = Array.from('[]{}', (each) => each.charCodeAt(0));

export interface JsonLimits {
  /** Characters; files are held to as many bytes before they are read. */
  readonly bytes: number;
  /** Objects, lists and values: a few characters can take a hundred times their size in memory. */
  readonly values: number;
}

/** Something exceeds its limit. The message is one sentence that names the file or the endpoint. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
  readonly nextAction = '';
}

/** Called with the reason when something is too large to be read; the rest is read. */
export type Skipped = (error: Error) => void;

export const throwJsonLimit: Skipped = (error) => {
  throw error;
};

/**
 * The value of a JSON text. Throws {@link JsonLimitError}, and `SyntaxError` if it is not JSON.
 * @param source name of the file, or the endpoint
 */
export function readJson(text: string, limits: JsonLimits, source: string): unknown {
  const excess = findExceededLimit(text, limits);
  if (excess !== undefined) throw new JsonLimitError(sentence(excess, limits, source));
  return JSON.parse(text) as unknown;
}

type Excess = keyof JsonLimits | 'depth';

function sentence(excess: Excess, { bytes, values }: JsonLimits, source: string): string {
  switch (excess) {
    case 'bytes':
      return t`${source} is larger than ${sizeText(bytes)}, so it wasn't read.`;
    case 'values':
      return t`${source} has more than ${numberText(values)} values, so it wasn't read.`;
    case 'depth':
      return t`${source} is nested more than ${numberText(budgets.jsonDepth)} levels deep, so it wasn't read.`;
  }
}

/** The first limit that a text exceeds, in one pass that builds nothing and stops there. */
export function findExceededLimit(text: string, { bytes, values }: JsonLimits): Excess | undefined {
  if (text.length > bytes) return 'bytes';
  let left = values;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === openBracket || code === openBrace) {
      if (++depth > budgets.jsonDepth) return 'depth';
      if (--left < 0) return 'values';
    } else if (code === closeBracket || code === closeBrace) depth--;
    else if (code === comma && --left < 0) return 'values';
  }
  return undefined;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

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

/** Both ways must give the same kinds of values: large integers are doubles on the fast one. */
function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(doubles);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, doubles(member)]));
  }
  return value;
}

/**
 * Parses text into exact values without a tree, for data whose positions are not needed, such as node definitions.
 * Accepts bare NaN, Infinity and -Infinity. Throws `SyntaxError` with the offset if the text is not JSON.
 */
export function parseExact(text: string): ExactValue {
  return parseExactRange(text, 0, text.length);
}

/** Parses part of a text; offsets in errors are those of the entire text. */
export function parseExactRange(text: string, start: number, end: number): ExactValue {
  const reader = new ExactReader(text, start, end);
  const value = reader.value(0);
  reader.expectEnd();
  return value;
}

class ExactReader {
  constructor(
    private readonly text: string,
    private at: number,
    private readonly end: number,
  ) {
    if (at === 0 && text.startsWith('\uFEFF')) this.at = 1;
  }

  expectEnd(): void {
    this.skipSpace();
    if (this.at < this.end) this.fail();
  }

  value(depth: number): ExactValue {
    this.skipSpace();
    switch (this.at < this.end ? this.text[this.at] : undefined) {
      case '{':
        return this.object(depth);
      case '[':
        return this.list(depth);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      case 'N':
        return this.word('NaN', NaN);
      case 'I':
        return this.word('Infinity', Infinity);
      default:
        return this.number();
    }
  }

  private object(depth: number): ExactValue {
    const object = new Map<string, ExactValue>();
    this.enter(depth);
    if (this.takeIf('}')) return object;
    do {
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== quote) this.fail();
      const name = this.string();
      this.expect(':');
      object.set(name, this.value(depth + 1));
    } while (this.takeIf(','));
    this.expect('}');
    return object;
  }

  private list(depth: number): ExactValue {
    const list: ExactValue[] = [];
    this.enter(depth);
    if (this.takeIf(']')) return list;
    do list.push(this.value(depth + 1));
    while (this.takeIf(','));
    this.expect(']');
    return list;
  }

  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    let close = text.indexOf('"', start);
    while (close > 0 && close < this.end && isEscaped(text, close)) close = text.indexOf('"', close + 1);
    if (close < 0 || close >= this.end) this.fail();
    const plain = text.slice(start, close);
    if (!/[\\\p{Cc}]/u.test(plain)) {
      this.at = close + 1;
      return plain;
    }
    try {
      const decoded = JSON.parse(text.slice(start - 1, close + 1)) as string;
      this.at = close + 1;
      return decoded;
    } catch {
      return this.fail();
    }
  }

  private number(): ExactValue {
    if (this.text.startsWith('-Infinity', this.at)) return this.word('-Infinity', -Infinity);
    numberAt.lastIndex = this.at;
    const match = numberAt.exec(this.text);
    if (!match) return this.fail();
    this.at += match[0].length;
    if (this.at > this.end) this.fail();
    if (match[1] !== undefined || match[2] !== undefined) return Number(match[0]);
    if (match[0].length > budgets.digits + 1) this.fail('number of too many digits');
    return BigInt(match[0]);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail();
    this.at += word.length;
    return value;
  }

  private enter(depth: number): void {
    if (depth >= budgets.jsonDepth) this.fail('nested too deep');
    this.at++;
  }

  private takeIf(sign: string): boolean {
    this.skipSpace();
    if (this.at >= this.end || this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private expect(sign: string): void {
    if (!this.takeIf(sign)) this.fail();
  }

  private skipSpace(): void {
    while (this.at < this.end) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  private fail(what = 'not JSON'): never {
    throw new SyntaxError(`${what} at offset ${this.at}`);
  }
}

const numberAt = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === backslash) count++;
  return count % 2 === 1;
}
