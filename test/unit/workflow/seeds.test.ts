import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { promptFromData } from '../../support/promptFromData';
import { newSeedEdits } from '../../../src/core/workflow/seeds';
import { dynamicCombo } from '../../support/dynamicInputs';

const text = `{
  "1": {"class_type": "KSampler", "inputs": {"seed": 18446744073709551615, "steps": 20}},
  "2": {"class_type": "Noise", "inputs": {"noise_seed": ["1", 0]}},
  "3": {"class_type": "Dice", "inputs": {"roll": 3, "seed": "{{seed}}"}},
  "4": {"class_type": "Dynamic", "inputs": {"model": "a", "model.seed": 7}},
  "5": {"class_type": "Unknown", "inputs": {"noise_seed": 5, "other": 6}},
  "6": {"class_type": "Floating", "inputs": {"seed": 0.5}}
}`;

const catalog = Catalog.fromDefinitions({
  KSampler: {
    input: { required: { seed: ['INT', { min: 0, max: 2n ** 64n - 1n }], steps: ['INT', { max: 99 }] } },
  },
  Noise: { input: { required: { noise_seed: ['INT', {}] } } },
  Dice: {
    input: { required: { roll: ['INT', { min: -1, max: 6, control_after_generate: true }], seed: ['INT'] } },
  },
  Dynamic: {
    input: {
      required: {
        model: dynamicCombo({ a: { seed: ['INT', { min: 1, max: 9 }] } }),
      },
    },
  },
  Floating: { input: { required: { seed: ['FLOAT', {}] } } },
});

function limits(withCatalog: boolean): [string, string, bigint, bigint][] {
  const drawn: [bigint, bigint][] = [];
  const edits = newSeedEdits(promptFromText(text), withCatalog ? catalog : undefined, (min, max) => {
    drawn.push([min, max]);
    return min;
  });
  return edits.map(({ nodeId, input }, index) => [nodeId, input, ...(drawn[index] ?? [0n, 0n])]);
}

describe('newSeedEdits', () => {
  it('finds seeds by definition, at any depth, and by name for unknown node types', () => {
    expect(limits(true)).toEqual([
      ['1', 'seed', 0n, 2n ** 53n - 1n],
      ['3', 'roll', 0n, 6n],
      ['4', 'model.seed', 1n, 9n],
      ['5', 'noise_seed', 0n, 2n ** 31n - 1n],
    ]);
  });

  it('relies on names without a catalog', () => {
    expect(limits(false).map(([id, input]) => `${id} ${input}`)).toEqual([
      '1 seed',
      '4 model.seed',
      '5 noise_seed',
      '6 seed',
    ]);
  });

  it('changes only the digits', () => {
    const edits = newSeedEdits(promptFromText(text), catalog, () => 2n);
    expect(edits[0]).toMatchObject({ length: 20, newText: '2' });
    const expected = text.replace('18446744073709551615', '2').replace('"roll": 3', '"roll": 2');
    expect(applyEdits(text, edits)).toBe(
      expected.replace('"model.seed": 7', '"model.seed": 2').replace('"noise_seed": 5', '"noise_seed": 2'),
    );
  });
});

