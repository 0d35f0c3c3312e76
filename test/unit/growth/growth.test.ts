import { describe, expect, it } from 'vitest';

import { expectGentleGrowth, steps } from '../../support/growth';

describe('the measure of growth', { timeout: 120_000 }, () => {
  const input = (size: number): number => size;

  it('passes what is linear', async () => {
    await expectGentleGrowth({ from: 100_000, to: 50_000_000, input, run: steps });
  });

  it('fails what is quadratic', async () => {
    const growth = expectGentleGrowth({ from: 500, to: 8_000, input, run: (size) => steps(size * size) });
    await expect(growth).rejects.toThrow(/more than twice as long/);
  });

  it('fails a test that could not see a curve', async () => {
    const narrow = expectGentleGrowth({ from: 1_000, to: 4_000, input, run: steps });
    await expect(narrow).rejects.toThrow(/sizes to compare/);
  });
});
