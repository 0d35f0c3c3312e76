/** Accurate to a few seconds, from the `Date` of the server's answers: its clock and ours may differ by hours. */
export class ServerClock {
  #ahead: number | undefined;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  told(header: string | null | undefined): void {
    const time = header ? Date.parse(header) : Number.NaN;
    if (!Number.isNaN(time)) this.#ahead = time - this.#now();
  }

  here(): number {
    return this.#now();
  }

  /** Milliseconds since the epoch; undefined until the server has sent the time. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#now() + this.#ahead;
  }
}
