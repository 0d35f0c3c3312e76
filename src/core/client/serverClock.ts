/**
 * What time it is on the server, by the `Date` of its answers: its clock and ours may be hours apart. The header has whole
 * seconds, and an answer takes its time, so this is right to a few seconds.
 */
export class ServerClock {
  #ahead: number | undefined;
  readonly #now: () => number;

  /** @param now our own clock, ms */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes in the `Date` of an answer that came just now. */
  told(header: string | null | undefined): void {
    const time = header ? Date.parse(header) : Number.NaN;
    if (!Number.isNaN(time)) this.#ahead = time - this.#now();
  }

  /** Milliseconds since the epoch; undefined while the server has not told the time. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#now() + this.#ahead;
  }
}
