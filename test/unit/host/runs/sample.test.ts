import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeSample } from '../../../../src/host/runs/sample';

it('the list of samples says of each what it does', () => {
  const samples = readdirSync('samples').filter((name) => name.endsWith('.json'));
  const words = samples.map(describeSample);
  expect(samples.filter((_, index) => words[index] === '')).toEqual([]);
  expect(new Set(words).size).toBe(samples.length);
});
