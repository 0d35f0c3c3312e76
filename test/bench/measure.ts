import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Measurement {
  readonly what: string;
  readonly bar: string;
  /** The measurement, in words for the table, with what was measured beside it. */
  readonly value: string;
  /** Missing if it could not be measured. */
  readonly held?: boolean | undefined;
  /** The same as plain numbers; the unit ends each name. */
  readonly numbers: Readonly<Record<string, number>>;
}

export interface BenchRow {
  readonly name: string;
  /** A row that takes longer than this is stopped, ms; two minutes by default. */
  readonly patience?: number;
  measure(): Promise<readonly Measurement[]> | readonly Measurement[];
}

/** Untimed preparation before a run; returns the timed part. */
export type Task = () => () => unknown;

/**
 * Runs the tasks in turns, so that other work on the machine affects all of them, each without the garbage of the others,
 * until each has been run so often, or taken 4 s.
 *
 * @returns the times of each, ms
 */
export async function inTurns<N extends string>(
  tasks: Readonly<Record<N, Task>>,
  runs: number,
): Promise<Record<N, number[]>> {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []])) as unknown as Record<
    N,
    number[]
  >;
  for (let run = 0; run < runs; run++) {
    for (const [name, taken] of Object.entries(times) as [N, number[]][]) {
      if (taken.reduce((sum, time) => sum + time, 0) > 4_000) continue;
      const work = tasks[name]();
      globalThis.gc?.({ type: 'minor' });
      const start = performance.now();
      await work();
      taken.push(performance.now() - start);
    }
  }
  return times;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** A median that must stay below a bar, ms. */
export function timeLine(what: string, limit: number, times: readonly number[], beside = ''): Measurement {
  const medianMs = median(times);
  const worstMs = Math.max(...times);
  return {
    what,
    bar: `< ${limit} ms`,
    value: `${ms(medianMs)}, first ${ms(times[0] ?? NaN)}, worst of ${times.length} ${ms(worstMs)}${beside}`,
    held: medianMs < limit,
    numbers: { medianMs, firstMs: times[0] ?? NaN, worstMs },
  };
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Reachable bytes: objects, and texts and buffers outside the heap of objects. Node runs with --expose-gc. */
export function reachableBytes(): number {
  if (!globalThis.gc) throw new Error('Memory is measured with --expose-gc.');
  // The second run frees what finalizers of the first one released.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Watches the event loop; the result ends it, and says how long it was blocked at most, ms. */
export function watchLoop(): () => number {
  const resolution = 5;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return () => {
    histogram.disable();
    // It records the time between two checks, including the intended wait.
    return Math.max(0, histogram.max / 1e6 - resolution);
  };
}

/**
 * Starts a helper of `main.ts` in a separate process, so that it is not measured with the row.
 *
 * @returns it, and its first message
 */
export async function startHelper(name: string): Promise<readonly [ChildProcess, unknown]> {
  const child = fork(process.argv[1] ?? '', ['--helper', name], { execArgv: [] });
  const [told] = (await once(child, 'message')) as unknown[];
  return [child, told];
}
