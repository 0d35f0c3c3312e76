import type { StreamState } from '../client/eventStream';
import type { ImageMime, ServerEvent } from '../protocol/serverEvent';
import type { Job, JobOrigin } from './job';
import type { JobSource, JobStream } from './jobSource';
import type { JobStore } from './jobStore';

/** A picture of a running job. */
export interface JobPreview {
  readonly jobId: string;
  readonly nodeId?: string;
  readonly mime: ImageMime;
  readonly image: Uint8Array;
}

/** What became of a request to cancel, after the server was asked whether it is so. */
export type CancelResult = 'cancelled' | 'alreadyEnded' | 'stillRunning' | 'notFound';

export interface TrackerState {
  /** The socket, and with it whether progress is live. */
  readonly stream: StreamState;
  /** Why the last poll failed; polling goes on unless `stopped`. */
  readonly trouble?: Error;
  /** The server does not let us in (401, 403): nothing is asked until `refresh`. */
  readonly stopped: boolean;
  /** Jobs wait and nothing moves: the server has probably stopped running jobs (protocol 7.2). ms since the epoch. */
  readonly suspectedHang?: { readonly since: number };
}

export interface JobTrackerOptions {
  /** Origin of the server. */
  readonly server: string;
  readonly client: JobSource;
  readonly stream: JobStream;
  readonly store: JobStore;
  readonly clock?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
  readonly onPreview?: ((preview: JobPreview) => void) | undefined;
}

export declare class JobTracker {
  constructor(options: JobTrackerOptions);
  readonly state: TrackerState;
  onDidChangeState(listener: (state: TrackerState) => void): () => void;
  start(): void;
  stop(): Promise<void>;
  /** The stream's `onEvent`. */
  heard(event: ServerEvent): void;
  /** The stream's `onState`. */
  streamChanged(state: StreamState): void;
  want(): () => void;
  /** Opens the socket for a run that is about to be sent; it stays open until the answer is called. */
  ready(signal?: AbortSignal): Promise<() => void>;
  refresh(signal?: AbortSignal): Promise<void>;
  follow(jobId: string): void;
  submitted(id: string, origin: JobOrigin, queuePosition?: number): void;
  details(jobId: string, signal?: AbortSignal): Promise<Job | undefined>;
  cancel(id: string, signal?: AbortSignal): Promise<CancelResult>;
  cancelPending(signal?: AbortSignal): Promise<void>;
  interruptRunning(id?: string, signal?: AbortSignal): Promise<void>;
  finished(jobId: string, signal?: AbortSignal): Promise<Job>;
  lastJobSeen(): string | undefined;
}
