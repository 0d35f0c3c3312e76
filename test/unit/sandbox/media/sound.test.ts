import { describe, expect, it } from 'vitest';
import { encodeFlac } from '../../../../src/sandbox/media/flac';
import { playTune } from '../../../../src/sandbox/media/tone';
import { decodeWav } from '../../../../src/sandbox/media/wavFile';

describe('FLAC', () => {
  it('says its rate, channels, depth and length at the start', () => {
    const bytes = encodeFlac([new Float32Array(10_000), new Float32Array(10_000)], 44_100);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('fLaC');
    const packed = view.getBigUint64(18);
    expect(Number(packed >> 44n)).toBe(44_100);
    expect(Number((packed >> 41n) & 7n) + 1).toBe(2);
    expect(Number((packed >> 36n) & 31n) + 1).toBe(16);
    expect(Number(packed & 0xfffffffffn)).toBe(10_000);
  });

  it('takes next to nothing for silence and less than half of the samples for music', () => {
    expect(encodeFlac([new Float32Array(44_100)], 44_100).length).toBeLessThan(8_000);
    const tune = playTune(1, 1, 44_100);
    expect(encodeFlac(tune, 44_100).length).toBeLessThan(44_100 * 2);
  });
});

describe('a tune', () => {
  it('is repeatable, differs by its seed, and never clips', () => {
    const [left] = playTune(3, 1, 8_000);
    expect(playTune(3, 1, 8_000)[0]).toEqual(left);
    expect(playTune(4, 1, 8_000)[0]).not.toEqual(left);
    expect(Math.max(...left.map(Math.abs))).toBeLessThan(1);
  });
});

describe('WAV', () => {
  it('gives the samples of each channel', () => {
    const head = Buffer.alloc(44);
    head.write('RIFF', 0);
    head.write('WAVEfmt ', 8);
    head.writeUInt32LE(16, 16);
    head.writeUInt16LE(1, 20);
    head.writeUInt16LE(2, 22);
    head.writeUInt32LE(8_000, 24);
    head.writeUInt16LE(16, 34);
    head.write('data', 36);
    head.writeUInt32LE(8, 40);
    const samples = Buffer.alloc(8);
    samples.writeInt16LE(16_384, 2);
    samples.writeInt16LE(-32_768, 4);
    const sound = decodeWav(Buffer.concat([head, samples]));
    expect(sound?.rate).toBe(8_000);
    expect(sound?.channels.map((channel) => [...channel])).toEqual([
      [0, -1],
      [0.5, 0],
    ]);
  });

  it('is not found in other bytes', () => {
    expect(decodeWav(new Uint8Array(100))).toBeUndefined();
  });
});
