/** One preview picture on its way to the panel. */
export interface PreviewFrame {
  readonly jobId: string;
  readonly nodeId?: string | undefined;
  readonly mime: string;
  readonly image: Uint8Array;
}

/**
 * Lets preview pictures through one at a time: while one is being painted only the newest of those that arrive is
 * kept. A panel that is slow or hidden therefore costs one frame of memory, whatever the rate of the server.
 */
export class FramePacer {
  readonly #post: (serial: number, frame: PreviewFrame) => void;
  #inFlight: number | undefined;
  #next: PreviewFrame | undefined;
  #serial = 0;

  constructor(post: (serial: number, frame: PreviewFrame) => void) {
    this.#post = post;
  }

  offer(frame: PreviewFrame): void {
    this.#next = frame;
    this.#advance();
  }

  /** The panel has painted a frame; an answer to an older frame than the one in flight is ignored. */
  painted(serial: number): void {
    if (serial !== this.#inFlight) return;
    this.#inFlight = undefined;
    this.#advance();
  }

  /** The panel was reloaded or shows another job: what was on its way is forgotten. */
  reset(): void {
    this.#inFlight = undefined;
    this.#next = undefined;
  }

  #advance(): void {
    if (this.#inFlight !== undefined || this.#next === undefined) return;
    const frame = this.#next;
    this.#next = undefined;
    this.#serial += 1;
    this.#inFlight = this.#serial;
    this.#post(this.#serial, frame);
  }
}
