import { withoutEnd } from './ends';

/** A stretch of a text, `end` behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One form in which a secret may be quoted, folded like the text that is searched. */
export interface SecretForm {
  readonly folded: string;
  /** So much of it makes a hit: a quotation that breaks off reveals as much as a complete one. */
  readonly trigger: string;
  /** Long enough to be recognized even if it is spread over lines. */
  readonly isLong: boolean;
  /** The characters next to it contain some of its bits. */
  readonly isBase64: boolean;
}

const triggerLength = 24;
/** Shorter forms may be put together by chance from several words. */
const longFrom = 16;
/** Shorter forms turn up by chance. */
export const shortestForm = 6;

/** The forms of a key or token: its characters, and its bytes in hex and in base64 at each of the three offsets. */
export function keyForms(secret: string): SecretForm[] {
  const encoded = [secret, secret.toLowerCase(), secret.toUpperCase()].flatMap((spelled) => {
    const bytes = Buffer.from(spelled);
    return [formOf(bytes.toString('hex')), ...base64Of(bytes).map((text) => formOf(text, true))];
  });
  return distinct([...plainForms(secret), ...encoded]);
}

/** The characters of a value; in an address, they are bytes of UTF-8, and a space may be a plus sign. */
export function plainForms(value: string): SecretForm[] {
  return distinct(
    [value, encodeURIComponent(value.replace(/\p{Surrogate}/gu, '')), value.replaceAll(' ', '+')].map(
      (text) => formOf(text),
    ),
  );
}

function formOf(quoted: string, isBase64 = false): SecretForm {
  // At the end, a backslash would escape what is behind it.
  const text = withoutEnd(quoted, '\\');
  const tight = fold(text, true);
  const isLong = tight.length >= longFrom;
  const folded = isLong ? tight : fold(text, false);
  return { folded, trigger: folded.slice(0, triggerLength), isLong, isBase64 };
}

function distinct(forms: readonly SecretForm[]): SecretForm[] {
  const byText = new Map(forms.map((form) => [form.folded, form]));
  return [...byText.values()].filter(({ folded }) => folded.length >= shortestForm);
}

/** The fixed part of bytes in base64, at each of the three offsets where they may start. */
function base64Of(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((lead) => {
    const text = withoutEnd(Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64'), '=');
    // The characters at either end contain bits of what is next to the key.
    const end = (lead + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(lead === 0 ? 0 : lead + 1, end);
  });
}

/** Finds forms of secrets in a text, in time linear in the text. */
export class SecretSearch {
  readonly #long: readonly SecretForm[];
  readonly #short: readonly SecretForm[];

  constructor(forms: readonly SecretForm[]) {
    this.#long = forms.filter(({ isLong }) => isLong);
    this.#short = forms.filter(({ isLong }) => !isLong);
  }

  /** Where the text quotes a secret, in no particular order; ranges may overlap. */
  find(text: string): Span[] {
    return [...findForms(text, this.#long, true), ...findForms(text, this.#short, false)];
  }
}

function findForms(text: string, forms: readonly SecretForm[], isTight: boolean): Span[] {
  const wanted = forms.filter(({ trigger }) => trigger.length <= text.length);
  if (wanted.length === 0) return [];
  const folded = fold(text, isTight);
  const quoted = wanted.filter(({ trigger }) => folded.includes(trigger));
  if (quoted.length === 0) return [];
  const at = new Uint32Array(text.length);
  fold(text, isTight, at);
  return quoted.flatMap((form) => hitsOf(form, text, folded, at));
}

function hitsOf(
  { folded: form, trigger, isBase64 }: SecretForm,
  text: string,
  folded: string,
  at: Uint32Array,
): Span[] {
  const found: Span[] = [];
  const endOf = (index: number): number => characterAt(text, at[index] ?? 0).end;
  const isJoined = (index: number, next: number, character: number): boolean =>
    endOf(index) === at[next] && /[\w+/]/.test(folded.charAt(character));
  for (let first = folded.indexOf(trigger); first >= 0;) {
    let behind = first + trigger.length;
    while (behind - first < form.length && folded[behind] === form[behind - first]) behind++;
    // The next hit may start in the last characters of this one.
    const next = folded.indexOf(trigger, behind - trigger.length + 1);
    if (isBase64 && first > 0 && isJoined(first - 1, first, first - 1)) first--;
    if (isBase64 && isJoined(behind - 1, behind, behind)) behind++;
    for (const most = behind + 2; isBase64 && behind < most && folded[behind] === '=';) behind++;
    found.push({ start: at[first] ?? 0, end: endOf(behind - 1) });
    first = next;
  }
  return found;
}

/**
 * Undoes letter case, the escapes of JSON, URLs and HTML, and the second alphabet of base64; `isTight` leaves out blanks
 * and line breaks. `at` gets the place of each character in the original.
 */
function fold(text: string, isTight: boolean, at?: Uint32Array): string {
  const codes = text.length <= fewCodes.length ? fewCodes : new Uint16Array(text.length);
  let length = 0;
  for (let start = 0; start < text.length;) {
    const code = text.charCodeAt(start);
    let end = start + 1;
    let character = code;
    if (code === backslash || code === percent || code === ampersand)
      ({ code: character, end } = characterAt(text, start));
    if (character >= 0x41 && character <= 0x5a) character += 0x20;
    else if (character === 0x2d) character = 0x2b;
    else if (character === 0x5f) character = 0x2f;
    if (!isTight || (character > 0x20 && character !== 0xa0)) {
      codes[length] = character;
      if (at) at[length] = start;
      length++;
    }
    start = end;
  }
  if (codes === fewCodes) return String.fromCharCode(...codes.subarray(0, length));
  return decoder.decode(new Uint8Array(codes.buffer, 0, 2 * length));
}

/** For short texts, which are the most, instead of a buffer each. */
const fewCodes = new Uint16Array(1024);
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const [backslash, percent, ampersand] = [0x5c, 0x25, 0x26];
/** However many backslashes: JSON in JSON doubles them each time. */
const escape =
  /\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrtbf])|(.)|$)|%([0-9a-f]{2})|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/isy;

/** The character, perhaps escaped, that starts here. */
function characterAt(text: string, start: number): { readonly code: number; readonly end: number } {
  escape.lastIndex = start;
  const match = escape.exec(text);
  if (!match) return { code: text.charCodeAt(start), end: start + 1 };
  const [all, u, x, blank, other, url, html, decimal] = match;
  const hex = u ?? x ?? url ?? html;
  const code =
    hex !== undefined
      ? parseInt(hex, 16)
      : decimal !== undefined
        ? Number(decimal)
        : blank !== undefined
          ? 0x0a
          : (other?.charCodeAt(0) ?? backslash);
  return { code: code > 0xffff ? 0xfffd : code, end: start + all.length };
}
