import { describe, it } from 'vitest';

import { parseSocketFrame } from '../../src/core/protocol/binaryFrame';
import { readErrorBody } from '../../src/core/protocol/errorBody';
import { BadAudioChunk, readMusicEvent } from '../../src/core/protocol/musicEvent';
import { LineTooLong, NdjsonReader } from '../../src/core/protocol/ndjson';
import { readMessage, parseSocketText } from '../../src/core/protocol/socketMessage';
import { anyValue, broken, brokenText, type Chance, expectSturdy } from '../support/fuzz';

const types = [
  'status',
  'execution_start',
  'execution_cached',
  'executing',
  'progress',
  'progress_state',
  'executed',
  'execution_error',
  'execution_interrupted',
  'execution_success',
  'notification',
  'progress_text',
  'feature_flags',
] as const;
const names = [
  'type',
  'data',
  'node',
  'nodes',
  'output',
  'images',
  'filename',
  'subfolder',
  'prompt_id',
  'value',
  'max',
  'status',
  'exec_info',
  'queue_remaining',
  'sid',
  'exception_message',
  'exception_type',
  'traceback',
  'node_id',
  'node_errors',
  'errors',
  'error',
  'message',
  'details',
  'extra_info',
  'code',
  'class_type',
  'state',
  'display_node_id',
] as const satisfies readonly [string, ...string[]];

function frame(chance: Chance): Uint8Array {
  const size = chance.below(64);
  const bytes = Uint8Array.from({ length: size }, () => chance.below(256));
  const view = new DataView(bytes.buffer);
  if (size >= 4) view.setUint32(0, chance.below(6));
  if (size >= 8) view.setUint32(4, chance.of([0, 1, 2, size, 0xffffffff, chance.below(80)]));
  return bytes;
}

function message(chance: Chance): string {
  return JSON.stringify({ type: chance.of(types), data: anyValue(chance, names) });
}

describe('what a server may send', { timeout: 300_000 }, () => {
  it('reads 40,000 binary frames', () => {
    expectSturdy('binary frames', { cases: 40_000, make: frame, run: parseSocketFrame });
  });

  it('reads 20,000 socket messages, and 10,000 broken ones', () => {
    const data = (chance: Chance): readonly [string, unknown] => [chance.of(types), anyValue(chance, names)];
    expectSturdy('messages', { cases: 20_000, make: data, run: ([type, each]) => readMessage(type, each) });
    const text = (chance: Chance): string => brokenText(message(chance), chance);
    expectSturdy('broken messages', { cases: 10_000, make: text, run: parseSocketText });
  });

  it('reads 8,000 streams of lines, cut anywhere', () => {
    expectSturdy('lines', {
      cases: 8_000,
      make: (chance) => ({
        bytes: broken(Buffer.from(`${message(chance)}\n${message(chance)}\r\n\n`), chance),
        cut: chance.below(200),
      }),
      run: ({ bytes, cut }) => {
        const reader = new NdjsonReader(400);
        const lines = [
          ...reader.push(bytes.subarray(0, cut)),
          ...reader.push(bytes.subarray(cut)),
          ...reader.end(),
        ];
        return lines.length;
      },
      expected: [LineTooLong],
    });
  });

  it('reads 8,000 music events', () => {
    const music = [
      'type',
      'stage',
      'stream_index',
      'data',
      'audio',
      'sample_rate',
      'channels',
      'title',
    ] as const;
    expectSturdy('music', {
      cases: 8_000,
      make: (chance) => {
        const value = anyValue(chance, music);
        return typeof value === 'object' && value !== null ? { ...value } : {};
      },
      run: (event) => readMusicEvent({ type: 'audio_chunk', ...event }),
      expected: [BadAudioChunk],
    });
  });

  it('reads 12,000 error bodies', () => {
    const kinds = ['application/json', 'text/html; charset=utf-8', 'text/plain', ''] as const;
    expectSturdy('error bodies', {
      cases: 12_000,
      make: (chance) => ({
        body: brokenText(JSON.stringify(anyValue(chance, names)), chance),
        kind: chance.of(kinds),
      }),
      run: ({ body, kind }) => readErrorBody(body, kind),
    });
  });
});
