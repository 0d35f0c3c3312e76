import { describe, expect, it } from 'vitest';
import { plainPicture, type Picture } from '../../../../src/sandbox/drawing/picture';
import { encodeH264 } from '../../../../src/sandbox/media/h264';
import { encodeMp4 } from '../../../../src/sandbox/media/encodeMp4';

const picture = (width: number, height: number): Picture => plainPicture(width, height, [200, 60, 30]);

/** The content of a box, by the names of its parents. */
function inside(bytes: Uint8Array, names: readonly string[]): Buffer {
  const [name, ...rest] = names;
  let left = Buffer.from(bytes);
  while (left.length >= 8) {
    const length = left.readUInt32BE(0);
    const body = left.subarray(8, length);
    if (left.toString('latin1', 4, 8) === name) return rest.length === 0 ? body : inside(body, rest);
    left = left.subarray(length);
  }
  throw new Error(`There is no box ${name ?? ''}.`);
}

const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

describe('MP4', () => {
  it('declares its size, its pictures, their durations and offsets', () => {
    const bytes = encodeMp4([picture(200, 120), picture(200, 120), picture(200, 120)], 4);
    const track = inside(bytes, ['moov', 'trak', 'tkhd']);
    expect([track.readUInt32BE(76) / 65_536, track.readUInt32BE(80) / 65_536]).toEqual([200, 120]);
    const times = inside(bytes, [...table, 'stts']);
    const clock = inside(bytes, ['moov', 'mvhd']).readUInt32BE(12);
    expect(times.readUInt32BE(8)).toBe(3);
    expect(times.readUInt32BE(12) / clock).toBe(0.25);
    const place = inside(bytes, [...table, 'stco']).readUInt32BE(8);
    expect(Buffer.from(bytes).toString('latin1', place - 4, place)).toBe('mdat');
    expect(bytes.length - place).toBe(
      [0, 1, 2].reduce(
        (sum, index) => sum + inside(bytes, [...table, 'stsz']).readUInt32BE(12 + 4 * index),
        0,
      ),
    );
  });

  it('contains fewer pictures for a long video, each shown longer', () => {
    const large = picture(1280, 720);
    const bytes = encodeMp4([large, ...Array.from({ length: 39 }, () => large)], 20);
    expect(bytes.length).toBeLessThan(30_000_000);
    const times = inside(bytes, [...table, 'stts']);
    const seconds = (times.readUInt32BE(8) * times.readUInt32BE(12)) / 90_000;
    expect(times.readUInt32BE(8)).toBeLessThan(40);
    expect(seconds).toBeGreaterThan(1.9);
    expect(seconds).toBeLessThan(2.3);
  });
});

describe('H.264', () => {
  it('writes each pixel, and no bytes that look like the start of a unit', () => {
    const { sequence, picture: parameters, frames } = encodeH264([picture(40, 24), picture(40, 24)]);
    expect(frames).toHaveLength(2);
    for (const unit of [sequence, parameters, ...frames]) {
      expect(
        Buffer.from(unit)
          .toString('hex')
          .match(/^(?:..)*?0000(?:00|01|02)/),
      ).toBeNull();
    }
    // 3 x 2 blocks of 384 bytes, plus a few for each.
    for (const frame of frames) {
      expect(frame.length).toBeGreaterThan(6 * 384);
      expect(frame.length).toBeLessThan(6 * 390);
    }
  });
});
