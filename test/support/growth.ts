import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** How much longer twice as much may take: 2 is linear, 4 is quadratic. */
const limit = 2.5;
/** Two sizes that are compared lie so many doublings apart: a curve shows more clearly than over one. */
const doublings = 2;
/** Work that is done sooner holds nobody up, and is too short to tell its curve from noise, ms. */
const measurable = 100;
/** Noise goes away when it is measured again, and a collection of garbage at another size; a curve stays. */
const attempts = 4;
/** No larger size is tried after this, ms. */
const plenty = 800;

export interface Growth<Input> {
  /** The first size, small. It doubles from here. */
  readonly from: number;
  /** The last size: where a budget ends the work, or somewhat past it. */
  readonly to: number;
  /** The worst kind of input of a size. Made before the clock starts, and new for each run. */
  readonly input: (size: number) => Input;
  /** The work. What it returns is only looked at to see that there was some. */
  readonly run: (input: Input) => unknown;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Processor time where others share the machine, time on the wall where garbage is collected beside us: the smaller. */
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

/** The shortest of some runs: whatever else the machine does only adds to a time. */
async function shortestTime<Input>(growth: Growth<Input>, size: number, runs: number): Promise<number> {
  let shortest = Infinity;
  for (let run = 0; run < runs; run++) shortest = Math.min(shortest, await timed(growth, size));
  return shortest;
}

/** The first size whose work can be measured, with its time. */
async function firstMeasurable<Input>(growth: Growth<Input>): Promise<Measured | undefined> {
  for (let size = growth.from; size <= growth.to; size *= 2) {
    let time = await timed(growth, size);
    // Once more: what is compiled late, and a busy machine, make a small size look long.
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
 * Fails when twice the input takes 2.5 times as long or longer. The first size up to `to` whose work can be measured is
 * compared with a quarter of it; where that looks steep, it is measured again, with larger sizes if there are any.
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
