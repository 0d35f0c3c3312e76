import { budgets } from '../safety/budgets';
import type { ExactValue } from './exactValue';

const quote = 34;
const backslash = 92;

/**
 * Parses text into exact values without a tree, for data whose positions are not needed, such as node definitions.
 * Accepts bare NaN, Infinity and -Infinity. Throws `SyntaxError` with the offset if the text is not JSON.
 */
export function parseExact(text: string): ExactValue {
  return parseExactRange(text, 0, text.length);
}

/** The same for part of a text; offsets in errors are those of the entire text. */
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

/** Whether the quote at this offset is escaped, that is, preceded by an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === backslash) count++;
  return count % 2 === 1;
}
