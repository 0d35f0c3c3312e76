import type { JobStream } from './jobSource';

/** Opens and closes the socket in turn: never one before the other has been done. */
export class StreamOpener {
  readonly #stream: JobStream;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(stream: JobStream) {
    this.#stream = stream;
  }

  /** Keeps the stream open. Rejects if the first attempt fails, and then keeps trying. */
  open(): Promise<void> {
    if (this.#opening) return this.#opening;
    return this.#openNow();
  }

  /** Like `open`, but tries at once if the stream is waiting or has given up. */
  retry(): Promise<void> {
    if (this.#opening && this.#stream.state.kind === 'open') return this.#opening;
    return this.#openNow();
  }

  close(): Promise<void> {
    if (this.#opening) {
      this.#opening = undefined;
      // The stream closes silently; nobody handles its errors any more.
      this.#closing = this.#closing.then(() => this.#stream.close()).catch(() => undefined);
    }
    return this.#closing;
  }

  #openNow(): Promise<void> {
    const opening: Promise<void> = this.#closing.then(() => {
      if (!this.#opening) throw new DOMException('The socket is no longer needed.', 'AbortError');
      // Two runs that start together: the later one opens it for both.
      return this.#opening === opening ? this.#stream.open() : this.#opening;
    });
    this.#opening = opening;
    // Callers that need the outcome await it; others use the stream's state.
    opening.catch(() => undefined);
    return opening;
  }
}
