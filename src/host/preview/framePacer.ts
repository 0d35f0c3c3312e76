import type { JobPreview } from '../../core/jobs/eventJob';

/** While a picture is painted, only the latest is kept, so a slow panel uses the memory of one frame. */
export class FramePacer {
  #inFlight: number | undefined;
  #next: JobPreview | undefined;
  #serial = 0;

  constructor(private readonly post: (serial: number, frame: JobPreview) => void) {}

  offer(frame: JobPreview): void {
    this.#next = frame;
    this.#advance();
  }

  /** The panel has painted a frame; an acknowledgement of an older one is ignored. */
  painted(serial: number): void {
    if (serial !== this.#inFlight) return;
    this.#inFlight = undefined;
    this.#advance();
  }

  /** The panel was reloaded or shows another job: frames in flight are forgotten. */
  reset(): void {
    this.#inFlight = undefined;
    this.#next = undefined;
  }

  #advance(): void {
    if (this.#inFlight !== undefined || this.#next === undefined) return;
    const frame = this.#next;
    this.#next = undefined;
    this.#inFlight = ++this.#serial;
    this.post(this.#serial, frame);
  }
}
