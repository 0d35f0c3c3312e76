import { describe, expect, it } from 'vitest';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { contactSheet } from '../../../src/core/batch/contactSheet';

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
    // eslint-disable-next-line no-control-regex -- that is what must not be there
    expect(sheet).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(sheet).toContain(long);
    expect(sheet).toContain('(out/a%E2%80%AEgnp.png)');
  });
});
