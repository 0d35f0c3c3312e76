import type { QueueSnapshot } from '../protocol/queue';

/** A server that does not even name a node that it runs is suspected sooner than one that is busy with a node. */
const quietWithoutNode = 2 * 60_000;
const quietWithNode = 10 * 60_000;

export interface Quiet {
  readonly queue: QueueSnapshot;
  /**
   * For every running job, it is known which node runs, or nothing can be known because its events are sent elsewhere.
   */
  readonly nodeKnown: boolean;
  /** ms for which this machine was awake: see `AwakeClock`. */
  readonly at: number;
}

/**
 * Suspects a server that answers but no longer runs anything: an accepted prompt can kill its worker; then the job runs
 * forever and later ones wait forever (protocol 7.2). Only a suspicion: a long node is silent too.
 */
export class StallDetector {
  #movedAt: number | undefined;
  #seen = '';

  /** An event of a job arrived: it runs. */
  moved(at: number): void {
    this.#movedAt = at;
  }

  /** The queue was read. Returns for how long nothing has moved (ms), if long enough to report. */
  read({ queue, nodeKnown, at }: Quiet): number | undefined {
    const ids = [queue.running, queue.pending].map((items) => items.map((item) => item.id));
    const seen = JSON.stringify(ids);
    if (seen !== this.#seen || this.#movedAt === undefined || seen === '[[],[]]') {
      this.#seen = seen;
      this.#movedAt = at;
    }
    const waits = queue.pending.length > 0 || !nodeKnown;
    const quiet = nodeKnown && queue.running.length > 0 ? quietWithNode : quietWithoutNode;
    const still = at - this.#movedAt;
    return waits && still >= quiet ? still : undefined;
  }
}
