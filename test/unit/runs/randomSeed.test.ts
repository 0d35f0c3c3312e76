import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeed } from '../../../src/core/runs/randomSeed';

describe('randomSeed', () => {
  it('stays within the limits, both inclusive', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.bigInt({ min: 0n, max: 2n ** 64n }), (a, b) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const seed = randomSeed(min, max);
        expect(seed >= min && seed <= max).toBe(true);
      }),
    );
    const drawn = new Set(Array.from({ length: 200 }, () => randomSeed(0n, 2n)));
    expect(drawn).toEqual(new Set([0n, 1n, 2n]));
  });
});
