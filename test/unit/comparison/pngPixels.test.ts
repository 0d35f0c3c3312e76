import { deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { differencePicture, pngThumbnail } from '../../../src/core/comparison/differencePicture';
import { encodePixels, pngPixels } from '../../../src/core/comparison/pngPixels';
import { budgets } from '../../../src/core/safety/budgets';

function chunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly type: number;
}

/** A PNG with these chunks between its header and its end. */
function png({ width, height, depth, type }: Header, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

const idat = (...bytes: number[]): Buffer => chunk('IDAT', deflateSync(Uint8Array.from(bytes)));

describe('pngPixels', () => {
  it('reads what pngOf writes, with 8 and 16 bits', () => {
    for (const data of [
      Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      Uint16Array.of(1, 2_000, 3, 4, 5, 6, 65_535, 8),
    ]) {
      const pixels = { width: 2, height: 1, data };
      expect(pngPixels(encodePixels(pixels))).toEqual(pixels);
    }
  });

  it('reads gray pictures, RGB, and one transparent colour', () => {
    const gray = encode({ width: 2, height: 1, channels: 1, depth: 8, data: Uint8Array.of(7, 9) });
    expect(pngPixels(gray)?.data).toEqual(Uint8Array.of(7, 7, 7, 255, 9, 9, 9, 255));
    const key = chunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]));
    const rgb = png(
      { width: 4, height: 1, depth: 8, type: 2 },
      key,
      idat(0, 1, 2, 3, 1, 2, 4, 1, 2, 3, 0, 0, 0),
    );
    expect([...(pngPixels(rgb)?.data ?? [])]).toEqual([1, 2, 3, 0, 1, 2, 4, 255, 1, 2, 3, 0, 0, 0, 0, 255]);
  });

  it('reads pixels that share a byte', () => {
    const bits = png({ width: 3, height: 2, depth: 1, type: 0 }, idat(0, 0b10100000, 0, 0b01000000));
    const values = [...(pngPixels(bits)?.data ?? [])].filter((_, at) => at % 4 === 0);
    expect(values).toEqual([255, 0, 255, 0, 255, 0]);
    const palette = chunk('PLTE', Buffer.from([10, 20, 30, 40, 50, 60]));
    const indexed = png({ width: 2, height: 1, depth: 4, type: 3 }, palette, idat(0, 0x10));
    expect([...(pngPixels(indexed)?.data ?? [])]).toEqual([40, 50, 60, 255, 10, 20, 30, 255]);
  });

  it('inflates nothing beyond what the size needs', () => {
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(5_000_000)));
    expect(pngPixels(png({ width: 1, height: 1, depth: 8, type: 0 }, bomb))).toBeUndefined();
    const profile = chunk('iCCP', Buffer.from('not even a profile'));
    expect(pngPixels(png({ width: 1, height: 1, depth: 8, type: 0 }, profile, idat(0, 5)))?.data).toEqual(
      Uint8Array.of(5, 5, 5, 255),
    );
  });

  it('refuses what is too large, animated, cut off or no PNG', () => {
    const side = Math.ceil(Math.sqrt(budgets.testedPixels)) + 1;
    const whole = png({ width: 1, height: 1, depth: 8, type: 0 }, idat(0, 5));
    expect(pngPixels(whole)).toBeDefined();
    for (const bytes of [
      png({ width: side, height: side, depth: 8, type: 0 }, idat(0, 5)),
      png({ width: 0, height: 1, depth: 8, type: 0 }, idat()),
      png({ width: 2, height: 1, depth: 8, type: 0 }, idat(0, 5)),
      png({ width: 1, height: 1, depth: 8, type: 0 }, chunk('acTL', Buffer.alloc(8)), idat(0, 5)),
      whole.subarray(0, -1),
      Buffer.from('GIF89a'),
    ])
      expect(pngPixels(bytes)).toBeUndefined();
  });
});

describe('differencePicture', () => {
  it('shows what was expected, what was made, and in red where they differ', () => {
    const pixel = (value: number): number[] => [value, value, value, 255];
    const [expected, actual] = [
      { width: 2, height: 1, data: Uint8Array.from([...pixel(0), ...pixel(0)]) },
      { width: 2, height: 1, data: Uint8Array.from([...pixel(0), ...pixel(1)]) },
    ];
    const { width, height, data } = differencePicture(expected, actual);
    expect([width, height]).toEqual([22, 1]);
    const at = (x: number): number[] => [...data.subarray(4 * x, 4 * x + 4)];
    expect([at(0), at(1), at(10), at(11)]).toEqual([pixel(0), pixel(0), pixel(0), pixel(1)]);
    expect(at(20)).toEqual(pixel(170));
    const [red = 0, green = 0] = at(21);
    expect(red - green).toBeGreaterThan(80);
  });

  it('puts pictures of different sizes side by side', () => {
    const plain = (width: number, height: number) => ({
      width,
      height,
      data: new Uint8Array(4 * width * height),
    });
    const { width, height } = differencePicture(plain(3, 5), plain(4, 2));
    expect([width, height]).toEqual([15, 5]);
  });

  it('shrinks large pictures, and keeps the only pixel that differs', () => {
    const side = 3_001;
    const expected = { width: side, height: side, data: new Uint8Array(4 * side * side).fill(255) };
    const data = Uint8Array.from(expected.data);
    data[4 * (1 + side)] = 0;
    const shown = differencePicture(expected, { ...expected, data });
    expect(shown.width * shown.height).toBeLessThan(1.1 * budgets.differencePixels);
    const isRed = (pixel: number): boolean =>
      (shown.data[4 * pixel] ?? 0) > 50 + (shown.data[4 * pixel + 1] ?? 0);
    let red = 0;
    for (let pixel = 0; pixel < shown.width * shown.height; pixel++) if (isRed(pixel)) red++;
    expect(red).toBe(1);
  });
});

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
    const words = Buffer.from('\0\0\0\u0008tEXtworkflow....', 'latin1');
    const picture = halves(8, 8);
    const signed = Buffer.concat([picture.subarray(0, 33), words, picture.subarray(33)]);
    expect(Buffer.from(pngThumbnail(signed) ?? '').toString('latin1')).not.toContain('workflow');
    expect(pngThumbnail(signed)).toEqual(picture);
  });

  it.each([
    ['a large one', halves(2048, 1024)],
    ['no PNG', new Uint8Array(100)],
    ['a few bytes', new Uint8Array(3)],
  ])('is not made of %s', (_, bytes) => expect(pngThumbnail(bytes)).toBeUndefined());
});
