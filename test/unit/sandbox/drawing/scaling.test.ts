import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../../src/sandbox/drawing/picture';
import { plainPicture } from '../../../../src/sandbox/drawing/picture';
import { covering, cropped, fitInside, scaled } from '../../../../src/sandbox/drawing/scaling';

const halves: Picture = { width: 2, height: 1, channels: 3, data: Uint8Array.of(0, 0, 0, 200, 200, 200) };

describe('scaling', () => {
  it('keeps a plain picture plain at any size', () => {
    const side = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, newWidth, newHeight) => {
        const { data } = scaled(plainPicture(width, height, [9, 120, 255]), newWidth, newHeight);
        expect(data.length).toBe(newWidth * newHeight * 3);
        expect([...data].every((value, at) => value === [9, 120, 255][at % 3])).toBe(true);
      }),
    );
  });

  it('averages when it shrinks', () => {
    expect([...scaled(halves, 1, 1).data]).toEqual([100, 100, 100]);
  });

  it('interpolates when it grows', () => {
    expect([...scaled(halves, 4, 1).data.filter((_, at) => at % 3 === 0)]).toEqual([0, 50, 150, 200]);
  });

  it('fits inside without growing, in proportion', () => {
    expect(fitInside(plainPicture(100, 50, [0, 0, 0]), 10)).toMatchObject({ width: 10, height: 5 });
    expect(fitInside(halves, 10)).toBe(halves);
  });

  it('covers a size by cropping', () => {
    expect(covering(halves, 3, 9)).toMatchObject({ width: 3, height: 9 });
  });

  it('crops only within the picture', () => {
    expect(cropped(halves, 1, 0, 5, 5)).toMatchObject({
      width: 1,
      height: 1,
      data: Uint8Array.of(200, 200, 200),
    });
  });
});
