/** Untimed preparation before a run; returns the timed part. */
export type Task = () => () => unknown;

export interface Timed {
  /** Milliseconds. */
  readonly median: number;
  /** The first run: nothing is compiled or cached. */
  readonly first: number;
  readonly best: number;
  readonly worst: number;
  readonly runs: number;
}

export interface TurnOptions {
  readonly runs?: number;
  /** A task that has taken this long in total is not run again, ms. */
  readonly limit?: number;
}

/**
 * Runs the tasks in turns, so that other work on the machine affects all of them. Each starts without the garbage of
 * the others, which in VS Code are in other processes.
 */
export async function inTurns<N extends string>(
  tasks: Readonly<Record<N, Task>>,
  { runs = 15, limit = 4_000 }: TurnOptions = {},
): Promise<Record<N, Timed>> {
  const names = Object.keys(tasks) as N[];
  const times = new Map<N, number[]>(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, taken] of times) {
      if (sum(taken) < limit) taken.push(await timeOf(tasks[name]()));
    }
  }
  return Object.fromEntries([...times].map(([name, taken]) => [name, timed(taken)])) as Record<N, Timed>;
}

async function timeOf(run: () => unknown): Promise<number> {
  globalThis.gc?.({ type: 'minor' });
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function timed(times: readonly number[]): Timed {
  return {
    median: median(times),
    first: times[0] ?? NaN,
    best: Math.min(...times),
    worst: Math.max(...times),
    runs: times.length,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A median in words, with the first run beside it, when nothing is compiled yet. */
export function inWords({ median: usual, first, best }: Timed): string {
  return `${ms(usual)} (first ${ms(first)}, best ${ms(best)})`;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
}

export function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
