import { expect, it } from 'vitest';
import { RequestLimiter } from '../../../src/core/registry/registryClient';

it('lets a waiting request give up its place to the next one', async () => {
  const limiter = new RequestLimiter(1);
  let finish = (): void => undefined;
  const first = limiter.run(() => new Promise<string>((resolve) => (finish = () => resolve('first'))));
  const leaving = new AbortController();
  const second = limiter.run(() => Promise.resolve('second'), leaving.signal);
  const third = limiter.run(() => Promise.resolve('third'));
  leaving.abort();
  await expect(second).rejects.toThrow(/abort/i);
  finish();
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  await expect(limiter.run(() => Promise.resolve('never'), leaving.signal)).rejects.toThrow(/abort/i);
});

it('passes failures on and stays open', async () => {
  const limiter = new RequestLimiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run(() => Promise.resolve('yes'))).toBe('yes');
});
