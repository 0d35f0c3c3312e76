import { describe, expect, it } from 'vitest';
import { encodeFlac } from '../../../../src/sandbox/media/flac';
import { playTune } from '../../../../src/sandbox/media/tone';

describe('FLAC', () => {
  it('declares rate, channels, depth and length at the start', () => {
    const bytes = encodeFlac([new Float32Array(10_000), new Float32Array(10_000)], 44_100);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('fLaC');
    const packed = view.getBigUint64(18);
    expect(Number(packed >> 44n)).toBe(44_100);
    expect(Number((packed >> 41n) & 7n) + 1).toBe(2);
    expect(Number((packed >> 36n) & 31n) + 1).toBe(16);
    expect(Number(packed & 0xfffffffffn)).toBe(10_000);
  });
});

describe('a tune', () => {
  it('is repeatable, depends on its seed, and never clips', () => {
    const [left] = playTune(3, 1, 8_000);
    expect(playTune(3, 1, 8_000)[0]).toEqual(left);
    expect(playTune(4, 1, 8_000)[0]).not.toEqual(left);
    expect(Math.max(...left.map(Math.abs))).toBeLessThan(1);
  });
});
