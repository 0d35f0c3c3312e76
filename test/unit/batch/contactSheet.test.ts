import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { contactSheet, fileLinks, firstOutput } from '../../../src/core/batch/contactSheet';
import path, { win32 } from 'node:path';
import { workflowFrom } from '../../../src/core/batch/prepareBatch';
import { keepLineEnds } from '../../../src/core/json/textOfBytes';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';

const axis = (input: string, ...texts: string[]): BatchAxis => ({
  columns: [{ nodeId: '3', nodeName: 'KSampler', input, offset: 0, length: 1 }],
  steps: texts.map((text) => [text]),
});
const files = (row: number) => ({ files: [`out/w (1)-${row}.png`] });

describe('a contact sheet', () => {
  it('has the last two axes as its table', () => {
    expect(contactSheet('w', [axis('cfg', '6', '7.50'), axis('sampler', '"euler"', '"a|b"')], files))
      .toBe(`# w

| KSampler.cfg \\ KSampler.sampler | euler | a\\|b |
| --- | --- | --- |
| 6 | ![w \\(1\\)\\-0.png](out/w%20%281%29-0.png) | ![w \\(1\\)\\-1.png](out/w%20%281%29-1.png) |
| 7\\.50 | ![w \\(1\\)\\-2.png](out/w%20%281%29-2.png) | ![w \\(1\\)\\-3.png](out/w%20%281%29-3.png) |
`);
  });

  it('has sections for further axes, and names values that do not change once', () => {
    const axes = [axis('seed', '1', '2'), axis('steps', '20'), axis('cfg', '6', '7'), axis('size', '8', '9')];
    const sheet = contactSheet('w', axes, (row) => ({ files: [], message: `row ${row}` }));
    expect(sheet.split('\n').filter((line) => /^[#|-]/.test(line))).toEqual([
      '# w',
      '- KSampler.steps = 20',
      '## KSampler.seed = 1',
      '| KSampler.cfg \\ KSampler.size | 8 | 9 |',
      '| --- | --- | --- |',
      '| 6 | row 0 | row 1 |',
      '| 7 | row 2 | row 3 |',
      '## KSampler.seed = 2',
      '| KSampler.cfg \\ KSampler.size | 8 | 9 |',
      '| --- | --- | --- |',
      '| 6 | row 4 | row 5 |',
      '| 7 | row 6 | row 7 |',
    ]);
  });

  it('links what is no picture, and lets no value act as Markdown', () => {
    const sheet = contactSheet('[w](x)', [axis('text', '"![a](b)\\n|"', '"c"')], () => ({
      files: ['a/take.wav'],
    }));
    expect(sheet).toContain('[take.wav](a/take.wav)');
    expect(sheet).not.toContain('![a](b)');
    expect(sheet).not.toContain('# [w](x)');
  });

  it('shows no character that controls a terminal or the direction of text, and cuts nothing', () => {
    const long = 'x'.repeat(5_000);
    const sheet = contactSheet('w\u202e', [axis('a\u0007b', `"\\u001b[31m${long}"`, '"c"')], () => ({
      files: ['out/a\u202egnp.png'],
    }));
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(sheet).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(sheet).toContain(long);
    expect(sheet).toContain('(out/a%E2%80%AEgnp.png)');
  });
});

describe('two drives', () => {
  const files = [{ name: 'a b-1.png' }] as never;
  const record = { files };
  const links = (from: string, folder: string) =>
    fileLinks(from, { location: (name) => win32.join(folder, name) }, record, win32);

  it.each([
    ['C:\\out', 'Z:\\w\\p.json', 'Z:/w/p.json'],
    ['C:\\out', '\\\\nas\\w\\p.json', '//nas/w/p.json'],
    ['C:\\w\\out', 'c:\\W\\p.json', '../p.json'],
  ])('a batch in %s names its workflow so that it is found: %s', (folder, file, name) => {
    expect(workflowFrom(folder, file, win32)).toBe(name);
    expect(win32.resolve(folder, name).toLowerCase()).toBe(file.toLowerCase());
  });

  it.each([
    ['Z:\\w', 'C:\\my out', 'file:///C:/my%20out/a%20b-1.png'],
    ['Z:\\w', '\\\\nas\\my out', 'file://nas/my%20out/a%20b-1.png'],
    ['C:\\w', 'C:\\my out', '../my%20out/a%20b-1.png'],
  ])('a sheet in %s links to outputs in %s', (from, folder, link) => {
    const sheet = contactSheet('x', [], () => ({ files: links(from, folder) }));
    expect(sheet).toContain(`](${link})`);
  });

  it.each([
    ['a\r\nb\r\n', '1\n2\n', '1\r\n2\r\n'],
    ['a\nb\n', '1\n2\n', '1\n2\n'],
    [undefined, '1\n2\n', '1\n2\n'],
    ['a\r\nb', '1\r\n2\n', '1\r\n2\r\n'],
  ])('a text that replaces another has the line ends of %j', (old, text, written) => {
    expect(keepLineEnds(old, text)).toBe(written);
  });
});

describe('the output in a cell of the sheet', () => {
  const record = 'a-20260501-120000.run.json';
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'comfy-deck-'));
    writeFileSync(path.join(root, record), writeRunRecord(savedRun(0, ['a.png'])));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const shown = () => firstOutput(new NodeFolder(root), record);

  it('is the file that the record names', async () => {
    writeFileSync(path.join(root, 'a.png'), '');
    expect(await shown()).toEqual({ name: 'a.png', kind: 'image' });
  });

  it('is never a link, which might lead to a device', async () => {
    symlinkSync('/dev/zero', path.join(root, 'a.png'));
    expect(await shown()).toBeUndefined();
  });

  it('is named even if it was deleted', async () => {
    expect(await shown()).toEqual({ name: 'a.png', kind: 'image' });
  });
});
