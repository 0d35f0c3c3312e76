import type { Picture } from '../drawing/picture';
import { encodeH264, type H264 } from './h264';

/** Ticks per second of all times in the file. */
const clock = 90_000;

/**
 * Upper bound for the pictures of one video, in bytes; longer videos show every second, third … picture for longer.
 */
const mostBytes = 24_000_000;

/** Encodes a video without sound as MP4: all pictures have the size of the first one. */
export function encodeMp4(pictures: readonly [Picture, ...Picture[]], framesPerSecond: number): Uint8Array {
  const [first] = pictures;
  const every = Math.ceil((first.width * first.height * 1.5 * pictures.length) / mostBytes);
  const shown = pictures.filter((_, index) => index > 0 && index % every === 0);
  const video = encodeH264([first, ...shown]);
  const ticks = Math.round((clock / framesPerSecond) * every);
  const head = box('ftyp', text('isom'), big(512), text('isomiso2avc1mp41'));
  const samples = video.frames.map((frame) => Buffer.concat([big(frame.length), frame]));
  const index = (place: number): Buffer => movie(video, first, ticks, samples, place);
  // The index contains the offsets of the pictures, which depend on its own length.
  const start = head.length + index(0).length + 8;
  return Uint8Array.from(Buffer.concat([head, index(start), box('mdat', ...samples)]));
}

function movie(
  video: H264,
  { width, height }: Picture,
  ticks: number,
  samples: readonly Buffer[],
  place: number,
): Buffer {
  const length = ticks * samples.length;
  const same = big(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const table = box(
    'stbl',
    box('stsd', big(0, 1), sampleEntry(video, width, height)),
    box('stts', big(0, 1, samples.length, ticks)),
    box('stsc', big(0, 1, 1, samples.length, 1)),
    box('stsz', big(0, 0, samples.length, ...samples.map((sample) => sample.length))),
    box('stco', big(0, 1, place)),
  );
  const media = box(
    'mdia',
    box('mdhd', big(0, 0, 0, clock, length, 0x55c40000)),
    box('hdlr', big(0, 0), text('vide'), big(0, 0, 0), text('video\0')),
    box('minf', box('vmhd', big(1, 0, 0)), box('dinf', box('dref', big(0, 1), box('url ', big(1)))), table),
  );
  const header = big(3, 0, 0, 1, 0, length, 0, 0, 0, 0);
  return box(
    'moov',
    box('mvhd', big(0, 0, 0, clock, length, 0x10000, 0x1000000, 0, 0), same, big(0, 0, 0, 0, 0, 0, 2)),
    box('trak', box('tkhd', header, same, big(width * 0x10000, height * 0x10000)), media),
  );
}

function sampleEntry({ sequence, picture }: H264, width: number, height: number): Buffer {
  const [, profile = 0, compatible = 0, level = 0] = sequence;
  const parameters = Buffer.concat([
    Buffer.from([1, profile, compatible, level, 0xff, 0xe1, sequence.length >> 8, sequence.length & 255]),
    sequence,
    Buffer.from([1, picture.length >> 8, picture.length & 255]),
    picture,
  ]);
  const size = Buffer.from([width >> 8, width & 255, height >> 8, height & 255]);
  return box(
    'avc1',
    big(0, 1, 0, 0, 0, 0),
    size,
    big(0x480000, 0x480000, 0),
    Buffer.from([0, 1]),
    Buffer.alloc(32),
    Buffer.from([0, 24, 255, 255]),
    box('avcC', parameters),
  );
}

function box(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([big(body.length + 8), text(name), body]);
}

function text(letters: string): Buffer {
  return Buffer.from(letters, 'latin1');
}

function big(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
