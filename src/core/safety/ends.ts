/** Trims the end without a regular expression, which would take quadratic time on a text of spaces. */
export function withoutEnd(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

export function withoutStart(text: string, letters: string): string {
  let start = 0;
  while (start < text.length && letters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** The characters that `\s` matches. */
export const blankLetters =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
