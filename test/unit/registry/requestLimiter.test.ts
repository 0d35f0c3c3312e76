import { expect, it } from 'vitest';
import { RequestLimiter } from '../../../src/core/registry/requestLimiter';

it('lets who waits leave, and gives the place to the next one', async () => {
  const gate = new RequestLimiter(1);
  let finish = (): void => undefined;
  const first = gate.run(() => new Promise<string>((resolve) => (finish = () => resolve('first'))));
  const leaving = new AbortController();
  const second = gate.run(() => Promise.resolve('second'), leaving.signal);
  const third = gate.run(() => Promise.resolve('third'));
  leaving.abort();
  await expect(second).rejects.toThrow(/abort/i);
  finish();
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  await expect(gate.run(() => Promise.resolve('never'), leaving.signal)).rejects.toThrow(/abort/i);
});

it('passes failures on and stays open', async () => {
  const gate = new RequestLimiter(1);
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(() => Promise.resolve('yes'))).toBe('yes');
});
