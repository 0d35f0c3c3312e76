/** One timer for the next poll; the earliest plan counts. */
export class PollTimer {
  readonly #poll: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Infinity;

  constructor(poll: () => void) {
    this.#poll = poll;
  }

  /** Polls in that many ms, or when it is planned already if that is sooner. */
  within(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.#at) return;
    this.clear();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.clear();
      this.#poll();
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Infinity;
  }
}
