import fc from 'fast-check';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSafeSegment, safeFileName, splitExtension } from '../../../src/core/outputs/outputNames';

describe('safeFileName', () => {
  it.each([
    ['ComfyUI_00001_.png', 'ComfyUI_00001_.png'],
    ['../../x', 'x'],
    ['..', 'output'],
    ['../..', 'output'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['C:evil.png', 'C_evil.png'],
    ['a\u0000b.png', 'a_b.png'],
    ['picture.png. . ', 'picture.png'],
    ['.hidden', 'hidden'],
    ['CON', '_CON'],
    ['nul.png', '_nul.png'],
    ['com1 .txt', '_com1 .txt'],
    ['console.png', 'console.png'],
    ['a<b>c|d?.png', 'a_b_c_d_.png'],
    ['evil\u202Egnp.exe', 'evilgnp.exe'],
    ['', 'output'],
    ['日本語.png', '日本語.png'],
    ['folder/', 'folder'],
    ['lpt1.txt', '_lpt1.txt'],
    ['\u200b', 'output'],
  ])('turns %j into %j', (name, expected) => {
    expect(safeFileName(name, '')).toBe(expected);
  });

  it('falls back on the other name, made safe as well', () => {
    expect(safeFileName('...', '../b.png')).toBe('b.png');
  });

  it.each([
    ['a'.repeat(200), 'a'.repeat(200)],
    ['a'.repeat(201), 'a'.repeat(200)],
    [`${'ä'.repeat(300)}.png`, `${'ä'.repeat(98)}.png`],
    [`${'a'.repeat(195)}. ${'b'.repeat(9)}.png`, `${'a'.repeat(195)}.png`],
    [`${'a'.repeat(200)}.${'e'.repeat(15)}`, `${'a'.repeat(184)}.${'e'.repeat(15)}`],
    [`${'a'.repeat(190)}.${'e'.repeat(16)}`, `${'a'.repeat(190)}.${'e'.repeat(9)}`],
  ])('shortens names beyond 200 bytes but keeps an extension: %s', (name, expected) => {
    expect(safeFileName(name, 'x')).toBe(expected);
  });

  it('gives a single safe segment for any text', () => {
    const nasty = fc.constantFrom(
      '..',
      '/',
      '\\',
      ':',
      'CON',
      '.',
      ' ',
      '\u0000',
      '\uD800',
      '\u202E',
      '~',
      'NUL.',
      'é',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(nasty, fc.string()), { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, (name, fallback) => {
        const safe = safeFileName(name, fallback);
        expect(isSafeSegment(safe)).toBe(true);
        for (const system of [path.posix, path.win32]) {
          const root = system === path.win32 ? 'C:\\root' : '/root';
          expect(system.dirname(system.join(root, safe))).toBe(root);
          expect(system.basename(safe)).toBe(safe);
        }
        expect(safe).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(safe).toBe(safe.trim());
        expect(safe.startsWith('.')).toBe(false);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(201);
        expect(safeFileName(safe, '')).toBe(safe);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isSafeSegment', () => {
  it.each(['', '.', '..', 'a.', 'a ', 'a/b', ':a', 'nul', 'nul.png', 'a'.repeat(256)])(
    'refuses %j',
    (name) => {
      expect(isSafeSegment(name)).toBe(false);
    },
  );

  it.each(['a', '.a', 'a'.repeat(255)])('takes %j', (name) => {
    expect(isSafeSegment(name)).toBe(true);
  });
});

describe('splitExtension', () => {
  it.each([
    ['a.b.png', 'a.b', '.png'],
    ['name', 'name', ''],
    ['.name', '.name', ''],
  ])('splits %s at the last dot, unless it is the first character', (name, stem, extension) => {
    expect(splitExtension(name)).toEqual({ stem, extension });
  });
});
