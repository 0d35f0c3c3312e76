import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  abortableSleep,
  abortedWithin,
  backoffDelays,
  endedWithin,
  linkAbort,
  orAborted,
} from '../../../src/core/client/timing';
import { watchedBody } from '../../../src/core/client/watchedBody';

it('grows to the limit and never retries at once', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (random) => {
      const delays = backoffDelays({ base: 100, ceiling: 1000, random: () => random });
      const caps = [100, 200, 400, 800, 1000, 1000];
      for (const cap of caps) {
        const delay = delays.next().value;
        expect(delay).toBeGreaterThanOrEqual(cap / 2);
        expect(delay).toBeLessThanOrEqual(cap);
      }
    }),
  );
});

it("ends with the signal's reason", async () => {
  const controller = new AbortController();
  const sleep = abortableSleep(60_000, controller.signal);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(abortableSleep(60_000, controller.signal)).rejects.toBe(reason);
  await abortableSleep(1);
});

it('stops waiting for work that ignores the signal', async () => {
  const controller = new AbortController();
  const never = orAborted(new Promise(() => undefined), controller.signal);
  controller.abort();
  await expect(never).rejects.toHaveProperty('name', 'AbortError');
  expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
});

it('links signals until unlinked', () => {
  const outer = new AbortController();
  const kept = new AbortController();
  const cut = new AbortController();
  linkAbort(outer.signal, kept);
  linkAbort(outer.signal, cut)();
  outer.abort();
  expect([kept.signal.aborted, cut.signal.aborted]).toEqual([true, false]);
});

it('waits a limited time for work that may fail or never end', async () => {
  const { signal } = new AbortController();
  const stalling = new Promise<never>(() => undefined);
  const waited = async (work: Promise<unknown>, ms: number, until = signal): Promise<number> => {
    const began = performance.now();
    await endedWithin(work, ms, until);
    return performance.now() - began;
  };
  expect(await waited(Promise.reject(new Error('gone')), 60_000)).toBeLessThan(30_000);
  expect(await waited(Promise.resolve(), 60_000)).toBeLessThan(30_000);
  expect(await waited(stalling, 60_000, AbortSignal.abort(new Error('enough')))).toBeLessThan(30_000);
  // Timers may be early by less than a millisecond.
  expect(await waited(stalling, 20)).toBeGreaterThanOrEqual(19);
});

it('ends a wait after its limit also when memory was freed meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const ended = orAborted(new Promise(() => undefined), abortedWithin(new AbortController().signal, 20));
  const freeing = setInterval(collect, 5);
  await expect(ended).rejects.toThrow('timeout');
  clearInterval(freeing);
});

const endpoint = 'GET /api/view';

function watched(body: ReadableStream<Uint8Array>, stall: number, total: number): ReadableStream<Uint8Array> {
  return watchedBody(body, {
    endpoint,
    url: 'http://127.0.0.1:1/api/view',
    controller: new AbortController(),
    stall,
    total,
    done: () => undefined,
  });
}

/** A piece every few milliseconds, forever. */
function dripping(bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      controller.enqueue(new Uint8Array(bytes));
    },
  });
}

it('a body that trickles forever ends at its time limit', async () => {
  const reading = new Response(watched(dripping(1), 5_000, 60)).text();
  await expect(reading).rejects.toMatchObject({ reason: 'timeout', endpoint });
});

it("empty chunks don't count as progress", async () => {
  const reading = new Response(watched(dripping(0), 60, 60_000)).text();
  await expect(reading).rejects.toMatchObject({ reason: 'timeout', endpoint });
});
