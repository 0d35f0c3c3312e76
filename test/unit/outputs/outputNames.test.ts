import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { expectedFile } from '../../../src/core/outputs/expectedFile';
import {
  filesNotSaved,
  filesWorthSaving,
  filesWorthShowing,
  outputName,
  outputPrefix,
  runPrefix,
  shortLabel,
  fileTimeText,
  FreeNames,
  isSafeSegment,
  safeFileName,
  splitExtension,
} from '../../../src/core/outputs/outputNames';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { storedElsewhere } from '../jobs/observations';
import fc from 'fast-check';
import path from 'node:path';

const at = new Date(2026, 0, 5, 7, 8, 9).getTime();

function output(filename: string, more: Partial<OutputFile> = {}): OutputFile {
  return { filename, subfolder: '', area: 'output', nodeId: '9', media: 'image', ...more };
}

function job(more: Partial<Job>): Job {
  return { ...storedElsewhere('completed'), createdAt: undefined, ...more };
}

describe('the files of a run begin with', () => {
  it.each([
    ['portrait.json', 'portrait-20260105-070809'],
    ['folder/sub\\portrait.v2.json', 'portrait.v2-20260105-070809'],
    ['', 'workflow-20260105-070809'],
  ])('the workflow and the time: %j, %s', (label, prefix) => {
    expect(runPrefix(label, at)).toBe(prefix);
  });

  it.each([
    ['its end', { createdAt: at - 2_000, endedAt: at - 1_000 }, at - 1_000],
    ['its submission', { createdAt: at - 2_000 }, at - 2_000],
    ['now', {}, at],
  ])('the time of %s, of a job that was not written down before it was sent', (_, times, told) => {
    expect(outputPrefix(job(times), at)).toBe(`workflow-${fileTimeText(told)}`);
  });

  it('a time also where there is none', () => {
    expect(fileTimeText(Number.NaN)).toBe(fileTimeText(0));
  });
});

it.each([
  ['a'.repeat(61), 'a'.repeat(60)],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ['日'.repeat(41), '日'.repeat(40)],
])('a label is cut to 60 characters and 120 bytes: %s', (label, short) => {
  expect(shortLabel(label, 'workflow')).toBe(short);
});

describe('an output is named', () => {
  const hash = 'ab'.repeat(32);

  it.each<[string, Partial<OutputFile>, string]>([
    ['cat_00001_.png', { displayName: 'dog.png' }, 'w-cat_00001_.png'],
    ['', {}, 'w-output'],
    [`${hash}.png`, { displayName: 'cat.png' }, 'w-cat.png'],
    [`${hash}.png`, { displayName: 'cat' }, 'w-cat.png'],
    [`${hash}.png`, { displayName: 'cat.jpg' }, 'w-cat.jpg.png'],
    [`${hash}.png`, { displayName: '  ' }, 'w-abababababab.png'],
    [`${hash}.png`, {}, 'w-abababababab.png'],
    [`my ${hash}.png`, {}, `w-my ${hash}.png`],
    [`${hash} of mine.png`, {}, `w-${hash} of mine.png`],
  ])('%s %j: %s', (filename, more, name) => {
    expect(outputName('w', output(filename, more))).toBe(name);
  });
});

describe('of what a job made', () => {
  const [kept, preview] = [output('kept.png'), output('preview.png', { area: 'temp' })];
  const input = output('mine.png', { area: 'input' });
  const mixed = job({ outputs: [preview, input, kept] });

  it('the outputs are saved, previews where that is wanted or where there is nothing else, inputs never', () => {
    expect(filesWorthSaving(mixed)).toEqual([kept]);
    expect(filesWorthSaving(mixed, true)).toEqual([kept, preview]);
    expect(filesWorthSaving(job({ outputs: [preview, input] }))).toEqual([preview]);
  });

  it('all is shown, and what is shown and not saved are the previews', () => {
    expect(filesWorthShowing(mixed)).toEqual([kept, preview]);
    expect(filesNotSaved(mixed, false)).toEqual([preview]);
    expect(filesNotSaved(mixed, true)).toEqual([]);
  });
});

it('the record of a run says what an output is only where its name does not', () => {
  expect(expectedFile(output('cat.png'), 'w-cat.png').media).toBeUndefined();
  expect(expectedFile(output('cat.bin', { subfolder: 'sub' }), 'w-cat.bin')).toMatchObject({
    media: 'image',
    original: 'sub/cat.bin',
  });
});

describe('free names', () => {
  it('count up before the extension', () => {
    const names = new FreeNames(['a.png', 'a (2).png']);
    expect(names.take('a.png')).toBe('a (3).png');
    expect(names.take('a.png')).toBe('a (4).png');
    expect(names.take('b')).toBe('b');
    expect(names.take('b')).toBe('b (2)');
  });

  it('keep the whole ending of a run record, and are compared as the disk does', () => {
    const names = new FreeNames(['A.png', 'b (2).png', 'run.run.json']);
    expect(
      ['a.png', 'a.png', 'b.png', 'b.png', 'c', 'c', 'run.run.json'].map((name) => names.take(name)),
    ).toEqual(['a (2).png', 'a (3).png', 'b.png', 'b (3).png', 'c', 'c (2)', 'run (2).run.json']);
  });

  it('differ in more than case and Unicode normalization', () => {
    const names = new FreeNames(['Caf\u00e9.png']);
    expect(names.take('cafe\u0301.PNG')).toBe('cafe\u0301 (2).PNG');
    expect(['CAFÉ.png', 'café.jpg'].map((name) => names.has(name))).toEqual([true, false]);
    expect(names.take('CAFÉ (2).png')).toBe('CAFÉ (2) (2).png');
  });
});

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

it.each([
  ['a.b.png', 'a.b', '.png'],
  ['name', 'name', ''],
  ['.name', '.name', ''],
])('splitExtension splits %s at the last dot, unless it is the first character', (name, stem, extension) => {
  expect(splitExtension(name)).toEqual({ stem, extension });
});
