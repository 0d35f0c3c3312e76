import { describe, expect, it } from 'vitest';

import { sentInputs } from '../../../support/sentInputs';

const sampler = {
  required: {
    seed: ['INT', {}],
    steps: ['INT', { default: 20 }],
    cfg: ['FLOAT', { default: 7 }],
    vae_decode: [['true', 'false']],
  },
};

function sample(widgets_values: unknown[]): unknown {
  return sentInputs(sampler, { type: 'KSampler (Efficient)', widgets_values });
}

describe('the button of a seed', () => {
  it('has the place of its control, whatever that was', () => {
    const expected = { seed: 7, steps: 30, cfg: 5, vae_decode: 'false' };
    expect(sample([7, null, 30, 5, 'false'])).toEqual(expected);
    expect(sample([7, 'randomize', 30, 5, 'false'])).toEqual(expected);
  });

  it('leaves -1 to the run', () => {
    expect(sample([-1, null, 30, 5, 'false'])).toMatchObject({ seed: -1 });
  });
});

it('older values of a sampler begin with one more', () => {
  expect(sample(['Sample', 7, 'fixed', 30, 5, 'false'])).toEqual({
    seed: 7,
    steps: 30,
    cfg: 5,
    vae_decode: 'true',
  });
});

it('older values of a loader lack two', () => {
  const loader = {
    required: {
      ...Object.fromEntries(Array.from('abcdefgh').map((name) => [name, ['STRING', {}]])),
      token_normalization: [['none', 'mean']],
      weight_interpretation: [['comfy', 'A1111']],
      width: ['INT', {}],
    },
  };
  const node = { type: 'Efficient Loader', widgets_values: [...Array.from('abcdefgh'), 768] };
  expect(sentInputs(loader, node)).toMatchObject({
    h: 'h',
    token_normalization: 'none',
    weight_interpretation: 'comfy',
    width: 768,
  });
});
