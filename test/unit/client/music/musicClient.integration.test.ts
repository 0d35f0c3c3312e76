import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  MusicClient,
  musicCredential,
  type MusicBounds,
} from '../../../../src/core/client/music/musicClient';
import { MusicFailure } from '../../../../src/core/client/music/musicFailure';
import type { MusicProgress, MusicResult } from '../../../../src/core/client/music/musicTake';
import { Transport } from '../../../../src/core/client/transport';
import type { CredentialSource } from '../../../../src/core/client/credential';
import { ServerError } from '../../../../src/core/protocol/serverError';
import type { FaultInput } from '../../../support/faults/faultOptions';
import { tuneFile, textSeed } from '../../../../src/sandbox/music/musicLines';
import type { Loopback } from '../../../support/loopback';
import { answering, httpForTest, sandboxForTest } from '../../../support/sandboxFixture';

const prompt = 'Rain on a tin roof, 東京 🎵';

function client(url: string, credential?: CredentialSource, bounds: Partial<MusicBounds> = {}): MusicClient {
  return new MusicClient(
    new Transport({ baseUrl: url, http: httpForTest(), credential, retryBase: 1 }),
    bounds,
  );
}

interface Told {
  readonly result: MusicResult;
  readonly progress: readonly MusicProgress[];
}

const never = new AbortController().signal;

async function generate(music: MusicClient, request = { prompt, seconds: 6 }): Promise<Told> {
  const progress: MusicProgress[] = [];
  const result = await music.generate(request, (now) => progress.push(now), never);
  return { result, progress };
}

async function failure(work: Promise<unknown>): Promise<MusicFailure | ServerError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!MusicFailure.is(error) && !ServerError.is(error)) throw new Error(`Not a failure: ${String(error)}`);
  return error;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('music from the sandbox', () => {
  it('arrives byte for byte, its title before its audio, with received seconds and credits', async () => {
    const { url, seen } = await sandboxForTest();
    const { result, progress } = await generate(client(url));
    expect(result.tracks).toHaveLength(1);
    const [track] = result.tracks;
    expect(hash(track?.audio ?? new Uint8Array())).toBe(hash(tuneFile(6, textSeed(prompt))));
    expect(track).toMatchObject({
      streamIndex: 0,
      promptIndex: 0,
      copyIndex: 0,
      channels: 2,
      sampleRate: 44_100,
    });
    expect(track?.seconds).toBeCloseTo(5.99, 1);
    expect(track?.tags.length).toBeGreaterThan(2);
    expect(track?.summary).toContain('東京 🎵');
    expect(result.creditsUsed).toBeCloseTo(3.165);
    expect(result.cost?.ratePerSecond).toBe('0.0025');
    expect(progress[0]?.streams[0]?.title).toBe(track?.title);
    const seconds = progress.map(({ streams }) => streams[0]?.seconds ?? 0);
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(seen.count('POST', '/proxy/sonilo/t2m/generate')).toBe(1);
  });

  it.each(['9'.repeat(400), '-1', '1,5'])('reads no credits from %j', async (text) => {
    const server = await answering((_arrival, response) => {
      response.writeHead(200, { 'X-Comfy-Credits-Used': text });
      response.end('{"type":"audio_chunk","data":"AAAA"}\n{"type":"complete"}');
    });
    const { result } = await generate(client(server.url));
    expect(result.creditsUsed).toBeUndefined();
  });

  it('is requested as a form with both fields, the text untrimmed', async () => {
    const server = await sending('{"type":"audio_chunk","data":"AAAA"}\n{"type":"complete"}');
    await generate(client(server.url), { prompt: ' Été ', seconds: 7 });
    const [arrival] = server.arrivals;
    expect(arrival?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(arrival?.body, {
      headers: { 'content-type': String(arrival?.headers['content-type']) },
    }).formData();
    expect([...form]).toEqual([
      ['prompt', ' Été '],
      ['duration', '7'],
    ]);
  });

  it('keeps several streams apart', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicStreams', { count: 3, times: 1 });
    const { result, progress } = await generate(client(url));
    expect(result.tracks.map(({ streamIndex }) => streamIndex)).toEqual([0, 1, 2]);
    for (const [index, track] of result.tracks.entries())
      expect(hash(track.audio)).toBe(hash(tuneFile(6, textSeed(prompt) + 2 * index)));
    expect(new Set(result.tracks.map(({ title }) => title)).size).toBeGreaterThan(1);
    expect(progress.at(-1)?.expectedStreams).toBe(3);
  });

  it('keeps what a later title omits', async () => {
    const server = await sending(
      '{"type":"title","title":"Tide","display_tags":["calm"],"summary":"Waves.","prompt_index":0,"copy_index":1}\n',
      '{"type":"titles","titles":["Slow Tide","Low Tide"]}\n',
      '{"type":"audio_chunk","data":"AAAA"}\n{"type":"complete"}\n',
    );
    const { result } = await generate(client(server.url));
    expect(result.tracks[0]).toMatchObject({
      title: 'Slow Tide',
      tags: ['calm'],
      summary: 'Waves.',
      promptIndex: 0,
      copyIndex: 1,
    });
  });

  it('tolerates odd lines and reports how many it skipped', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicOddLines', { times: 1 });
    const { result } = await generate(client(url));
    expect(hash(result.tracks[0]?.audio ?? new Uint8Array())).toBe(hash(tuneFile(6, textSeed(prompt))));
    expect(result.tracks[0]?.title).toMatch(/\w+ \w+/);
    expect(result.skippedLines).toBe(3);
  });
});

