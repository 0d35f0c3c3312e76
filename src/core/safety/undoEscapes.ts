/**
 * A text whose escapes were undone, with positions: the characters at `at` stand for the ranges between `from` and
 * `to`.
 */
export interface PlainText {
  readonly text: string;
  /** Its source; missing for the original. */
  readonly source?: PlainText;
  readonly at: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export function original(text: string): PlainText {
  return { text, at: [], from: [], to: [] };
}

/** The range of the original for a character. */
export function placeOf(plain: PlainText, index: number): { readonly start: number; readonly end: number } {
  let [start, end] = [index, index + 1];
  for (let text = plain; text.source; text = text.source) {
    start = within(text, start).start;
    end = within(text, end - 1).end;
  }
  return { start, end };
}

function within(
  { at, from, to }: PlainText,
  index: number,
): { readonly start: number; readonly end: number } {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const last = low - 1;
  if (last < 0) return { start: index, end: index + 1 };
  if (at[last] === index) return { start: from[last] ?? index, end: to[last] ?? index + 1 };
  const start = (to[last] ?? 0) + index - (at[last] ?? 0) - 1;
  return { start, end: start + 1 };
}

const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;

/**
 * One round of undoing escapes of JSON, URLs and HTML: `\u0041`, `\n`, `%41` and `%2541`, `&#65;`. Linear. Undefined if
 * there are none.
 */
export function undoEscapes(source: PlainText): PlainText | undefined {
  const { text } = source;
  if (!/[\\%&]/.test(text)) return undefined;
  const [at, from, to]: [number[], number[], number[]] = [[], [], []];
  const pieces: string[] = [];
  const mark = /[\\%&]/g;
  let kept = 0;
  let length = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    const escape = escapeAt(text, start);
    if (!escape) continue;
    pieces.push(text.slice(kept, start), escape.character);
    length += start - kept;
    at.push(length++);
    from.push(start);
    to.push(escape.end);
    kept = mark.lastIndex = escape.end;
  }
  if (pieces.length === 0) return undefined;
  pieces.push(text.slice(kept));
  return { text: pieces.join(''), source, at, from, to };
}

interface Escape {
  readonly character: string;
  readonly end: number;
}

function escapeAt(text: string, at: number): Escape | undefined {
  switch (text.charCodeAt(at)) {
    case backslash:
      return backslashEscape(text, at);
    case percent:
      return percentEscape(text, at);
    case ampersand:
      return htmlEscape(text, at);
    default:
      return undefined;
  }
}

/** However many backslashes: JSON in JSON doubles them each time. */
function backslashEscape(text: string, at: number): Escape | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === backslash) end++;
  const letter = text[end];
  // Consumed completely, or the next one would be matched again.
  if (letter === undefined) return { character: '\\', end };
  if (letter === 'u' || letter === 'x') {
    const code = hexAt(text, end + 1, letter === 'u' ? 4 : 2);
    if (code !== undefined) {
      return { character: String.fromCharCode(code), end: end + (letter === 'u' ? 5 : 3) };
    }
  }
  return { character: 'nrtbf'.includes(letter) ? '\n' : letter, end: end + 1 };
}

/** `%25` before two more digits is an encoded percent sign, any number of times. */
function percentEscape(text: string, at: number): Escape | undefined {
  let digits = at + 1;
  while (text.startsWith('25', digits) && hexAt(text, digits + 2, 2) !== undefined) digits += 2;
  const code = hexAt(text, digits, 2);
  return code === undefined ? undefined : { character: String.fromCharCode(code), end: digits + 2 };
}

const htmlNumber = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/iy;

function htmlEscape(text: string, at: number): Escape | undefined {
  htmlNumber.lastIndex = at;
  const match = htmlNumber.exec(text);
  if (!match) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : parseInt(match[1], 16);
  return { character: code < 0x10000 ? String.fromCharCode(code) : '\ufffd', end: at + match[0].length };
}

function hexAt(text: string, at: number, count: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const code = text.charCodeAt(index);
    const digit =
      code >= 0x30 && code <= 0x39
        ? code - 0x30
        : (code | 0x20) >= 0x61 && (code | 0x20) <= 0x66
          ? (code | 0x20) - 0x57
          : -1;
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}
