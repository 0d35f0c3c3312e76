import { randomBytes } from 'node:crypto';

/** A random integer between two limits, both inclusive, uniformly distributed. */
export function randomSeed(min: bigint, max: bigint): bigint {
  const span = max - min + 1n;
  if (span <= 1n) return min;
  const bytes = Math.ceil(span.toString(2).length / 8);
  const whole = 1n << BigInt(bytes * 8);
  // Draws beyond the last full multiple of the span would favour small numbers.
  const usable = whole - (whole % span);
  for (;;) {
    const drawn = BigInt(`0x${randomBytes(bytes).toString('hex')}`);
    if (drawn < usable) return min + (drawn % span);
  }
}
