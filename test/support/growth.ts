import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** How much longer twice the input may take: 2 is linear, 4 is quadratic. */
const limit = 2.5;
/** How many doublings apart the two compared sizes are: a curve shows more clearly over several. */
const doublings = 2;
/** Faster work blocks nobody, and is too short to distinguish its curve from noise, ms. */
const measurable = 100;
/** Noise disappears in another measurement, and garbage collection at another size; a curve stays. */
const attempts = 4;
/** No larger size is tried after this, ms. */
const plenty = 800;

export interface Growth<Input> {
  /** The first, small size, which is then doubled. */
  readonly from: number;
  /** The last size: where a budget ends the work, or a little more. */
  readonly to: number;
  /** The worst kind of input of a size. Made before the clock starts, new for each run. */
  readonly input: (size: number) => Input;
  /** The work. Its result only proves that it did something. */
  readonly run: (input: Input) => unknown;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** CPU time if others share the machine, wall time if garbage is collected in parallel: the smaller of the two. */
async function timed<Input>({ input, run }: Growth<Input>, size: number): Promise<number> {
  const made = input(size);
  collectGarbage();
  const used = process.cpuUsage();
  const begun = performance.now();
  await run(made);
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  return Math.min(wall, (user + system) / 1_000);
}

/** The shortest of several runs: everything else on the machine only adds time. */
async function shortestTime<Input>(growth: Growth<Input>, size: number, runs: number): Promise<number> {
  let shortest = Infinity;
  for (let run = 0; run < runs; run++) shortest = Math.min(shortest, await timed(growth, size));
  return shortest;
}

/** The first size that is large enough to measure, with its time. */
async function firstMeasurable<Input>(growth: Growth<Input>): Promise<Measured | undefined> {
  for (let size = growth.from; size <= growth.to; size *= 2) {
    let time = await timed(growth, size);
    // Measures again: late compilation and a busy machine slow down small sizes.
    if (time >= measurable) time = Math.min(time, await timed(growth, size));
    if (time >= measurable) return { size, time };
  }
  return undefined;
}

interface Measured {
  readonly size: number;
  readonly time: number;
}

/** How much longer each doubling between two sizes took. */
function ratio(before: Measured, after: Measured): number {
  return (after.time / before.time) ** (1 / Math.log2(after.size / before.size));
}

function inWords(before: Measured, after: Measured): string {
  const times = `${before.time.toFixed(0)} -> ${after.time.toFixed(0)} ms`;
  return `${before.size} -> ${after.size}: ${times}, ${ratio(before, after).toFixed(2)} x for each doubling`;
}

/**
 * Fails if twice the input takes 2.5 times as long or longer. Compares the first measurable size up to `to` with a
 * quarter of it; if that looks steep, measures again, with larger sizes if there are any.
 */
export async function expectGentleGrowth<Input>(growth: Growth<Input>): Promise<void> {
  let after = await firstMeasurable(growth);
  let told = '';
  for (let attempt = 0; after && attempt < attempts; attempt++) {
    const size = Math.max(growth.from, after.size / 2 ** doublings);
    if (size === after.size) return;
    const before = { size, time: await shortestTime(growth, size, 3) };
    if (ratio(before, after) < limit) return;
    told += `${inWords(before, after)}\n`;
    const isLarger = after.size * 2 <= growth.to && after.time < plenty;
    const next: number = isLarger ? after.size * 2 : after.size;
    after = { size: next, time: await shortestTime(growth, next, 2) };
  }
  expect(told, 'twice the input takes 2.5 times as long or longer').toBe('');
}
