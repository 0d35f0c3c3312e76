import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/**
 * The yardstick of a run is the same work in so many parts, each on its share of the size: linear by construction, as
 * compiled, and as disturbed by others. The run takes once as long if it is linear, and `parts` times if quadratic.
 */
const parts = 8;
const limit = 2;
/** Twice this is no noise. */
const certain = 4;
/** Faster work blocks nobody, and is too short to distinguish its curve from noise, ms. */
const measurable = 100;
/** Noise disappears in another attempt, and garbage collection at another size; a curve stays. */
const attempts = 10;
/** No larger size is tried after this, ms. */
const plenty = 800;
/** Enough to see whether larger work takes longer at all, ms. */
const visible = 10;
/** No work is repeated more often, to be seen. */
const repetitions = 4_096;
const steepAttempts = 3;

export interface Growth<Input> {
  /** The smallest size of interest: an eighth of the first that is measured. */
  readonly from: number;
  /** The last size: where a budget ends the work, or a little more; at least eight times the smallest. */
  readonly to: number;
  /** The worst kind of input of a size. Made before the clock starts, new for each run. */
  readonly input: (size: number) => Input;
  /** The work. Its result only proves that it did something. */
  readonly run: (input: Input) => unknown;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A fresh input for each run; what no run can change, or changes for no other, is made once. */
function inputsOf<Input>({ input }: Growth<Input>, size: number, times: number): Input[] {
  const first = input(size);
  const isShared = typeof first === 'string' || ArrayBuffer.isView(first);
  return [first, ...Array.from({ length: times - 1 }, () => (isShared ? first : input(size)))];
}

/** Runs one after the other. CPU time if others share the machine, wall time if threads share the work: the smaller. */
async function timed<Input>(growth: Growth<Input>, size: number, times: number): Promise<number> {
  const made = inputsOf(growth, size, times);
  collectGarbage();
  const used = process.cpuUsage();
  const begun = performance.now();
  for (const each of made) await growth.run(each);
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  return Math.min(wall, (user + system) / 1_000);
}

async function measurableSize<Input>(growth: Growth<Input>): Promise<number | undefined> {
  for (let size = growth.from * parts; size <= growth.to; size *= 2)
    if ((await timed(growth, size, 1)) >= measurable) return size;
  return undefined;
}

interface Attempt {
  readonly ratio: number;
  readonly time: number;
  readonly words: string;
}

/** A run, or some, between two halves of the yardstick, so that all three are disturbed alike. */
async function attemptAt<Input>(growth: Growth<Input>, size: number, times = 1): Promise<Attempt> {
  const part = Math.round(size / parts);
  const half = (times * parts) / 2;
  const before = await timed(growth, part, half);
  const time = await timed(growth, size, times);
  const yardstick = before + (await timed(growth, part, half));
  const ratio = time / yardstick;
  const compared = `${size}: ${time.toFixed(1)} ms, ${parts} times ${part}: ${yardstick.toFixed(1)} ms`;
  return { ratio, time, words: `${compared}, ${ratio.toFixed(1)} x\n` };
}

/**
 * Compares runs with their yardstick until one is gentle or the curve is certain, at larger sizes if there are any.
 *
 * @returns the gentle attempt, or the steep ones in words.
 */
async function gentleAttempt<Input>(growth: Growth<Input>, from: number): Promise<Attempt | string> {
  let told = '';
  let size = from;
  let surely = 0;
  for (let tried = 0; tried < attempts && surely < 2; tried++) {
    const attempt = await attemptAt(growth, size);
    if (attempt.ratio < limit) return attempt;
    told += attempt.words;
    if (attempt.ratio >= certain) surely += 1;
    if (size * 2 <= growth.to && attempt.time < plenty) size *= 2;
  }
  return told;
}

/**
 * How many times as long as its yardstick the work would take if it were repeated as often as its size squared: what
 * is then no longer is ended by a limit before it has begun. Work that is linear needs no square.
 */
const madeSteep = ({ ratio }: Attempt): number => ratio * parts ** 2;

async function expectSteepIfRepeated<Input>(growth: Growth<Input>): Promise<void> {
  const size = growth.from * parts;
  const times = Math.min(repetitions, Math.ceil(visible / (await timed(growth, size, 1))));
  let told = '';
  for (let tried = 0; tried < steepAttempts; tried++) {
    // What a busy machine adds to each measurement is less and less of it.
    const attempt = await attemptAt(growth, size, times * 4 ** tried);
    if (madeSteep(attempt) >= limit) return;
    told += attempt.words;
  }
  expect(told, 'the same work, made quadratic, passes').toBe('');
}

/**
 * Fails if a run takes more than twice as long as the same work in eight parts; eight times is quadratic. Compares them
 * at the first measurable size up to `to`. Fails too if it would pass the same work made quadratic.
 */
export async function expectGentleGrowth<Input>(growth: Growth<Input>): Promise<void> {
  expect(growth.to / growth.from, 'sizes to compare').toBeGreaterThanOrEqual(parts);
  const size = await measurableSize(growth);
  const attempt = size === undefined ? undefined : await gentleAttempt(growth, size);
  if (typeof attempt === 'string')
    expect.fail(`A run takes more than twice as long as the same work in eight parts:\n${attempt}`);
  if (!attempt || madeSteep(attempt) < limit) await expectSteepIfRepeated(growth);
}

export function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}
