import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Mp4Duration } from '../../../../src/core/client/music/mp4Duration';
import { tuneFile } from '../../../../src/sandbox/music/musicLines';

/** A box of ISO/IEC 14496-12. */
function box(type: string, ...content: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => (Buffer.isBuffer(part) ? part : words(part))));
  const head = Buffer.alloc(8, type);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

const movie = box(
  'moov',
  box('trak', box('mdia', box('mdhd', [0, 0, 0, 1000, 0]))),
  box('mvex', box('trex', [0, 1, 1, 20, 0, 0])),
);

function secondsOf(bytes: Uint8Array, cuts: readonly number[] = []): number | undefined {
  const clock = new Mp4Duration();
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (const [index, end] of places.slice(1).entries()) clock.push(bytes.subarray(places[index], end));
  return clock.seconds;
}

describe('the received seconds of audio', () => {
  it('equal those of the file at its end, however it was split', () => {
    const file = tuneFile(12, 3);
    expect(secondsOf(file)).toBeCloseTo((12 * 43 * 1024) / 44_100, 6);
    const cuts = fc.array(fc.integer({ min: 0, max: file.length }), { maxLength: 200 });
    fc.assert(
      fc.property(cuts, (places) => {
        expect(secondsOf(file, places)).toBe(secondsOf(file));
      }),
    );
    expect(
      secondsOf(
        file,
        Array.from({ length: 3000 }, (_, at) => at),
      ),
    ).toBe(secondsOf(file));
  });

  it('use the defaults of the movie or fragment, or each sample', () => {
    const byMovie = box('moof', box('traf', box('tfhd', [0, 1]), box('trun', [0, 50])));
    const byFragment = box('moof', box('traf', box('tfhd', [0x08, 1, 40]), box('trun', [0, 50])));
    const bySample = box('moof', box('traf', box('tfhd', [0, 1]), box('trun', [0x300, 2, 300, 9, 700, 9])));
    const sound = box('mdat', Buffer.alloc(10));
    expect(secondsOf(Buffer.concat([movie, byMovie, sound]))).toBe(1);
    expect(secondsOf(Buffer.concat([movie, byFragment, sound]))).toBe(2);
    expect(secondsOf(Buffer.concat([movie, bySample, sound]))).toBe(1);
    expect(secondsOf(Buffer.concat([movie, bySample, sound, byMovie, sound]))).toBe(2);
  });

  it('are unknown for other files, and never cause an error', () => {
    expect(secondsOf(Buffer.from('ID3 is another kind of file altogether'))).toBeUndefined();
    expect(secondsOf(Buffer.alloc(100))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void secondsOf(bytes)));
    const damaged = fc.tuple(fc.nat(700), fc.nat(255));
    fc.assert(
      fc.property(damaged, ([at, value]) => {
        const file = Buffer.from(tuneFile(1, 0));
        file[at] = value;
        const seconds = secondsOf(file);
        expect(seconds === undefined || seconds >= 0).toBe(true);
      }),
    );
  });
});
