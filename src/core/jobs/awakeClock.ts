/** Nobody looks less often than this while the machine is awake (ms): polls back off to a minute. */
const longestGap = 90_000;

/**
 * Milliseconds that this machine was awake, counted from look to look. A laptop that was closed says nothing about the
 * server: a gap between two looks that no timer of ours explains does not count.
 */
export class AwakeClock {
  readonly #clock: () => number;
  #lookedAt: number | undefined;
  #awake = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  now(): number {
    const at = this.#clock();
    const gap = at - (this.#lookedAt ?? at);
    this.#lookedAt = at;
    if (gap > 0 && gap <= longestGap) this.#awake += gap;
    return this.#awake;
  }
}
