import { describe, expect, it } from 'vitest';

import { PlainTokens } from '../../../src/core/json/plainTokens';

/** The text of the string or number that starts there, including quotes; undefined if it is left to the scanner. */
function plainIn(text: string): string | undefined {
  const tokens = new PlainTokens(text);
  const isFound = text.startsWith('"') ? tokens.isString(0) : tokens.isNumber(0);
  return isFound ? text.slice(0, tokens.end) : undefined;
}

describe('plain tokens', () => {
  it('are strings without escapes', () => {
    expect(plainIn('"seed": 1')).toBe('"seed"');
    expect(plainIn('""')).toBe('""');
    for (const odd of ['"a\\n"', '"a', '"a\nb"', '"\u0001"']) expect(plainIn(odd)).toBeUndefined();
  });

  it('are JSON numbers', () => {
    expect(plainIn('-12.50,')).toBe('-12.50');
    expect(plainIn('0]')).toBe('0');
    for (const odd of ['01,', '1.', '-', '1e5,', '1x', '.5,', '7']) expect(plainIn(odd)).toBeUndefined();
  });

  it('share one string for repeated text', () => {
    const text = '"images" "imagex" "images"';
    const tokens = new PlainTokens(text);
    expect([tokens.between(1, 7), tokens.between(10, 16), tokens.between(19, 25)]).toEqual([
      'images',
      'imagex',
      'images',
    ]);
  });
});
