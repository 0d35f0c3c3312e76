/** Follows another signal after a delay. */
export class DelayedAbort {
  readonly #controller = new AbortController();
  readonly #source: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  readonly #start: () => void;

  constructor(source: AbortSignal, delay: number) {
    this.#source = source;
    this.#start = () => {
      this.#timer = setTimeout(() => this.#controller.abort(source.reason), delay);
    };
    source.addEventListener('abort', this.#start, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    this.#source.removeEventListener('abort', this.#start);
    clearTimeout(this.#timer);
  }
}
