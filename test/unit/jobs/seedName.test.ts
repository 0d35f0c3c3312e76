import { expect, it } from 'vitest';
import { seedName } from '../../../src/core/jobs/jobWords';

it.each([
  ['3.seed', 'KSampler (3)'],
  ['57:8.noise_seed', 'Noise (57:8), noise_seed'],
  ['9.seed', '9.seed'],
])('the seed %s is called %s', (key, name) => {
  expect(seedName(key, { '3': 'KSampler', '57:8': 'Noise' })).toBe(name);
});
