import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { newSeedEdits } from '../../../src/core/workflow/seeds';

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
        model: [
          'COMFY_DYNAMICCOMBO_V3',
          { options: [{ key: 'a', inputs: { required: { seed: ['INT', { min: 1, max: 9 }] } } }] },
        ],
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
  it('finds seeds by the definition, at any depth, and by name where the class is unknown', () => {
    expect(limits(true)).toEqual([
      ['1', 'seed', 0n, 2n ** 53n - 1n],
      ['3', 'roll', 0n, 6n],
      ['4', 'model.seed', 1n, 9n],
      ['5', 'noise_seed', 0n, 2n ** 31n - 1n],
    ]);
  });

  it('goes by names without a catalog', () => {
    expect(limits(false).map(([id, input]) => `${id} ${input}`)).toEqual([
      '1 seed',
      '4 model.seed',
      '5 noise_seed',
      '6 seed',
    ]);
  });

  it('changes the digits and nothing else', () => {
    const edits = newSeedEdits(promptFromText(text), catalog, () => 2n);
    expect(edits[0]).toMatchObject({ oldText: '18446744073709551615', newText: '2' });
    const expected = text.replace('18446744073709551615', '2').replace('"roll": 3', '"roll": 2');
    expect(applyEdits(text, edits)).toBe(
      expected.replace('"model.seed": 7', '"model.seed": 2').replace('"noise_seed": 5', '"noise_seed": 2'),
    );
  });
});
