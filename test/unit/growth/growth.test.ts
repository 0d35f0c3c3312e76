import { describe, expect, it } from 'vitest';

import { expectGentleGrowth } from '../../support/growth';

function work(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

describe('the measure of growth', { timeout: 120_000 }, () => {
  it('passes what is linear', async () => {
    await expectGentleGrowth({
      from: 100_000,
      to: 50_000_000,
      input: (size) => size,
      run: work,
    });
  });

  it('fails what is quadratic', async () => {
    const growth = expectGentleGrowth({
      from: 500,
      to: 8_000,
      input: (size) => size,
      run: (size) => work(size * size),
    });
    await expect(growth).rejects.toThrow(/2\.5 times as long/);
  });
});
