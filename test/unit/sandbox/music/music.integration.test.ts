import { describe, expect, it } from 'vitest';
import { Mp4Duration } from '../../../../src/core/client/music/mp4Duration';
import { tuneFile } from '../../../../src/sandbox/music/musicLines';
import { ask, sandboxForTest } from '../../../support/sandboxFixture';
import { fragmentSamples, tuneRate } from '../../../support/tune';

const path = '/proxy/sonilo/t2m/generate';

function form(fields: Readonly<Record<string, string | undefined>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) data.append(name, value);
  return data;
}

describe('the music endpoint of the sandbox', () => {
  it('sends the title before the audio, each line a JSON object, and ends with complete', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const answer = await ask(`${url}${path}`, {
      method: 'POST',
      body: form({ prompt: 'calm', duration: '2' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(Number(answer.headers.get('x-comfy-credits-used'))).toBeCloseTo(1.055);
    const types = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly type: string }).type);
    expect([...new Set(types)]).toEqual(['title', 'duration', 'audio_chunk', 'cost', 'complete']);
  });

  it('accepts a URL-encoded form too, as clients without files send it', async () => {
    const { url } = await sandboxForTest();
    const body = new URLSearchParams({ prompt: 'calm', duration: '1' });
    expect((await ask(`${url}${path}`, { method: 'POST', body })).status).toBe(200);
  });

  it.each([
    { prompt: ' ', duration: '30' },
    { prompt: 'x'.repeat(1001), duration: '30' },
    { prompt: 'calm', duration: '0' },
    { prompt: 'calm', duration: '361' },
    { prompt: 'calm', duration: '1.5' },
    { prompt: 'calm' },
    { duration: '30' },
  ])('rejects what the contract rejects', async (fields) => {
    const { url } = await sandboxForTest();
    const answer = await ask(`${url}${path}`, { method: 'POST', body: form({ ...fields }) });
    expect(answer.status).toBe(400);
    expect(answer.json['detail']).toMatchObject({ code: 'invalid_request' });
  });
});

describe('the tune', () => {
  it.each([1, 2, 30, 360])('lasts about %i s, in whole fragments', (seconds) => {
    const clock = new Mp4Duration();
    clock.push(tuneFile(seconds, 5));
    const fragments = Math.round((seconds * tuneRate) / fragmentSamples);
    expect(clock.seconds).toBeCloseTo((fragments * fragmentSamples) / tuneRate, 6);
    expect(Math.abs((clock.seconds ?? 0) - seconds)).toBeLessThan(0.6);
  });

  it('starts elsewhere for another offset', () => {
    expect(Buffer.from(tuneFile(3, 0)).equals(Buffer.from(tuneFile(3, 1)))).toBe(false);
    expect(Buffer.from(tuneFile(3, 0)).equals(Buffer.from(tuneFile(3, 8)))).toBe(true);
  });
});
