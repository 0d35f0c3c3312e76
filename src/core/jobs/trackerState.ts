import type { StreamState } from '../client/eventStream';

/** How well a server is watched. */
export interface TrackerState {
  /** The socket, and with it whether progress is live. */
  readonly stream: StreamState;
  /** Why the last poll failed; polling continues unless `stopped`. */
  readonly trouble?: Error | undefined;
  /** When something was heard of the server last, ms since the epoch; missing before its first answer. */
  readonly heardAt?: number;
  /** The server does not answer at all. */
  readonly silent?: true | undefined;
  /** Why a message of the server was not read: progress may be missing. One sentence. */
  readonly unread?: string;
  /** The server refuses access (401, 403): nothing is requested until `refresh` or the next run. */
  readonly stopped: boolean;
  /** Everyone's running or queued jobs there; missing while the socket does not report it. */
  readonly queueLength?: number | undefined;
  /** Jobs that run or wait may be missing from the list, since the server does not show its queue. */
  readonly liveUnknown?: boolean;
  /**
   * Jobs are queued and nothing moves: the server may have stopped running jobs (protocol 7.2). ms while we were awake.
   */
  readonly suspectedHang?: { readonly quietFor: number } | undefined;
}

/** A tracker's state; listeners are called when it changes. */
export class TrackerStates {
  readonly #listeners = new Set<(state: TrackerState) => void>();
  #now: TrackerState = { stream: { kind: 'closed' }, stopped: false };

  /** @param clock ms since the epoch */
  constructor(private readonly clock: () => number) {}

  get now(): TrackerState {
    return this.#now;
  }

  onDidChange(listener: (state: TrackerState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The server has sent something. */
  heard(): void {
    this.change({ heardAt: this.clock(), silent: undefined });
  }

  change(news: Partial<TrackerState>): void {
    const old = this.#now;
    this.#now = { ...old, ...news };
    const same =
      old.stream === this.#now.stream &&
      old.trouble === this.#now.trouble &&
      old.stopped === this.#now.stopped &&
      old.silent === this.#now.silent &&
      old.unread === this.#now.unread &&
      old.queueLength === this.#now.queueLength &&
      old.liveUnknown === this.#now.liveUnknown &&
      (old.suspectedHang === undefined) === (this.#now.suspectedHang === undefined);
    if (same) return;
    for (const listener of [...this.#listeners]) listener(this.#now);
  }
}
