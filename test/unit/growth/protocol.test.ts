import { expect, it } from 'vitest';

import { Mp4Duration } from '../../../src/core/client/music/mp4Duration';
import { MusicTake } from '../../../src/core/client/music/musicTake';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';
import { decodeBase64, readMusicEvent } from '../../../src/core/protocol/musicEvent';
import { NdjsonReader } from '../../../src/core/protocol/ndjson';
import { budgets } from '../../../src/core/safety/budgets';
import { expectGentleGrowth } from '../../support/growth';

const megabyte = 2 ** 20;

function inPieces(bytes: Uint8Array, size: number, take: (piece: Uint8Array) => void): void {
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
}

it.each([
  ['blank lines', '\r\n', 65_536],
  ['short objects', '{"type":"heartbeat"}\n', 65_536],
  ['one line that arrives byte by byte', ' ', 1],
])('a stream of %s takes linear time', async (_, line, piece) => {
  await expectGentleGrowth({
    from: 2 ** 14,
    to: megabyte / 4,
    input: (size) => Buffer.from(line.repeat(size / line.length)),
    run: (bytes) => {
      const reader = new NdjsonReader(budgets.musicLineBytes);
      inPieces(bytes, piece, (part) => reader.push(part));
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
function manyBoxes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 8 <= size; at += 8) {
    bytes.writeUInt32BE(at === 0 ? size : 8, at);
    bytes.write(at === 0 ? 'moof' : 'traf', at + 4, 'latin1');
  }
  return bytes;
}

it.each([3, megabyte])(
  'the duration of boxes in pieces of %i bytes is read in linear time',
  async (piece) => {
    await expectGentleGrowth({
      from: 2 ** 12,
      to: megabyte,
      input: manyBoxes,
      run: (bytes) => {
        const clock = new Mp4Duration();
        inPieces(bytes, piece, (part) => clock.push(part));
        return clock.seconds;
      },
    });
  },
);

it.each([
  ['letters and white space', 'A '],
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

function frame(type: number, second: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(type, 0);
  head.writeUInt32BE(second, 4);
  return Buffer.concat([head, rest]);
}

it.each([
  ['a text', (size: number) => frame(3, 4, Buffer.alloc(size, 0x61))],
  ['a picture and what belongs to it', (size: number) => frame(4, size - 9, jsonOf(size))],
  ['JSON', (size: number) => Buffer.concat([Buffer.from('{'), Buffer.alloc(size, 0x5b)])],
])('a binary frame of %s takes linear time', async (_, input) => {
  await expectGentleGrowth({ from: 2 ** 14, to: 16 * megabyte, input, run: parseSocketFrame });
  expect(() => parseSocketFrame(input(1000))).not.toThrow();
});

function jsonOf(size: number): Buffer {
  return Buffer.from(JSON.stringify({ node_id: 'x'.repeat(size - 30) }).padEnd(size));
}
