import { describe, expect, it, vi } from 'vitest';
import { waitForServer, neverPutOff, pauseAfter } from '../../../src/core/batch/batchQueue';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { fakeTime } from '../jobs/trackerTime';

/** All pauses of a server that puts off every row, ms. */
function pauses(wanted: number): number[] {
  const all: number[] = [];
  for (let putOff = neverPutOff; ;) {
    const pause = pauseAfter(putOff, wanted);
    if (pause === undefined) return all;
    all.push(pause);
    putOff = { times: putOff.times + 1, waited: putOff.waited + pause };
  }
}

describe('a server that puts off every row', () => {
  it('is asked less and less often, and for ten minutes in all', () => {
    const all = pauses(0);
    expect(all.slice(0, 7)).toEqual([0, 2_000, 6_000, 14_000, 30_000, 60_000, 60_000]);
    expect(all).toHaveLength(14);
  });

  it('is left alone for as long as it asks', () => {
    expect(pauses(240_000)).toEqual([240_000, 240_000]);
  });

  it('is not asked again if it asks for more than ten minutes', () => {
    expect(pauses(Number.MAX_VALUE)).toEqual([]);
  });
});

describe('a server that stopped answering', () => {
  fakeTime();

  /** A server that answers from the time on, ms, and when it was asked. */
  function backAfter(time: number) {
    const begun = Date.now();
    const asked: number[] = [];
    const refresh = (): Promise<void> => {
      const now = Date.now() - begun;
      asked.push(now);
      return now >= time ? Promise.resolve() : Promise.reject(new Error('It is away.'));
    };
    return { asked, session: { tracker: { refresh } } as unknown as RunSession };
  }

  it.each([
    ['is asked every two seconds until it answers', 3_000, { giveUpAfter: 60_000, wait: 0 }, true, [2, 4]],
    ['is asked no longer than the batch waits', 90_000, { giveUpAfter: 5_000, wait: 0 }, false, [2, 4, 5]],
    ['is not asked before it wants to be', 0, { giveUpAfter: 60_000, wait: 30_000 }, true, [32]],
    ['is not asked by a batch without patience', 0, { giveUpAfter: 0, wait: 0 }, false, []],
  ])('%s', async (_, time, patience, isBack, seconds) => {
    const server = backAfter(time);
    const back = waitForServer(server, patience, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await back).toBe(isBack);
    expect(server.asked).toEqual(seconds.map((second) => second * 1_000));
  });

  it('is not asked again once the batch is stopped', async () => {
    const server = backAfter(90_000);
    const stop = new AbortController();
    const back = expect(waitForServer(server, { giveUpAfter: 60_000, wait: 0 }, stop.signal)).rejects.toThrow(
      'Stopped.',
    );
    await vi.advanceTimersByTimeAsync(3_000);
    stop.abort(new Error('Stopped.'));
    await back;
    expect(server.asked).toEqual([2_000]);
  });
});
