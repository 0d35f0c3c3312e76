import { describe, it } from 'vitest';
import { readInputSpec } from '../../../src/core/catalog/readInputSpec';
import { valueText } from '../../../src/core/batch/axisSource';
import { alternativesOf } from '../../../src/core/batch/axisSource';
import type { BatchInput } from '../../../src/core/batch/batchInputs';
import { BatchQueue } from '../../../src/core/batch/batchQueue';
import type { BatchRow } from '../../../src/core/batch/batchRow';
import { rowCountOf, batchRowValues, type BatchAxis } from '../../../src/core/batch/batchTable';
import { csvColumn } from '../../../src/core/batch/axisValues';
import { BatchProblem } from '../../../src/core/batch/batchProblem';
import { selectInput, type SelectedInput } from '../../../src/core/batch/selectInput';
import { JsonString } from '../../../src/core/json/node';
import { expectGentleGrowth } from '../../support/growth';

describe('a large batch takes linear time', () => {
  it('to compute all of its rows', async () => {
    await expectGentleGrowth({
      from: 10_000,
      to: 1_280_000,
      input: (size): BatchAxis[] => [axisOf(2), axisOf(size / 4), axisOf(2)],
      run: (axes) => Array.from({ length: rowCountOf(axes) }, (_, row) => batchRowValues(axes, row).length),
    });
  });

  it('to start, refuse and end its rows', async () => {
    const server = { name: 'one', session: { origin: 'http://127.0.0.1:8188' } };
    await expectGentleGrowth({
      from: 10_000,
      to: 1_280_000,
      input: (size) => Array.from({ length: size }, (_, index): BatchRow => ({ index, state: 'waiting' })),
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

  it('to read its files and the alternatives of its prompts', async () => {
    await expectGentleGrowth({
      from: 20_000,
      to: 1_280_000,
      input: (size) => `text,name\n${'"a ""b"", c{x|y}", \n'.repeat(size)}`,
      run: (text) => csvColumn(text, 'name'),
    });
    await expectGentleGrowth({
      from: 10_000,
      to: 640_000,
      input: (size) => `{${Array.from({ length: size }, (_, index) => `option ${index}`).join('|')}}`,
      run: (text) => alternativesOf(text, false, 10_000_000),
    });
  });

  it('to find the option that each of its values is', async () => {
    await expectGentleGrowth({
      from: 500,
      to: 64_000,
      input: (size): [SelectedInput, string[]] => {
        const choices = Array.from({ length: size }, (_, index) => `folder/model ${index}.safetensors`);
        const value = new JsonString(0, 3, 'x');
        const [known] = inputsOf(1);
        if (!known) throw new Error('no input');
        return [{ ...known, value, spec: readInputSpec([choices]) }, choices];
      },
      run: ([input, texts]) => texts.map((text) => valueText(input, text)),
    });
  });

  it('to find an input, also one with a thousand dots', async () => {
    await expectGentleGrowth({
      from: 2_000,
      to: 256_000,
      input: inputsOf,
      run: (inputs) => triedSelector(`${'a.'.repeat(1_000)}b`, inputs),
    });
  });

  it('to find an input, however many dots its name has', async () => {
    const inputs = inputsOf(2_000);
    await expectGentleGrowth({
      from: 4_000,
      to: 4_000_000,
      input: (size) => `${'a.'.repeat(size / 2)}b`,
      run: (selector) => triedSelector(selector, inputs),
    });
  });
});

function triedSelector(selector: string, inputs: readonly BatchInput[]): unknown {
  try {
    return selectInput(selector, inputs);
  } catch (error) {
    if (error instanceof BatchProblem) return error;
    throw error;
  }
}

function axisOf(steps: number): BatchAxis {
  return {
    columns: [{ nodeId: '3', nodeName: 'KSampler', input: 'cfg', offset: 0, length: 1 }],
    steps: Array.from({ length: steps }, (_, step) => [String(step)]),
  };
}

function inputsOf(size: number): BatchInput[] {
  return Array.from({ length: size }, (_, index) => ({
    nodeId: String(index),
    nodeName: 'KSampler',
    classType: 'KSampler',
    input: 'cfg',
    value: new JsonString(index, 1, 'x'),
    linkedTo: undefined,
    spec: undefined,
    isDynamic: false,
    shownOn: [],
  }));
}
