import { describe, expect, it, vi } from 'vitest';
import { coalesceCalls } from '../../../src/core/jobs/coalesce';
import { fakeTime } from './trackerTime';

fakeTime();

describe('coalesced calls', () => {
  it('run at once, then at most ten times a second, and the last is never lost', () => {
    const fn = vi.fn();
    const call = coalesceCalls(fn, 100);
    call();
    expect(fn).toHaveBeenCalledTimes(1);
    for (let ms = 0; ms < 1_000; ms++) {
      call();
      vi.advanceTimersByTime(1);
    }
    expect(fn.mock.calls.length).toBeLessThanOrEqual(11);
    const before = fn.mock.calls.length;
    call();
    vi.advanceTimersByTime(100);
    expect(fn).toHaveBeenCalledTimes(before + 1);
  });

  it('stop at once and for good when cancelled', () => {
    const fn = vi.fn();
    const call = coalesceCalls(fn, 100);
    call();
    call();
    call.cancel();
    call();
    vi.advanceTimersByTime(1_000);
    expect([fn.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
