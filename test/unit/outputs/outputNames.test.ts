import { describe, expect, it, vi } from 'vitest';
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
} from '../../../src/core/outputs/outputNames';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { storedElsewhere } from '../jobs/observations';

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

describe('a label', () => {
  it.each([
    ['a'.repeat(61), 'a'.repeat(60)],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
    ['日'.repeat(41), '日'.repeat(40)],
  ])('is cut to 60 characters and 120 bytes: %s', (label, short) => {
    expect(shortLabel(label, 'workflow')).toBe(short);
  });
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

describe('the record of a run', () => {
  it('says what an output is only where its name does not', () => {
    expect(expectedFile(output('cat.png'), 'w-cat.png').media).toBeUndefined();
    expect(expectedFile(output('cat.bin', { subfolder: 'sub' }), 'w-cat.bin')).toMatchObject({
      media: 'image',
      original: 'sub/cat.bin',
    });
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

  it('are found at once for thousands of outputs of one name', () => {
    const names = new FreeNames(['a.png']);
    const asked = vi.spyOn(Set.prototype, 'has');
    for (let count = 2; count <= 3_000; count++) expect(names.take('a.png')).toBe(`a (${count}).png`);
    const calls = asked.mock.calls.length;
    asked.mockRestore();
    expect(calls).toBeLessThan(10_000);
  });

  it('differ in more than case and Unicode normalization', () => {
    const names = new FreeNames(['Caf\u00e9.png']);
    expect(names.take('cafe\u0301.PNG')).toBe('cafe\u0301 (2).PNG');
    expect(['CAFÉ.png', 'café.jpg'].map((name) => names.has(name))).toEqual([true, false]);
    expect(names.take('CAFÉ (2).png')).toBe('CAFÉ (2) (2).png');
  });
});
