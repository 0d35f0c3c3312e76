import { afterEach, beforeEach, vi } from 'vitest';
import { start } from './observations';

/** Fake timers for each test of a file, beginning at `start`. */
export function fakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: start });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Fake timers for each test, while the clock goes on. */
export function fakeTimers(): void {
  beforeEach(() =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }),
  );
  afterEach(() => vi.useRealTimers());
}

export const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
