import { describe, expect, it } from 'vitest';
import { neverPutOff, pauseAfter } from '../../../src/core/batch/batchServers';

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
