import { expect, it } from 'vitest';
import { readText } from '../../../src/core/client/answerBody';
import { MusicTake } from '../../../src/core/client/music/musicTake';
import { Mp4Duration } from '../../../src/core/client/music/mp4Duration';
import { decodeBase64 } from '../../../src/core/protocol/musicEvent';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';
import { readMusicEvent } from '../../../src/core/protocol/musicEvent';
import { NdjsonReader } from '../../../src/core/protocol/ndjson';
import { budgets } from '../../../src/core/safety/budgets';
import { expectGentleGrowth } from '../../support/growth';

const megabyte = 2 ** 20;

function inPieces(bytes: Uint8Array, size: number, take: (piece: Uint8Array) => void): void {
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
}

it.each([
  ['blank lines', '\n'],
  ['blank lines with carriage returns', '\r\n'],
  ['short objects', '{"type":"heartbeat"}\n'],
  ['what is no JSON', '{x}\n'],
  ['one line', ' '],
])('a stream of %s takes linear time', async (_, line) => {
  await expectGentleGrowth({
    from: 2 ** 14,
    to: megabyte / 4,
    input: (size) => Buffer.from(line.repeat(size / line.length)),
    run: (bytes) => {
      const reader = new NdjsonReader(budgets.musicLineBytes);
      inPieces(bytes, 65_536, (piece) => reader.push(piece));
      return reader.end();
    },
  });
});

it('a line that arrives byte by byte takes linear time', async () => {
  await expectGentleGrowth({
    from: 2 ** 12,
    to: megabyte / 2,
    input: (size) => Buffer.alloc(size, 0x20),
    run: (bytes) => {
      const reader = new NdjsonReader(budgets.musicLineBytes);
      inPieces(bytes, 1, (piece) => reader.push(piece));
      return reader.end();
    },
  });
});

it('music that arrives in small pieces takes linear time', async () => {
  await expectGentleGrowth({
    from: 1_000,
    to: 32_000,
    input: (count) => count,
    run: (count) => {
      const take = new MusicTake();
      for (let chunk = 0; chunk < count; chunk++) {
        const event = readMusicEvent({ type: 'audio_chunk', data: 'AAAA', stream_index: chunk % 64 });
        if (event) take.add(event);
        if (chunk % 64 === 0) take.progress();
      }
      return take.result(undefined);
    },
  });
});

/** One box of the largest kind that is read, filled with the smallest boxes. */
function manyBoxes(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 8 <= size; at += 8) {
    bytes.writeUInt32BE(8, at);
    bytes.write('traf', at + 4, 'latin1');
  }
  bytes.writeUInt32BE(size, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

it.each(['moov', 'moof'])(
  'the duration of a box %s is read in linear time, however it is split',
  async (type) => {
    for (const piece of [3, megabyte]) {
      await expectGentleGrowth({
        from: 2 ** 12,
        to: megabyte,
        input: (size) => manyBoxes(type, size),
        run: (bytes) => {
          const clock = new Mp4Duration();
          inPieces(bytes, piece, (part) => clock.push(part));
          return clock.seconds;
        },
      });
    }
  },
);

it('an event of the stream with very long fields takes linear time', async () => {
  await expectGentleGrowth({
    from: 2 ** 12,
    to: 4 * megabyte,
    input: (size) => ({
      type: 'title',
      title: '\u0000'.repeat(size),
      summary: ' '.repeat(size),
      display_tags: Array.from({ length: size / 16 }, () => 'a'),
      titles: Array.from({ length: size / 16 }, () => 'a'),
    }),
    run: (value) => [readMusicEvent(value), readMusicEvent({ ...value, type: 'titles' })],
  });
});

it.each([
  ['letters', 'A'],
  ['white space', ' '],
  ['white space between letters', 'A '],
  ['padding', '='],
  ['what is none', 'A\u00e9'],
])('base64 of %s takes linear time', async (_, text) => {
  await expectGentleGrowth({
    from: 2 ** 14,
    to: budgets.musicLineBytes,
    input: (size) => text.repeat(size / text.length),
    run: decodeBase64,
  });
});

it.each([
  ['a picture', (size: number) => frame(1, 2, Buffer.alloc(size, 0xff))],
  ['a text', (size: number) => frame(3, 4, Buffer.alloc(size, 0x61))],
  ['no UTF-8', (size: number) => frame(3, size - 8, Buffer.alloc(size, 0xc3))],
  ['a picture and what belongs to it', (size: number) => frame(4, size - 9, jsonOf(size))],
  ['JSON', (size: number) => Buffer.concat([Buffer.from('{'), Buffer.alloc(size, 0x5b)])],
])('a binary frame of %s takes linear time', async (_, input) => {
  await expectGentleGrowth({ from: 2 ** 14, to: 16 * megabyte, input, run: parseSocketFrame });
  expect(() => parseSocketFrame(input(1000))).not.toThrow();
});

function frame(type: number, second: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(type, 0);
  head.writeUInt32BE(second, 4);
  return Buffer.concat([head, rest]);
}

function jsonOf(size: number): Buffer {
  const text = JSON.stringify({ node_id: 'x'.repeat(size - 30) });
  return Buffer.from(text.padEnd(size));
}

it('text that arrives byte by byte takes linear time', async () => {
  await expectGentleGrowth({
    from: 1_000,
    to: 200_000,
    input: (size) => {
      let left = size;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left-- > 0) controller.enqueue(new Uint8Array([0x61]));
          else controller.close();
        },
      });
    },
    run: (body) =>
      readText(body, { endpoint: 'GET /api/view', maxBytes: 2 ** 20, signal: new AbortController().signal }),
  });
});
