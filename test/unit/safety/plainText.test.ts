import { describe, expect, it } from 'vitest';
import { plainText, printable, printableJson } from '../../../src/core/safety/plainText';

/** Everything that acts or hides, one of each kind, and text that terminals or build servers interpret. */
const acting = [
  ...['\u0000', '\u0007', '\b', '\r', '\u001B[2J', '\u001B]0;title\u0007', '\u009B31m', '\u007F'],
  ...['\u202A', '\u202E', '\u2066', '\u2069', '\u200B', '\u200E', '\u200F', '\u061C', '\uFEFF', '\u00AD'],
  ...['\u{E0041}', '\u{E007F}', '\uFE00', '\u3164', '\u2028', '\u2029', '\u0085', '\uD800', '\uDC00'],
];
const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe('plain text', () => {
  it('contains nothing that acts or hides', () => {
    for (const character of acting) expect(plainText(`a${character}b`)).not.toMatch(acts);
  });

  it('keeps line breaks on request', () => {
    expect(plainText('a\r\nb\u2028c\u001Bd', 'kept')).toBe('a\nb\nc d');
  });
});

describe('text for a terminal', () => {
  it('contains only line breaks and tabs of what acts or hides', () => {
    for (const character of acting) {
      expect(printable(`a\t${character}\r\nb`).replace(/[\n\t]/g, '')).not.toMatch(acts);
    }
    expect(printable('a\tb\r\nc')).toBe('a\tb\nc');
  });

  it('may be long', () => {
    expect(printable('x'.repeat(100_000))).toHaveLength(100_000);
    expect(printable(`a${'\u200d'.repeat(8_000_000)}b`)).toBe('ab');
  });
});

describe('JSON for a terminal', () => {
  it('means the same, with escapes for all that acts or hides', () => {
    const value = { name: acting.join('x'), emoji: '👩‍🔬', text: 'naïve 日本語', lines: 'a\nb' };
    const json = printableJson(JSON.stringify(value));
    expect(json).not.toMatch(acts);
    expect(JSON.parse(json)).toEqual(value);
  });

  it('keeps its layout and the digits of its numbers', () => {
    const json = '{\n\t"seed": 12345678901234567890.10,\r\n\t"a": "\\u202e"\n}';
    expect(printableJson(json)).toBe(json);
  });
});
