import { describe, it } from 'vitest';

import { expandAlternatives } from '../../../src/core/batch/axisSource';
import { csvColumn } from '../../../src/core/batch/axisValues';
import { type BatchInput, selectInput } from '../../../src/core/batch/batchInputs';
import { BatchProblem } from '../../../src/core/batch/batchProblem';
import { BatchQueue } from '../../../src/core/batch/batchQueue';
import type { BatchRow } from '../../../src/core/batch/batchRow';
import { JsonString } from '../../../src/core/json/node';
import { expectGentleGrowth } from '../../support/growth';
import { members, numbers } from './shapes';

const value = new JsonString(0, 3, 'x');

function batchInputs(size: number): BatchInput[] {
  return numbers(size).map((index) => ({
    nodeId: String(index),
    nodeName: 'KSampler',
    classType: 'KSampler',
    input: 'cfg',
    value,
    linkedTo: undefined,
    spec: undefined,
    isDynamic: false,
    shownOn: [],
  }));
}

describe('a large batch takes linear time', { timeout: 120_000 }, () => {
  it('to start, refuse and end its rows', async () => {
    const server = { name: 'one', session: { origin: 'http://127.0.0.1:8188' } };
    await expectGentleGrowth({
      from: 10_000,
      to: 1_280_000,
      input: (size) => numbers(size).map((index): BatchRow => ({ index, state: 'waiting' })),
      run: (rows) => {
        const queue = new BatchQueue(rows, () => undefined);
        const refused = new Set<number>();
        for (;;) {
          const first = queue.take(server, refused);
          if (!first) break;
          refused.add(first.index);
          queue.wait(first.index);
          const again = queue.take(server, new Set());
          if (again) queue.set(again.index, { state: 'saved' });
        }
        return queue.counts;
      },
    });
  });

  it.each<[string, (size: number) => string, (text: string) => unknown]>([
    [
      'a CSV file',
      (size) => `text,name\n${'"a ""b"", c{x|y}", \n'.repeat(size)}`,
      (text) => csvColumn(text, 'name'),
    ],
    [
      'the alternatives of a prompt',
      (size) => `{${members(size, (index) => `option ${index}`).replaceAll(',', '|')}}`,
      (text) => expandAlternatives(text, false, 10_000_000),
    ],
    ['the name of an input', (size) => `${'a.'.repeat(size)}b`, selectAmongMany],
  ])('to read %s', async (_what, input, run) => {
    await expectGentleGrowth({ from: 10_000, to: 640_000, input, run });
  });
});

const many = batchInputs(2_000);

function selectAmongMany(selector: string): unknown {
  try {
    return selectInput(selector, many);
  } catch (error) {
    if (error instanceof BatchProblem) return error;
    throw error;
  }
}
