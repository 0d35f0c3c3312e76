import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { countBatchRows, batchRowValues, rowText, axisSteps } from '../../../src/core/batch/batchTable';

const axis = (offset: number, ...texts: string[]): BatchAxis => ({
  columns: [{ nodeId: '3', nodeName: 'KSampler', input: `at${offset}`, offset, length: 1 }],
  steps: texts.map((text) => [text]),
});

describe('the table of a batch', () => {
  it('has one row per combination, and the last axis changes fastest', () => {
    const axes = [axis(1, '6', '7'), axis(3, '"a"', '"b"', '"c"')];
    const rows = Array.from({ length: countBatchRows(axes) }, (_, row) =>
      batchRowValues(axes, row).map(({ text }) => text),
    );
    expect(rows).toEqual([
      ['6', '"a"'],
      ['6', '"b"'],
      ['6', '"c"'],
      ['7', '"a"'],
      ['7', '"b"'],
      ['7', '"c"'],
    ]);
  });

  it('is a single row without axes', () => {
    expect(countBatchRows([])).toBe(1);
    expect(rowText('{"a": 1}', [], 0)).toBe('{"a": 1}');
  });

  it('writes the values into the text and leaves everything else', () => {
    const axes = [axis(6, '18446744073709551615'), axis(9, '0.10')];
    expect(rowText('{"a": 1, 2 }', axes, 0)).toBe(
      '{"a": 18446744073709551615, 0.10 }'.replace(', 0.10', ', 0.10'),
    );
  });

  it('contains every combination exactly once, in an order that depends on nothing else', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const axes = lengths.map((length, at) =>
          axis(at, ...Array.from({ length }, (_, step) => `${at}-${step}`)),
        );
        const keys = Array.from({ length: countBatchRows(axes) }, (_, row) => axisSteps(axes, row).join());
        expect(new Set(keys).size).toBe(lengths.reduce((product, length) => product * length, 1));
        expect(keys).toEqual([...keys].sort((a, b) => compareSteps(a, b)));
      }),
    );
  });
});

function compareSteps(one: string, other: string): number {
  const [a, b] = [one.split(',').map(Number), other.split(',').map(Number)];
  const index = a.findIndex((step, at) => step !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
