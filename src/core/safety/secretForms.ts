import { withoutEnd } from './ends';

/** One form in which a secret may be quoted, as the search for it needs it. */
export interface SecretForm {
  /** Its ASCII letters and digits in lower case: all that the search considers. */
  readonly folded: string;
  /** From its first to its last letter or digit, lower case. */
  readonly exact: string;
  /** Long enough to be recognized by letters and digits alone, whatever is between them. */
  readonly isLoose: boolean;
  /** So many adjacent base64 characters contain some of its bits; 0 if it is not base64. */
  readonly margin: number;
}

/** With fewer letters and digits than this, what is between them matters. */
const looseFrom = 16;
/** Shorter forms turn up by chance. */
const shortest = 6;

/** ASCII letters and digits of a text, lower case. */
export function foldText(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
}

/**
 * The forms of a key or token: unchanged, reversed, and with the zero bytes of UTF-16; its bytes, UTF-16 included, in
 * hex and in base64 at each of the three offsets, and base64 of that base64. Encoded forms also cover the key in lower
 * and upper case. Escapes and case are not separate forms: the search undoes them.
 */
export function keyForms(secret: string): SecretForm[] {
  const forms = [secret, backToFront(secret), Array.from(secret).join('\0')].map((text) => formOf(text));
  for (const spelled of new Set([secret, secret.toLowerCase(), secret.toUpperCase()])) {
    const bytes = Buffer.from(spelled, 'utf8');
    // Without its last byte, little-endian is also found in big-endian.
    const wide = Buffer.from(spelled, 'utf16le').subarray(0, -1);
    const once = base64Of(bytes);
    const twice = [...once, ...once.map(urlSafe)].flatMap((text) => base64Of(Buffer.from(text)));
    for (const text of new Set([...once, ...base64Of(wide)])) forms.push(formOf(text, 1));
    for (const text of new Set(twice)) forms.push(formOf(text, 3));
    for (const hex of [bytes.toString('hex'), wide.toString('hex')]) {
      forms.push(formOf(hex), formOf(backToFront(hex)));
    }
  }
  return forms.filter(({ folded }) => folded.length >= shortest);
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

function backToFront(text: string): string {
  return Array.from(text).reverse().join('');
}

/** The other alphabet of base64, that of addresses. */
export function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** A value that is only quoted unchanged, such as the signature in a storage address. */
export function plainForms(value: string): SecretForm[] {
  return [formOf(value)].filter(({ folded }) => folded.length >= shortest);
}

function formOf(text: string, margin = 0): SecretForm {
  const folded = foldText(text);
  const exact = /[0-9A-Za-z](?:.*[0-9A-Za-z])?/s.exec(text)?.[0] ?? '';
  return {
    folded,
    exact: exact.toLowerCase(),
    isLoose: folded.length >= looseFrom,
    margin,
  };
}
