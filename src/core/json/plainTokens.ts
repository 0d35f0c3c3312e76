/** Finds strings without escapes, and numbers, without creating strings; the scanner does everything else. */
export class PlainTokens {
  end = 0;
  /** Names, types and small numbers recur, so they share one string. */
  readonly #texts: string[] = [];

  constructor(private readonly text: string) {}

  /** Whether a string without escapes starts at this quote. */
  isString(start: number): boolean {
    const { text } = this;
    let at = start + 1;
    let code = text.charCodeAt(at);
    // The end of the text is NaN.
    while (code >= firstPrintable && code !== quote && code !== backslash) code = text.charCodeAt(++at);
    this.end = at + 1;
    return code === quote;
  }

  /** Whether a valid JSON number starts here, followed by nothing odd. */
  isNumber(start: number): boolean {
    const { text } = this;
    const first = text.charCodeAt(start) === minus ? start + 1 : start;
    let end = this.#digitsEnd(first);
    if (end === first || (text.charCodeAt(first) === zero && end > first + 1)) return false;
    if (text.charCodeAt(end) === point) {
      const fraction = end + 1;
      end = this.#digitsEnd(fraction);
      if (end === fraction) return false;
    }
    this.end = end;
    const next = text.charCodeAt(end);
    return next === comma || next === closeBracket || next === closeBrace || isBlank(next);
  }

  between(start: number, end: number): string {
    const { text } = this;
    const length = end - start;
    if (length < 2 || length > longestKept) return text.slice(start, end);
    const middle = text.charCodeAt(start + (length >> 1));
    const mixed = (text.charCodeAt(start) * 31 + middle) * 31 + text.charCodeAt(end - 1);
    const slot = (mixed * 31 + length) & (tableSize - 1);
    const known = this.#texts[slot];
    if (known?.length === length && this.#stands(known, start)) return known;
    return (this.#texts[slot] = text.slice(start, end));
  }

  #stands(known: string, start: number): boolean {
    for (let at = known.length - 1; at >= 0; at--) {
      if (known.charCodeAt(at) !== this.text.charCodeAt(start + at)) return false;
    }
    return true;
  }

  #digitsEnd(start: number): number {
    let at = start;
    for (let code = this.text.charCodeAt(at); code >= zero && code <= nine; code = this.text.charCodeAt(at))
      at++;
    return at;
  }
}

const tableSize = 2048;
/** Longer ones don't recur. */
const longestKept = 32;
const firstPrintable = 32;
const quote = 34;
const comma = 44;
const minus = 45;
const point = 46;
const zero = 48;
const nine = 57;
const backslash = 92;
const closeBracket = 93;
const closeBrace = 125;

export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}
