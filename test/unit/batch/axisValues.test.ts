import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { expandAlternatives } from '../../../src/core/batch/axisSource';
import { csvColumn, filledLines, decimalRange } from '../../../src/core/batch/axisValues';
import { budgets } from '../../../src/core/safety/budgets';
import { choosePrompt } from '../../../src/core/workflow/graph/dynamicPrompt';
import {
  type BatchAxis,
  countBatchRows,
  batchRowValues,
  rowText,
  axisSteps,
} from '../../../src/core/batch/batchTable';

describe('a range', () => {
  it.each([
    ['6', '8', undefined, ['6', '7', '8']],
    ['0.1', '0.3', '0.1', ['0.1', '0.2', '0.3']],
    ['1', '2', '0.5', ['1.0', '1.5', '2.0']],
    ['3', '1', undefined, ['3', '2', '1']],
    ['-0.5', '0.5', '0.5', ['-0.5', '0.0', '0.5']],
    ['1e-3', '3e-3', '1e-3', ['0.001', '0.002', '0.003']],
    [
      '18446744073709551614',
      '18446744073709551615',
      undefined,
      ['18446744073709551614', '18446744073709551615'],
    ],
    ['1', '4', '2', ['1', '3']],
    ['5', '5', undefined, ['5']],
  ])('from %s to %s by %s', (from, to, step, texts) => {
    expect(decimalRange(from, to, step, 100)).toEqual(texts);
  });

  it.each([
    ['0', '1', '0', "The step of a range can't be zero."],
    ['0', '1', '1e-9', 'This input has more than 100 values.'],
    ['a', '1', undefined, 'Enter a range as from..to or from..to..step.'],
    ['0', '1e999999', undefined, 'Enter a range as from..to or from..to..step.'],
  ])('from %s to %s by %s is refused', (from, to, step, message) => {
    expect(() => decimalRange(from, to, step, 100)).toThrow(message);
  });

  it('is exact for any decimals', () => {
    const decimal = fc.tuple(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(
        decimal,
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 0, max: 60 }),
        ([start, scale], step, steps) => {
          const texts = decimalRange(
            text(start, scale),
            text(start + BigInt(step * steps), scale),
            text(BigInt(step), scale),
            100,
          );
          expect(texts).toEqual(
            Array.from({ length: steps + 1 }, (_, index) => text(start + BigInt(step * index), scale)),
          );
        },
      ),
    );
  });
});

function text(digits: bigint, scale: number): string {
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

describe('the alternatives of a prompt', () => {
  it.each([
    ['a cat', ['a cat']],
    ['a {red|blue} cat', ['a red cat', 'a blue cat']],
    ['{a|b} {c|d}', ['a c', 'a d', 'b c', 'b d']],
    ['{a|{b|c} d}', ['a', 'b d', 'c d']],
    ['{a|a|}', ['a', '']],
    [String.raw`\{a|b\}`, ['{a|b}']],
    ['{a|b', ['a', 'b']],
  ])('%s', (prompt, texts) => {
    expect(expandAlternatives(prompt, false, 100)).toEqual(texts);
  });

  it.each(['{}', 'x', '{x}', '{{x}}'])('are joined once with what all of them have: %s', (piece) => {
    const options = Array.from({ length: 5_000 }, (_, index) => String(index));
    const joining = vi.spyOn(Array.prototype, 'flatMap');
    const texts = expandAlternatives(`{${options.join('|')}}${piece.repeat(2_000)}`, true, 10_000);
    const joined = joining.mock.contexts.reduce<number>(
      (sum, starts) => sum + (starts as string[]).length,
      0,
    );
    joining.mockRestore();
    expect(texts).toHaveLength(5_000);
    expect(joined).toBeLessThan(50_000);
  });

  it('keep their escapes where the ComfyUI editor reads them again', () => {
    expect(expandAlternatives(String.raw`{a|b} \{c\}`, true, 100)).toEqual([
      String.raw`a \{c\}`,
      String.raw`b \{c\}`,
    ]);
  });

  it('are bounded', () => {
    expect(() => expandAlternatives('{a|b}'.repeat(50), false, 1000)).toThrow('more than 1,000 values');
    expect(() => expandAlternatives('{'.repeat(500), false, 1000)).toThrow('more than 1,000 values');
    const nested = `{${'{a|b|c|d|e|f|g|h}|'.repeat(1000)}x}`;
    expect(() => expandAlternatives(nested, false, 1000)).toThrow('more than 1,000 values');
    const long = `${'x'.repeat(1_200_000)}{a|b}{c|d}{e|f}{g|h}{i|j}{k|l}`;
    expect(() => expandAlternatives(long, false, 1000)).toThrow('more than 67108864 characters');
  });

  it('include whatever the ComfyUI editor may choose', () => {
    const prompt = fc.array(fc.constantFrom('a', 'b ', '{', '|', '}', '\\', 'c'), { maxLength: 14 });
    fc.assert(
      fc.property(
        prompt,
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (parts, random) => {
          const text = parts.join('');
          const chosen = choosePrompt(text, () => Number(random.next().value));
          expect(expandAlternatives(text, false, 100_000)).toContain(chosen);
        },
      ),
    );
  });
});

describe('files of values', () => {
  it('lines are taken without blanks, and blank lines not at all', () => {
    expect(filledLines('\uFEFFa cat\r\n\n  a dog \r last')).toEqual(['a cat', 'a dog', 'last']);
  });

  it('a column is found by its name, and quoted fields may contain anything', () => {
    const table = 'name,"the ""text"""\r\none,"a, b"\r\ntwo,"line\nbreak"\nthree,\n"four","x"y';
    expect(csvColumn(table, 'the "text"')).toEqual(['a, b', 'line\nbreak', 'xy']);
    expect(csvColumn(table, 'name')).toEqual(['one', 'two', 'three', 'four']);
  });

  it('are read up to one more than a batch may have', () => {
    const most = budgets.batchRows + 1;
    expect(filledLines('a\n'.repeat(3 * most))).toHaveLength(most);
    expect(csvColumn(`name\n${'a\n'.repeat(3 * most)}`, 'name')).toHaveLength(most);
  });

  it('without the column say how they can get it', () => {
    const says = (nextAction: string) => expect.objectContaining({ nextAction }) as Error;
    expect(() => csvColumn('a,b\n1,2', 'x')).toThrow(says('Available columns: a, b.'));
    for (const text of ['', '\n', ',\n1,2'])
      expect(() => csvColumn(text, 'x')).toThrow(says('Put the column names in the first row.'));
  });
});

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
