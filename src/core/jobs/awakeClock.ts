/** Polls happen at least this often while the machine is awake (ms): they back off to a minute. */
const longestGap = 90_000;

/**
 * How long this machine was awake, in milliseconds, counted between polls. A closed laptop says nothing about the
 * server: a gap between two polls that no timer of ours explains does not count.
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
