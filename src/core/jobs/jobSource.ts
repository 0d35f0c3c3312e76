import type { CancelAnswer as CancelAnswer } from '../client/cancellation';
import type { StreamState } from '../client/eventStream';
import type { JobsPage, JobsQuery } from '../client/jobReading';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';

/** The requests that the tracker needs. The execution client provides them. */
export interface JobSource {
  queue(signal?: AbortSignal): Promise<QueueSnapshot>;
  jobs(query?: JobsQuery, signal?: AbortSignal): Promise<JobsPage>;
  job(id: string, signal?: AbortSignal): Promise<JobDetail | undefined>;
  cancel(id: string, signal?: AbortSignal): Promise<CancelAnswer>;
  /** Removes queued jobs by ID; true if the server also ends those that run. */
  deletePending(ids: readonly string[], signal?: AbortSignal): Promise<boolean>;
}

/** The event socket as the tracker opens and closes it. Its messages arrive through `heard` and `streamChanged`. */
export interface JobStream {
  readonly state: StreamState;
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