describe('a number that a node only passes on', () => {
  const type = (required: object, output: readonly string[] = []): object => ({
    input: { required },
    output,
  });
  const bounds = { min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n };
  const numbers = Catalog.fromDefinitions({
    PrimitiveInt: type({ value: ['INT', { ...bounds, control_after_generate: 'fixed' }] }, ['INT']),
    OldPrimitiveInt: type({ value: ['INT', { control_after_generate: true }] }, ['INT']),
    Sampler: type({ seed: ['INT', { min: 0, max: 2n ** 64n - 1n }], steps: ['INT'] }, ['LATENT']),
    Partner: type({ seed: ['INT', { min: 1, max: 2n ** 31n - 1n }] }),
    Latent: type({ width: ['INT', { min: 16, max: 16384 }], height: ['INT'] }),
    Add: type({ a: ['INT'], b: ['INT'] }, ['INT']),
    Matrix: type({ offset: ['INT', { control_after_generate: 'randomize' }], mode: ['STRING'] }, ['INT']),
    Frame: type({ index: ['INT', { control_after_generate: 'increment' }], name: ['STRING'] }),
  });
  const changed = (prompt: Record<string, unknown>, withCatalog = true): string[] =>
    newSeedEdits(promptFromData(prompt), withCatalog ? numbers : undefined, (min, max) => {
      expect(min <= max).toBe(true);
      return max;
    }).map(({ nodeId, input, newText }) => `${nodeId}.${input} ${newText}`);
  const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

  it('is not a seed when it is a width, whatever its control widget says', () => {
    for (const type of ['PrimitiveInt', 'OldPrimitiveInt']) {
      const prompt = {
        w: node(type, { value: 512 }),
        l: node('Latent', { width: ['w', 0], height: 64 }),
        s: node('Sampler', { seed: 5, steps: 20 }),
      };
      expect(changed(prompt)).toEqual([`s.seed ${2n ** 53n - 1n}`]);
    }
  });

  it('is not one when nothing uses it, or something else uses it too', () => {
    const value = node('PrimitiveInt', { value: 7 });
    expect(changed({ v: value })).toEqual([]);
    const both = { v: value, s: node('Sampler', { seed: ['v', 0], steps: ['v', 0] }) };
    expect(changed(both)).toEqual([]);
  });

  it('is one when only seeds use it, even through other such nodes, within all their limits', () => {
    const value = node('PrimitiveInt', { value: 7 });
    expect(changed({ v: value, s: node('Sampler', { seed: ['v', 0], steps: 1 }) })).toEqual([
      `v.value ${2n ** 53n - 1n}`,
    ]);
    const chain = {
      v: value,
      next: node('PrimitiveInt', { value: ['v', 0] }),
      s: node('Sampler', { seed: ['next', 0], steps: 1 }),
      p: node('Partner', { seed: ['next', 0] }),
    };
    expect(changed(chain)).toEqual([`v.value ${2n ** 31n - 1n}`]);
  });

  it('is not one in a cycle', () => {
    const ring = {
      a: node('PrimitiveInt', { value: ['b', 0] }),
      b: node('PrimitiveInt', { value: ['a', 0] }),
    };
    expect(changed(ring)).toEqual([]);
  });

  it('is not one in an excessively long chain', () => {
    const prompt: Record<string, unknown> = { s: node('Sampler', { seed: ['0', 0], steps: 1 }) };
    for (let at = 0; at < 20_000; at++) {
      prompt[String(at)] = node('PrimitiveInt', { value: at < 19_999 ? [String(at + 1), 0] : 7 });
    }
    expect(changed(prompt)).toEqual([]);
  });

  it('is not one when the node computes', () => {
    expect(
      changed({ a: node('Add', { a: 1, b: 2 }), s: node('Sampler', { seed: ['a', 0], steps: 1 }) }),
    ).toEqual([]);
  });

  it('is a seed by its control widget only if that randomizes', () => {
    expect(changed({ m: node('Matrix', { offset: 1, mode: '' }) })).toEqual([`m.offset ${2n ** 31n - 1n}`]);
    expect(changed({ f: node('Frame', { index: 1, name: '' }) })).toEqual([]);
  });

  it('is recognized by its shape without definitions', () => {
    const prompt = {
      v: node('PrimitiveInt', { value: 7 }),
      w: node('PrimitiveInt', { value: 512 }),
      file: node('SeedFromFile', { index: 3 }),
      s: node('Sampler', { seed: ['v', 0], steps: 1 }),
      t: node('Sampler', { seed: ['file', 0], steps: 1 }),
      l: node('Latent', { width: ['w', 0], height: 64 }),
    };
    expect(changed(prompt, false)).toEqual([`v.value ${2n ** 31n - 1n}`]);
  });
});
