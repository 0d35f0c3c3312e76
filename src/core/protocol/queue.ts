/** A job in the queue. The prompt that a server sends along is not kept: it can be megabytes. */
export interface QueueItem {
  readonly id: string;
  /** The server's own number; lower runs sooner. May be negative or a fraction. */
  readonly number: number;
  /** 1 is next; only of pending items. */
  readonly position?: number;
  /** Milliseconds since the epoch. */
  readonly createTime?: number;
}

/** `pending` is in the order in which the server will run it. */
export interface QueueSnapshot {
  readonly running: readonly QueueItem[];
  readonly pending: readonly QueueItem[];
}