describe('a stream that fails', () => {
  it.each([
    [{ how: 'error' }, 'refused', /The model gave up\./, true],
    [{ how: 'error', afterChunks: 0 }, 'refused', /gave up/, false],
    [{ how: 'end' }, 'truncated', /before it was complete/, true],
    [{ how: 'drop' }, 'broken', /interrupted/, true],
    [{ how: 'stall' }, 'broken', /interrupted/, true],
    [{ how: 'badBase64' }, 'damaged', /sent an invalid response/, true],
    [{ how: 'missingData' }, 'damaged', /sent an invalid response/, true],
    [{ how: 'badIndex' }, 'damaged', /sent an invalid response/, true],
    [{ how: 'noAudio' }, 'noAudio', /sent no audio/, false],
    [{ how: 'endlessLine' }, 'tooLarge', /sent an invalid response/, true],
  ] as const)(
    '%j is a separate failure: what arrived is offered, and nothing is requested again',
    async (fault, reason, words, keeps) => {
      const { url, faults, seen } = await sandboxForTest();
      faults.set('musicBreak', { ...fault } satisfies FaultInput<'musicBreak'>);
      const error = await failure(
        generate(client(url, undefined, fault.how === 'stall' ? { silence: 400 } : {})),
      );
      if (!MusicFailure.is(error)) throw error;
      expect(error.reason).toBe(reason);
      expect(error.message).toMatch(words);
      expect(error.nextAction).toMatch(/try again/i);
      expect(error.partial !== undefined).toBe(keeps);
      if (error.partial) {
        const [track] = error.partial.tracks;
        const whole = tuneFile(6, textSeed(prompt));
        expect(track?.bytes).toBe(3 * 3001);
        expect(hash(track?.audio ?? new Uint8Array())).toBe(hash(whole.subarray(0, 3 * 3001)));
        expect(track?.title).not.toBe('');
      }
      expect(seen.count('POST', '/proxy/sonilo/t2m/generate')).toBe(1);
    },
  );

  it('has more tracks than anyone asks for, each of which would be sorted among all at every line', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicStreams', { count: 101 });
    expect(await failure(generate(client(url)))).toMatchObject({ reason: 'tooLarge' });
  });

  it('ends at once when cancelled, midway and before the first byte', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicBreak', { how: 'stall' });
    const inTheMiddle = new AbortController();
    const reason = new DOMException('Enough.', 'AbortError');
    const work = client(url).generate(
      { prompt, seconds: 6 },
      ({ streams }) => streams[0]?.bytes === 3 * 3001 && inTheMiddle.abort(reason),
      inTheMiddle.signal,
    );
    await expect(work).rejects.toBe(reason);
    const silent = await answering(() => undefined);
    const before = new AbortController();
    setTimeout(() => before.abort(reason), 20);
    await expect(
      client(silent.url).generate({ prompt, seconds: 6 }, () => undefined, before.signal),
    ).rejects.toBe(reason);
  });
});

const title = '{"type":"title","title":"Rain","display_tags":["calm"],"stream_index":0}\n';
const audio = '{"type":"audio_chunk","data":"AAAA"}\n';

