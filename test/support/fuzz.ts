import { expect } from 'vitest';
import { sampleShare } from './corpus';

/** The same cases every time, so that today's failures fail tomorrow; another number makes other cases. */
const seed = Number(process.env.COMFY_DECK_FUZZ_SEED ?? 20_260_301);

/** The longest time that one case may block an editor, ms. */
const longest = 1_000;

/** Random numbers, the same for the same seed. */
export class Chance {
  #state: number;

  constructor(start: number) {
    this.#state = start >>> 0;
  }

  /** An integer from 0 to below `count`. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  of<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

export interface Fuzzed<Case> {
  readonly cases: number;
  readonly make: (chance: Chance) => Case;
  readonly run: (made: Case) => unknown;
  readonly expected?: readonly (abstract new (...args: never) => Error)[];
}

/** How long a call takes, ms. Counts neither other work on the machine nor garbage collection on other threads. */
function timeOf(call: () => unknown): number {
  const used = process.cpuUsage();
  const begun = performance.now();
  call();
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  return Math.min(wall, (user + system) / 1_000);
}

export function expectSturdy<Case>(name: string, { cases, make, run, expected = [] }: Fuzzed<Case>): void {
  let slowest = 0;
  for (let each = 0; each < cases; each += sampleShare) {
    const time = (): number => {
      const made = make(new Chance(seed + each * 7_919));
      return timeOf(() => {
        try {
          run(made);
        } catch (error) {
          const isExpected = expected.some((kind) => error instanceof kind);
          expect.soft(isExpected, `${name}, case ${each} of seed ${seed}: ${String(error)}`).toBe(true);
        }
      });
    };
    let shortest = time();
    // What is slow only once waited for a busy machine.
    for (let again = 0; shortest >= longest && again < 4; again++) shortest = Math.min(shortest, time());
    slowest = Math.max(slowest, shortest);
  }
  expect(slowest, `the slowest case of ${name}, ms`).toBeLessThan(longest);
}

/** A text or bytes with a few places changed, cut, doubled or replaced by noise. */
export function broken(bytes: Uint8Array, chance: Chance): Uint8Array {
  let result = Uint8Array.from(bytes);
  for (let times = 1 + chance.below(4); times > 0; times--) {
    const at = chance.below(result.length + 1);
    const length = chance.below(12);
    const piece = result.subarray(at, at + length);
    const noise = Uint8Array.from({ length }, () =>
      chance.of([0, 1, 34, 92, 123, 125, 91, 127, 255, chance.below(256)]),
    );
    const parts = chance.of<readonly Uint8Array[]>([
      [result.subarray(0, at), noise, result.subarray(at + length)],
      [result.subarray(0, at), noise, result.subarray(at)],
      [result.subarray(0, at)],
      [result.subarray(0, at), result.subarray(at + length)],
      [result.subarray(0, at), piece, piece, result.subarray(at)],
    ]);
    result = Uint8Array.from(Buffer.concat(parts));
  }
  return result;
}

export function brokenText(text: string, chance: Chance): string {
  return Buffer.from(broken(Buffer.from(text), chance)).toString('utf8');
}

/** Any JSON value, with the names and values that have a meaning in a protocol. */
export function anyValue(chance: Chance, names: readonly [string, ...string[]], depth = 3): unknown {
  const scalars = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    'x',
    '__proto__',
    'constructor',
    chance.of(names),
  ] as const;
  if (depth === 0 || chance.below(4) === 0) return scalars[chance.below(scalars.length)];
  const inner = (): unknown => anyValue(chance, names, depth - 1);
  if (chance.below(3) === 0) return Array.from({ length: chance.below(4) }, inner);
  return Object.fromEntries(Array.from({ length: chance.below(6) }, () => [chance.of(names), inner()]));
}
