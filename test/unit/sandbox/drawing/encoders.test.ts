import { decode, encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { decodePng, encodePng } from '../../../../src/sandbox/drawing/picture';
import { drawPicture, fitInside, plainPicture, type Picture } from '../../../../src/sandbox/drawing/picture';
import { animationSize, filmFacts, mediaSample } from '../../../../src/sandbox/media/mediaSample';

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

describe('a drawing', () => {
  it('is the same for the same hash and another one for another', () => {
    expect(drawPicture(20, 10, 1)).toEqual(drawPicture(20, 10, 1));
    expect(drawPicture(20, 10, 2)).not.toEqual(drawPicture(20, 10, 1));
  });

  it('is gray where it is not made yet', () => {
    const half = drawPicture(3, 4, 1, 0.5).data;
    expect(half.subarray(18).every((byte) => byte === 128)).toBe(true);
    expect(half.subarray(0, 18)).toEqual(drawPicture(3, 4, 1).data.subarray(0, 18));
  });

  it('fits inside a square without growing, in proportion', () => {
    expect(fitInside(plainPicture(100, 50, [9, 120, 255]), 10)).toEqual(plainPicture(10, 5, [9, 120, 255]));
    expect(fitInside(blue, 10)).toBe(blue);
  });
});

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes).toString('latin1', from, to);

describe('the samples of the sandbox', () => {
  it('differ by what was asked for, in four bytes only', () => {
    for (const name of ['film', 'animation', 'melody'] as const) {
      const [one, other] = [mediaSample(name, 1), mediaSample(name, 0xfffffffe)];
      expect(mediaSample(name, 1)).toEqual(one);
      const differ = one.filter((byte, at) => byte !== other[at]);
      expect(differ).toHaveLength(4);
    }
  });

  it('are a video of the size and duration that are reported', () => {
    const film = Buffer.from(mediaSample('film', 7));
    const track = film.indexOf('tkhd') + 4;
    expect([track + 76, track + 80].map((at) => film.readUInt32BE(at) / 65_536)).toEqual([
      filmFacts.width,
      filmFacts.height,
    ]);
    const frames = film.indexOf('stts') + 4;
    expect(film.readUInt32BE(frames + 8)).toBe(filmFacts.frame_count);
    expect(filmFacts.frame_count / filmFacts.fps).toBe(filmFacts.duration);
  });

  it('are an animation of whole RIFF chunks', () => {
    const bytes = mediaSample('animation', 7);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect([latin(bytes, 0, 4), latin(bytes, 8, 16)]).toEqual(['RIFF', 'WEBPVP8X']);
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
    expect([view.getUint16(24, true) + 1, view.getUint16(27, true) + 1]).toEqual([
      animationSize.width,
      animationSize.height,
    ]);
  });

  it('are sound in FLAC', () => {
    expect(latin(mediaSample('melody', 7), 0, 4)).toBe('fLaC');
  });
});
