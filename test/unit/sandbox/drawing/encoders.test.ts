import { decode, encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { plainPicture } from '../../../../src/sandbox/drawing/picture';
import type { Picture } from '../../../../src/sandbox/drawing/picture';
import { decodePng, encodePng } from '../../../../src/sandbox/drawing/encodePng';

const blue = plainPicture(6, 4, [10, 20, 200]);

describe('PNG', () => {
  it('round-trips with its text', () => {
    const bytes = encodePng(blue, { prompt: '{"a":1}' });
    expect(decodePng(bytes)).toEqual(blue);
    expect(decode(bytes).text).toEqual({ prompt: '{"a":1}' });
  });

  it('keeps transparency', () => {
    const clear: Picture = { width: 1, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 4) };
    expect(decodePng(encodePng(clear))).toEqual(clear);
  });

  it('reads a palette with its transparency', () => {
    const palette = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    const twoColors = { width: 2, height: 1, channels: 1, depth: 8, data: Uint8Array.of(1, 0) } as const;
    const opaque = encode({ ...twoColors, palette });
    expect(decodePng(opaque)).toMatchObject({ channels: 3, data: Uint8Array.of(4, 5, 6, 1, 2, 3) });
    const half = encode({ ...twoColors, palette: palette.map((color, index) => [...color, index * 9]) });
    expect(decodePng(half)).toMatchObject({ channels: 4, data: Uint8Array.of(4, 5, 6, 9, 1, 2, 3, 0) });
  });

  it('is not found in other bytes', () => {
    expect(decodePng(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });
});
