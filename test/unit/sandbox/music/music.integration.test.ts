import { describe, expect, it } from 'vitest';
import { Mp4Duration } from '../../../../src/core/client/music/mp4Duration';
import { tuneFile } from '../../../../src/sandbox/music/musicLines';
import { ask, sandboxForTest } from '../../../support/sandboxFixture';
import { fragmentSamples, tuneRate } from '../../../support/tune';

const path = '/proxy/sonilo/t2m/generate';

describe('the music endpoint of the sandbox', () => {
  it('accepts a URL-encoded form too, as clients without files send it', async () => {
    const { url } = await sandboxForTest();
    const body = new URLSearchParams({ prompt: 'calm', duration: '1' });
    expect((await ask(`${url}${path}`, { method: 'POST', body })).status).toBe(200);
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
