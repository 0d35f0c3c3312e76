import { createScanner } from 'jsonc-parser';
import { token } from './token';

/** A comment may start, or a bracket closes after a comma: everything else needs no closer look. */
const mayBeLoose = /\/[*/]|,\s*[\]}]/;

/** A comma after one of these is a mistake, and no trailing one. */
const noValueBefore: ReadonlySet<number> = new Set([
  token.openBrace,
  token.openBracket,
  token.comma,
  token.colon,
  token.end,
]);

/**
 * JSON with Comments as strict JSON of the same length: spaces replace comments and trailing commas, so that every
 * offset and line stays the same.
 */
export function strictJson(text: string): string {
  if (!mayBeLoose.test(text)) return text;
  const scanner = createScanner(text, true);
  if (text.startsWith('\uFEFF')) scanner.setPosition(1);
  // Written into, and made a text once: there may be millions of comments.
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  let comma: number | undefined;
  let before: number = token.end;
  const blank = (from: number, to: number): void => {
    for (let at = from; at < to; at++) if (!isLineBreak(units[at])) units[at] = 32;
  };
  for (let end = scanner.getPosition(); ; end = scanner.getPosition()) {
    const found: number = scanner.scan();
    const start = scanner.getTokenOffset();
    if (comma !== undefined && (found === token.closeBrace || found === token.closeBracket))
      blank(comma, start);
    else if (text.slice(end, start).includes('/')) blank(end, start);
    if (found === token.end) break;
    comma = found === token.comma && !noValueBefore.has(before) ? start : undefined;
    before = found;
  }
  let strict = '';
  for (let at = 0; at < text.length; at += 8_192)
    strict += String.fromCharCode(...units.subarray(at, at + 8_192));
  return strict;
}

function isLineBreak(code: number | undefined): boolean {
  return code === 10 || code === 13;
}
