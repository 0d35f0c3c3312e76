import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is checked, ms. */
const resolution = 5;

export interface LoopDelay {
  /** The longest time that the event loop was blocked, ms. */
  readonly max: number;
  readonly p99: number;
}

/** Watches the event loop; the result ends it. */
export function watchLoop(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return () => {
    histogram.disable();
    // It records the time between two checks, including the intended wait.
    const over = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    return { max: over(histogram.max), p99: over(histogram.percentile(99)) };
  };
}
