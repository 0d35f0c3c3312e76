/**
 * The server's time, from the `Date` of its answers: its clock and ours may differ by hours. The header has whole
 * seconds and an answer takes time, so this is accurate to a few seconds.
 */
export class ServerClock {
  #ahead: number | undefined;
  readonly #now: () => number;

  /** @param now our own clock, ms */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records the `Date` of an answer that just arrived. */
  told(header: string | null | undefined): void {
    const time = header ? Date.parse(header) : Number.NaN;
    if (!Number.isNaN(time)) this.#ahead = time - this.#now();
  }

  /** By our own clock, ms. */
  here(): number {
    return this.#now();
  }

  /** Milliseconds since the epoch; undefined until the server has sent the time. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#now() + this.#ahead;
  }
}
