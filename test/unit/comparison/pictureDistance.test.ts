import { describe, expect, it } from 'vitest';
import { pictureDistance } from '../../../src/core/comparison/pictureDistance';
import type { Pixels } from '../../../src/core/comparison/pngPixels';

/** A picture of one colour. */
function plain(rgba: readonly [number, number, number, number], size = 4): Pixels {
  const data = new Uint8Array(4 * size * size);
  for (let at = 0; at < data.length; at += 4) data.set(rgba, at);
  return { width: size, height: size, data };
}

/** Repeatable noise. */
function noise(seed: number): Pixels {
  let state = seed;
  const data = Uint8Array.from({ length: 4 * 64 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return { width: 8, height: 8, data };
}

const gray = (value: number): Pixels => plain([value, value, value, 255]);

describe('pictureDistance', () => {
  it('is 0 for equal pictures', () => {
    for (const seed of [1, 2, 3])
      expect(pictureDistance(noise(seed), noise(seed))).toEqual({ identical: true, distance: 0, share: 0 });
  });

  it('is 100 for black against white, and no larger for any two colours', () => {
    expect(pictureDistance(gray(0), gray(255)).distance).toBeCloseTo(100, 3);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
      plain([(bits & 1) * 255, ((bits >> 1) & 1) * 255, ((bits >> 2) & 1) * 255, 255]),
    );
    for (const one of corners)
      for (const other of corners) expect(pictureDistance(one, other).distance).toBeLessThan(100.001);
  });

  it('has the published OKLab lightness of middle gray', () => {
    // 0.5999 for #808080.
    expect(pictureDistance(gray(0), gray(128)).distance).toBeCloseTo(59.99, 1);
  });

  it('is a metric: symmetric, and no longer on a detour', () => {
    const distance = (one: number, other: number) => pictureDistance(noise(one), noise(other)).distance;
    expect(distance(1, 2)).toBe(distance(2, 1));
    expect(distance(1, 2)).toBeGreaterThan(0);
    expect(distance(1, 3)).toBeLessThanOrEqual(distance(1, 2) + distance(2, 3) + 1e-9);
  });

  it('grows with the difference of the colours', () => {
    const distances = [0, 1, 10, 50, 120, 255].map((value) => pictureDistance(gray(0), gray(value)).distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(new Set(distances).size).toBe(distances.length);
  });

  it('grows with the number of differing pixels, which it counts', () => {
    const black = gray(0);
    const [one, two] = [1, 4].map((count) => {
      const data = Uint8Array.from(black.data);
      for (let pixel = 0; pixel < count; pixel++) data.set([255, 255, 255], 4 * pixel);
      return pictureDistance(black, { ...black, data });
    });
    expect(one?.share).toBe(1 / 16);
    expect(two?.share).toBe(4 / 16);
    expect(two?.distance).toBeCloseTo(4 * (one?.distance ?? 0), 6);
  });

  it('sees transparency, and no colours below full transparency', () => {
    expect(pictureDistance(plain([255, 255, 255, 0]), gray(255)).distance).toBeCloseTo(100, 3);
    expect(pictureDistance(plain([0, 0, 0, 0]), gray(0)).distance).toBeCloseTo(100, 3);
    expect(pictureDistance(plain([0, 0, 0, 0]), plain([9, 99, 199, 0]))).toEqual({
      identical: false,
      distance: 0,
      share: 0,
    });
  });

  it('compares 8 bits with 16', () => {
    const deep: Pixels = { width: 4, height: 4, data: Uint16Array.from(gray(77).data, (each) => each * 257) };
    expect(pictureDistance(gray(77), deep)).toEqual({ identical: true, distance: 0, share: 0 });
    const deeper = {
      ...deep,
      data: Uint16Array.from(deep.data, (each) => (each === 65_535 ? each : each + 1)),
    };
    const { identical, distance } = pictureDistance(gray(77), deeper);
    expect(identical).toBe(false);
    expect(distance).toBeGreaterThan(0);
    expect(distance).toBeLessThan(0.01);
  });

  it('refuses pictures of different sizes', () => {
    expect(() => pictureDistance(plain([0, 0, 0, 255], 4), plain([0, 0, 0, 255], 5))).toThrow(RangeError);
  });
});
