import type { StreamState } from '../client/eventStream';

export interface TrackerState {
  readonly stream: StreamState;
  /** Why the last poll failed; polling continues unless `stopped`. */
  readonly trouble?: Error | undefined;
  /** When something was heard of the server last, ms since the epoch; missing before its first answer. */
  readonly heardAt?: number;
  readonly silent?: true | undefined;
  /** Why a message of the server was not read: progress may be missing. One sentence. */
  readonly unread?: string;
  /** The server refuses access (401, 403): nothing is requested until `refresh` or the next run. */
  readonly stopped: boolean;
  /** Everyone's running or queued jobs there; missing while the socket does not report it. */
  readonly queueLength?: number | undefined;
  /** Jobs that run or wait may be missing from the list, since the server does not show its queue. */
  readonly liveUnknown?: boolean;
  /** ms awake without progress while jobs are queued: the server may have stopped running jobs (protocol 7.2). */
  readonly suspectedHang?: { readonly quietFor: number } | undefined;
}
