import type { Features, SystemStats, UploadAnswer, UserAnswer } from '../protocol/answers';
import type { JobDetail, JobListing } from '../protocol/jobRecord';
import type { JobStatus } from '../protocol/jobStatus';
import type { OutputFile } from '../protocol/outputFile';
import type { QueueSnapshot } from '../protocol/queue';
import type { CancelResult } from './cancellation';
import type { Capabilities } from './capabilities';
import type { Submission, SubmissionAnswer } from './submission';
import type { Transport } from './transport';
import type { ImageUpload, MaskUpload } from './uploads';
import type { ViewAnswer, ViewOptions } from './view';

export interface JobsQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Cursor of an earlier page; cloud only. */
  readonly after?: string | undefined;
  readonly status?: readonly ('pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled')[] | undefined;
}

export interface JobsPage {
  readonly jobs: readonly JobListing[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

export declare class ExecutionClient {
  constructor(transport: Transport, capabilities: () => Promise<Capabilities>);
  objectInfo(
    onBytes?: (received: number, total: number | undefined) => void,
    signal?: AbortSignal,
  ): Promise<string>;
  uploadImage(upload: ImageUpload, signal?: AbortSignal): Promise<UploadAnswer>;
  uploadMask(upload: MaskUpload, signal?: AbortSignal): Promise<UploadAnswer>;
  submit(submission: Submission, signal?: AbortSignal): Promise<SubmissionAnswer>;
  jobStatus(id: string, signal?: AbortSignal): Promise<JobStatus | undefined>;
  jobs(query?: JobsQuery, signal?: AbortSignal): Promise<JobsPage>;
  job(id: string, signal?: AbortSignal): Promise<JobDetail | undefined>;
  cancel(id: string, signal?: AbortSignal): Promise<CancelResult>;
  cancelMany(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, CancelResult>>;
  clearPending(signal?: AbortSignal): Promise<void>;
  interrupt(id?: string, signal?: AbortSignal): Promise<void>;
  queue(signal?: AbortSignal): Promise<QueueSnapshot>;
  history(id?: string, signal?: AbortSignal): Promise<readonly JobDetail[]>;
  systemStats(signal?: AbortSignal): Promise<SystemStats>;
  features(signal?: AbortSignal): Promise<Features>;
  user(signal?: AbortSignal): Promise<UserAnswer>;
  view(file: OutputFile, options?: ViewOptions): Promise<ViewAnswer>;
}
