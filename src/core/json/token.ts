/**
 * What the scanner of `jsonc-parser` answers. The library declares these numbers as ambient const enums, which a file
 * that is compiled alone cannot read.
 */
export const jsonTokens = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  unknown: 16,
  end: 17,
} as const;