describe('a stream as the contract describes it', () => {
  it.each([
    ['titles', title],
    ['titles and unknown lines', `{"type":"mood","mood":1}\n${title}no JSON\n${title.trim()}`],
  ])('of %s ends without audio', async (_, lines) => {
    const { result, progress } = await generate(client((await sending(lines)).url));
    expect(result.tracks).toEqual([]);
    expect(progress.at(-1)?.streams).toMatchObject([{ title: 'Rain', tags: ['calm'] }]);
  });

  it.each([
    ['nothing', ''],
    ['unknown lines', '{"type":"mood"}\n'],
    ['half a title', `${title}{"type":"tit`],
    ['a stage', `${title}{"type":"stage_start","stage":"audio"}\n`],
    ['suggested titles', '{"type":"titles","titles":["Rain"]}\n'],
    ['a cost', `{"type":"cost"}\n${title}`],
    ['a duration of the wrong type', `${title}{"type":"duration","duration_sec":"?"}\n`],
    ['audio', title + audio],
  ])('with %s needs its end', async (_, lines) => {
    const error = await failure(generate(client((await sending(lines)).url)));
    expect(error).toMatchObject({ reason: 'truncated' });
  });

  it('may send a title after its end, and whatever else', async () => {
    const end = `${audio}{"type":"complete"}\n`;
    for (const late of [
      title,
      `{"type":"error","message":"x"}\n${title}`,
      `${title}${audio}{"type":"audio_chunk"}\n`,
    ]) {
      const { result, progress } = await generate(client((await sending(end, late)).url));
      expect(result.tracks).toMatchObject([{ title: 'Rain', bytes: 3 }]);
      expect(progress.at(-1)?.streams[0]?.title).toBe('Rain');
    }
  });

  it('is not waited for when it stays open after its end', async () => {
    const server = await answering((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write(`${audio}{"type":"complete"}\n${title}`);
    });
    const { result } = await generate(client(server.url, undefined, { afterEnd: 30 }));
    expect(result.tracks).toMatchObject([{ title: 'Rain', bytes: 3 }]);
  });
});

it("shows the service's code of an error, in the stream and of a refusal", async () => {
  const line = '{"type":"error","code":"model_overloaded","message":"Busy."}\n';
  const midway = await failure(generate(client((await sending(line)).url)));
  expect(midway).toMatchObject({
    message: 'The music service failed: Busy. Code: model_overloaded.',
    code: 'model_overloaded',
  });
  const body = '{"detail":{"code":"content_policy","message":"Not this."}}';
  const server = await refusing(400, body);
  expect((await failure(generate(client(server.url)))).message).toMatch(/Not this\. Code: content_policy\.$/);
});

describe('a refused request', () => {
  it.each([
    ['detail', 402, /does not cover/],
    ['html', 502, /status 502/],
    ['empty', 503, /status 503/],
  ] as const)('in the shape %s with %i has a message and is not sent again', async (shape, status, words) => {
    const { url, faults, seen } = await sandboxForTest();
    faults.set('musicRefusal', { shape, status });
    const error = await failure(generate(client(url)));
    expect(error).toMatchObject({ status, endpoint: 'POST /proxy/sonilo/t2m/generate' });
    expect(error.message).toMatch(words);
    expect(error.nextAction).not.toMatch(/queue|workflow|run again/);
    expect(seen.count('POST', '/proxy/sonilo/t2m/generate')).toBe(1);
  });

  it('suggests the next step for its status or code', async () => {
    const { url, faults } = await sandboxForTest();
    const stepOf = async (fault: FaultInput<'musicRefusal'>): Promise<string> => {
      faults.set('musicRefusal', fault);
      return (await failure(generate(client(url)))).nextAction;
    };
    expect(await stepOf({ status: 402 })).toMatch(/Add credits/);
    expect(await stepOf({ status: 402, code: 'trial_exhausted' })).toMatch(/trial/);
    expect(await stepOf({ status: 400, code: 'invalid_request' })).toMatch(/Change the prompt/);
    expect(await stepOf({ status: 401, code: 'unauthorized' })).toMatch(/Sign in/);
    expect(await stepOf({ status: 403, code: 'disabled' })).toMatch(/disabled/);
    expect(await stepOf({ status: 409, code: 'account' })).toMatch(/support/);
    expect(await stepOf({ status: 429, code: 'x', retryAfter: 7 })).toMatch(/in 7 s/);
    expect(await stepOf({ status: 429, code: 'rate_limit_exceeded' })).toMatch(/another generation/);
    expect(await stepOf({ status: 503, code: 'x' })).toMatch(/Nothing was sent again/);
    expect(await stepOf({ status: 408, code: 'x' })).toMatch(/Nothing was sent again/);
    expect(await stepOf({ status: 402, code: 'FREE_TIER_EXHAUSTED' })).toMatch(/Check your subscription/);
    expect(await stepOf({ status: 413, code: 'x' })).toMatch(/Change the prompt/);
  });

  it('says that an attempt without an answer may have been charged', async () => {
    const silent = await answering(() => undefined);
    const late = await failure(generate(client(silent.url, undefined, { silence: 50 })));
    expect(late).toMatchObject({ reason: 'timeout', nextAction: expect.stringMatching(/charged/) as string });
    const cut = await answering((_, response) => void response.destroy());
    const lost = await failure(generate(client(cut.url)));
    expect(lost).toMatchObject({ reason: 'network', nextAction: expect.stringMatching(/charged/) as string });
    expect(cut.arrivals).toHaveLength(1);
  });

  it('is not sent with a prompt or duration that the contract rejects', async () => {
    const server = await sending();
    for (const [text, seconds] of [
      ['  ', 30],
      ['a'.repeat(1001), 30],
      ['a', 0],
      ['a', 361],
      ['a', 1.5],
    ] as const) {
      const work = generate(client(server.url), { prompt: text, seconds });
      expect(await failure(work)).toMatchObject({ reason: 'badRequest', nextAction: 'Nothing was sent.' });
    }
    expect(server.arrivals).toEqual([]);
  });
});

