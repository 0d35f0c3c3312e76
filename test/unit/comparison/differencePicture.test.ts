import { describe, expect, it } from 'vitest';
import { encodePixels, pngPixels } from '../../../src/core/comparison/pngPixels';
import { pngThumbnail } from '../../../src/core/comparison/differencePicture';

/** Red on the left, blue on the right. */
function halves(width: number, height: number): Uint8Array {
  const data = new Uint8Array(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set(pixel % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], 4 * pixel);
  return encodePixels({ width, height, data });
}

describe('the thumbnail of a PNG', () => {
  it('has at most 256 pixels to a side, and shows the same', () => {
    const small = pngPixels(pngThumbnail(halves(600, 300)) ?? new Uint8Array());
    expect([small?.width, small?.height]).toEqual([200, 100]);
    expect([...(small?.data.subarray(0, 4) ?? [])]).toEqual([255, 0, 0, 255]);
    expect([...(small?.data.subarray(-4) ?? [])]).toEqual([0, 0, 255, 255]);
  });

  it('does not hold the workflow of the file', () => {
    const chunk = Buffer.from('\0\0\0\u0008tEXtworkflow....', 'latin1');
    const png = halves(8, 8);
    const signed = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
    expect(Buffer.from(pngThumbnail(signed) ?? '').toString('latin1')).not.toContain('workflow');
    expect(pngThumbnail(signed)).toEqual(png);
  });

  it.each([
    ['a large one', halves(2048, 1024)],
    ['no PNG', new Uint8Array(100)],
    ['a few bytes', new Uint8Array(3)],
  ])('is not made of %s', (_, bytes) => expect(pngThumbnail(bytes)).toBeUndefined());
});
