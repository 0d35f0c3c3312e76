import type { JobStream } from './jobSource';

/** Opens and closes the socket in turn: never one before the other has been done. */
export class StreamOpener {
  readonly #stream: JobStream;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(stream: JobStream) {
    this.#stream = stream;
  }

  /** Sees to it that the stream is kept open. Rejects where its first try fails; it then goes on trying by itself. */
  open(): Promise<void> {
    if (this.#opening) return this.#opening;
    return this.#openNow();
  }

  /** Like `open`, and tries at once where the stream waits or has given up. */
  retry(): Promise<void> {
    if (this.#opening && this.#stream.state.kind === 'open') return this.#opening;
    return this.#openNow();
  }

  close(): Promise<void> {
    if (this.#opening) {
      this.#opening = undefined;
      // The stream closes without complaint; what fails in it has no one to tell.
      this.#closing = this.#closing.then(() => this.#stream.close()).catch(() => undefined);
    }
    return this.#closing;
  }

  #openNow(): Promise<void> {
    const opening: Promise<void> = this.#closing.then(() => {
      if (this.#opening !== opening) throw new DOMException('The socket is no longer needed.', 'AbortError');
      return this.#stream.open();
    });
    this.#opening = opening;
    // Who needs the outcome waits for it; for all others the state of the stream tells it.
    opening.catch(() => undefined);
    return opening;
  }
}
