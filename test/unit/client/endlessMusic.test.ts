import { describe, expect, it } from 'vitest';
import { MusicClient, type MusicBounds } from '../../../src/core/client/music/musicClient';
import { MusicFailure } from '../../../src/core/client/music/musicFailure';
import { Transport } from '../../../src/core/client/transport';
import { budgets } from '../../../src/core/safety/budgets';

/** A part of the usual bounds, which proves the same in less time. */
const small: Partial<MusicBounds> = {
  lineBytes: budgets.musicLineBytes / 16,
  lines: budgets.musicLines / 100,
  streamBytes: budgets.musicStreamBytes / 16,
};

/** A service that starts with some music and then sends the same forever, as fast as it is read. */
function client(begin: string, then: string | Uint8Array, bounds: Partial<MusicBounds> = {}, pause = false) {
  const pieces = [Buffer.from(begin)];
  const again = Buffer.from(then);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pause) await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(pieces.shift() ?? again);
    },
  });
  const transport = new Transport({
    baseUrl: 'http://127.0.0.1:1',
    http: {
      fetch: () => Promise.resolve({ status: 200, headers: new Headers(), body }),
      form: (parts) => parts,
    },
  });
  return new MusicClient(transport, { ...small, ...bounds });
}

const audio = '{"type":"audio_chunk","data":"AAAA"}\n';

async function failureOf(music: MusicClient): Promise<MusicFailure> {
  const error: unknown = await music
    .generate({ prompt: 'calm', seconds: 6 }, () => undefined, new AbortController().signal)
    .catch((reason: unknown) => reason);
  if (!MusicFailure.is(error)) throw new Error(`Not a failure: ${String(error)}`);
  // The received music can be kept.
  expect(error.partial?.tracks[0]?.bytes).toBeGreaterThanOrEqual(3);
  return error;
}

describe('an endless music stream is stopped', () => {
  it.each([
    ['one line', ' '.repeat(2 ** 20)],
    ['blank lines', '\n'.repeat(65_536)],
    ['blank lines of carriage returns', '\r\n'.repeat(32_768)],
    ['events that say nothing', '{"type":"heartbeat"}\n'.repeat(3000)],
    ['lines that are no JSON', '{x}\n'.repeat(16_384)],
    ['titles', '{"type":"title","title":"Tide"}\n'.repeat(2000)],
    ['music of one byte each', '{"type":"audio_chunk","data":"AA"}\n'.repeat(1900)],
  ])('of %s', async (_, then) => {
    const error = await failureOf(client(audio, then));
    expect(error.reason).toBe('tooLarge');
  });

  it('of keep-alives, after its time limit', async () => {
    for (const then of ['\n', '{"type":"heartbeat"}\n']) {
      const error = await failureOf(client(audio, then, { total: 600, silence: 10_000 }, true));
      expect(error).toMatchObject({
        reason: 'broken',
        message: expect.stringContaining('took too long') as string,
      });
    }
  });
});
