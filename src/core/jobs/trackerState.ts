import type { StreamState } from '../client/eventStream';

/** How well a server is watched. */
export interface TrackerState {
  /** The socket, and with it whether progress is live. */
  readonly stream: StreamState;
  /** Why the server could not be read just now; polling goes on unless `stopped`. */
  readonly trouble?: Error | undefined;
  /** The server does not let us in (401, 403): nothing is asked until `refresh` or the next run. */
  readonly stopped: boolean;
  /** Jobs wait and nothing moves: the server may have stopped running jobs (protocol 7.2). ms since the epoch. */
  readonly suspectedHang?: { readonly since: number } | undefined;
}

/** The state of a tracker, told to who listens when it is another one. */
export class TrackerStates {
  readonly #listeners = new Set<(state: TrackerState) => void>();
  #now: TrackerState = { stream: { kind: 'closed' }, stopped: false };

  get now(): TrackerState {
    return this.#now;
  }

  onDidChange(listener: (state: TrackerState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  change(news: Partial<TrackerState>): void {
    const old = this.#now;
    this.#now = { ...old, ...news };
    const same =
      old.stream === this.#now.stream &&
      old.trouble === this.#now.trouble &&
      old.stopped === this.#now.stopped &&
      old.suspectedHang?.since === this.#now.suspectedHang?.since;
    if (same) return;
    for (const listener of [...this.#listeners]) listener(this.#now);
  }
}
