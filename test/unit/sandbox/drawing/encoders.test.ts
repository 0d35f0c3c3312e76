import { decode, decodeApng } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { encodeApng } from '../../../../src/sandbox/drawing/apng';
import { encodeJpeg } from '../../../../src/sandbox/drawing/jpeg';
import { plainPicture } from '../../../../src/sandbox/drawing/picture';
import type { Picture } from '../../../../src/sandbox/drawing/picture';
import { decodePng, encodePng } from '../../../../src/sandbox/drawing/encodePng';
import { codeLengths, codesFor } from '../../../../src/sandbox/drawing/prefixCode';
import { encodeAnimatedWebp } from '../../../../src/sandbox/drawing/webp';

const blue = plainPicture(6, 4, [10, 20, 200]);
const green = plainPicture(6, 4, [10, 200, 20]);

describe('PNG', () => {
  it('comes back as it was, with its text', () => {
    const bytes = encodePng(blue, { prompt: '{"a":1}' });
    expect(decodePng(bytes)).toEqual(blue);
    expect(decode(bytes).text).toEqual({ prompt: '{"a":1}' });
  });

  it('keeps transparency', () => {
    const clear: Picture = { width: 1, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 4) };
    expect(decodePng(encodePng(clear))).toEqual(clear);
  });

  it('is not found in other bytes', () => {
    expect(decodePng(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });

  it('animated, holds every frame and the text', () => {
    const { frames, numberOfFrames, text } = decodeApng(encodeApng([blue, green, blue], 5, { prompt: '{}' }));
    expect(numberOfFrames).toBe(3);
    expect([...(frames[1]?.data.subarray(0, 3) ?? [])]).toEqual([10, 200, 20]);
    expect(frames[1]).toMatchObject({ delayNumber: 200, delayDenominator: 1000 });
    expect(text).toEqual({ prompt: '{}' });
  });
});

describe('JPEG', () => {
  it('begins and ends as one', async () => {
    const bytes = await encodeJpeg(blue);
    expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
  });
});

describe('animated WebP', () => {
  it('is a RIFF file whose size is right, with one frame per picture', () => {
    const bytes = encodeAnimatedWebp([blue, green], 4);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('RIFF');
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
    expect(Buffer.from(bytes).toString('latin1').match(/ANMF/g)).toHaveLength(2);
    expect(view.getUint16(24, true) + 1).toBe(6);
  });
});

describe('a prefix code', () => {
  it('gives frequent symbols short words, and no word begins another', () => {
    const lengths = codeLengths(Uint32Array.of(1, 900, 3, 0, 40));
    expect(lengths[1]).toBe(1);
    expect(lengths[3]).toBe(0);
    const used = lengths.filter((length) => length > 0);
    expect(used.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
    expect(new Set(codesFor(lengths)).size).toBeGreaterThan(2);
  });

  it('never needs more than 15 bits', () => {
    const steep = Uint32Array.from({ length: 40 }, (_, index) => Math.min(2 ** 31, 2 ** index));
    expect(Math.max(...codeLengths(steep))).toBeLessThanOrEqual(15);
  });
});
