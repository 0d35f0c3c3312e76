import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the loop is looked at, ms. */
const resolution = 5;

export interface LoopDelay {
  /** The longest time that the event loop was not there, ms. */
  readonly max: number;
  readonly p99: number;
}

/** Watches the event loop; the answer ends it. */
export function watchLoop(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return () => {
    histogram.disable();
    // It records the time between two looks, the wait that was meant included.
    const over = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    return { max: over(histogram.max), p99: over(histogram.percentile(99)) };
  };
}
