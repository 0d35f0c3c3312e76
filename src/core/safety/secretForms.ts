import { withoutEnd } from './ends';

/** One form in which a secret may be quoted, as the search for it needs it. */
export interface SecretForm {
  /** Its ASCII letters and digits, lower case: all that the search looks at. */
  readonly folded: string;
  /** From its first to its last letter or digit, lower case. */
  readonly exact: string;
  /** Long enough to be known by its letters and digits alone, whatever stands between them. */
  readonly isLoose: boolean;
  /** The characters beside it hold a few of its bits. */
  readonly isBase64: boolean;
}

/** Fewer letters and digits than this say nothing without what stands between them. */
const looseFrom = 16;
/** Shorter forms turn up by chance. */
const shortest = 6;

/** ASCII letters and digits of a text, lower case. */
export function foldText(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
}

/**
 * The forms of a key or token: as it is, in base64 at each of the three places of a group, in hex; the last two also of
 * the key in lower and upper case. Escapes and case are not forms of their own: the search undoes them.
 */
export function keyForms(secret: string): SecretForm[] {
  const forms = [formOf(secret)];
  for (const spelled of new Set([secret, secret.toLowerCase(), secret.toUpperCase()])) {
    const bytes = Buffer.from(spelled, 'utf8');
    for (const lead of [0, 1, 2]) {
      const text = withoutEnd(Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64'), '=');
      // The characters at either end hold bits of what stands beside the key.
      const end = (lead + bytes.length) % 3 === 0 ? text.length : text.length - 1;
      forms.push(formOf(text.slice(lead === 0 ? 0 : lead + 1, end), true));
    }
    forms.push(formOf(bytes.toString('hex')));
  }
  return forms.filter(({ folded }) => folded.length >= shortest);
}

/** A value that is only quoted as it is, such as the signature in a storage address. */
export function plainForms(value: string): SecretForm[] {
  return [formOf(value)].filter(({ folded }) => folded.length >= shortest);
}

function formOf(text: string, isBase64 = false): SecretForm {
  const folded = foldText(text);
  const exact = /[0-9A-Za-z](?:.*[0-9A-Za-z])?/s.exec(text)?.[0] ?? '';
  return {
    folded,
    exact: exact.toLowerCase(),
    isLoose: folded.length >= looseFrom,
    isBase64,
  };
}
