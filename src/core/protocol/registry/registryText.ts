import * as z from 'zod';
import { wireOptional } from '../wire';
import { t } from '../../safety/localize';

const hidden = () => t`(email hidden)`;

/** Also matches letters beyond ASCII, and URL-encoded addresses. The limits keep long texts without an @ cheap. */
const email = /[^\s@<>()[\]",;:\\/]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;

/** Removes e-mail addresses from a text: they are personal (protocol 6.2). */
export function withoutEmails(text: string): string {
  return /@|%40/.test(text) ? text.replace(email, hidden()) : text;
}

/** Longer texts of the registry are cut: nobody reads a change log of a megabyte. */
const longest = 20_000;

/** Cuts at the previous space: half an e-mail address would not be recognized. */
function shortened(text: string): string {
  return text.length > longest ? text.slice(0, longest).replace(/\S{1,700}$/, '') : text;
}

/** A text of the registry. Null, an empty text and a bare e-mail address count as missing. */
export const registryText = wireOptional(
  z
    .string()
    .nullable()
    .transform((raw) => {
      const text = withoutEmails(shortened(raw ?? '')).trim();
      return text === '' || text === hidden() ? undefined : text;
    }),
);

/** A list of texts; other items are left out, and a single text is a list of one. */
export const registryTexts = wireOptional(
  z
    .union([z.array(z.unknown()), z.string().transform((only) => [only])])
    .transform((items) => items.flatMap((item) => registryText.parse(item) ?? [])),
);

export const registryNumber = wireOptional(z.number());

const deepest = 6;

/** `{"rule": "exec", "files": ["a.py"]}` as `rule: exec, files: a.py`. */
export function contentText(value: unknown, depth = 0): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (typeof value !== 'object' || value === null || depth > deepest) return '';
  const isList = Array.isArray(value);
  return Object.entries(value)
    .flatMap(([name, member]: [string, unknown]) => {
      const words = contentText(member, depth + 1);
      return words === '' ? [] : [isList ? words : `${name}: ${words}`];
    })
    .join(', ');
}

export const registryWords = z.unknown().transform((value) => registryText.parse(contentText(value)));