describe('credentials', () => {
  it('go as a bearer token to any address, also one that looks like a key', async () => {
    const server = await sending('{"type":"audio_chunk","data":"AAAA"}\n{"type":"complete"}\n');
    for (const text of [' comfyui-test-key ', 'test.bearer.token'])
      await generate(client(server.url, () => Promise.resolve(musicCredential(text))));
    expect(server.arrivals.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      [undefined, 'Bearer comfyui-test-key'],
      [undefined, 'Bearer test.bearer.token'],
    ]);
  });

  it.each([
    ['comfyui-test-key', [401, 200], ['comfyui-test-key', 'Bearer comfyui-test-key']],
    ['comfyui-test-key', [401, 401], ['comfyui-test-key', 'Bearer comfyui-test-key']],
    ['comfyui-test-key', [403], ['comfyui-test-key']],
    ['test.bearer.token', [401], ['Bearer test.bearer.token']],
  ])('%s goes to Comfy as its own client sends it: answers %j to %j', async (key, statuses, sent) => {
    const headers: unknown[] = [];
    const transport = new Transport({
      baseUrl: 'https://api.comfy.org',
      credential: () => Promise.resolve(musicCredential(key)),
      http: {
        fetch: (_url, { headers: given }) => {
          const status = statuses[headers.length] ?? 500;
          headers.push(given['X-API-Key'] ?? given['Authorization']);
          return Promise.resolve(new Response('{"type":"title","title":"Rain"}\n', { status }));
        },
        form: (parts) => parts,
      },
    });
    const music = generate(new MusicClient(transport));
    if (statuses.at(-1) === 200) expect((await music).progress.at(-1)?.streams[0]?.title).toBe('Rain');
    else expect(await failure(music)).toMatchObject({ status: statuses.at(-1) });
    expect(headers).toEqual(sent);
  });

  it('are not resent to another address, whose 401 is the answer', async () => {
    const server = await refusing(401);
    const keyed = client(server.url, () => Promise.resolve(musicCredential('comfyui-test-key')));
    expect((await failure(generate(keyed))).message).toMatch(/^The server rejected the key/);
    expect(server.arrivals).toHaveLength(1);
    expect((await failure(generate(client(server.url)))).message).toMatch(/^The server needs an API key/);
  });

  it('are sent only over https or to this machine', async () => {
    const music = client('http://music.example.org', () => Promise.resolve(musicCredential('test-token')));
    expect(await failure(generate(music))).toMatchObject({ reason: 'forbidden' });
  });
});

/** A service that sends these pieces. */
function sending(...pieces: readonly string[]): Promise<Loopback> {
  return answering((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
}

function refusing(status: number, body = ''): Promise<Loopback> {
  return answering((_, response) => void response.writeHead(status).end(body));
}
