import type { JobStatus } from './jobStatus';
import type { OutputFile } from './outputFile';
import type { ExecutionFailure, ServerEvent } from './serverEvent';

/** One row of the list of jobs (protocol 2.1), or the same made from queue and history. Times are ms since the epoch. */
export interface JobListing {
  readonly id: string;
  readonly status: JobStatus;
  /** The state in the server's own word, for the curious and the log. */
  readonly rawStatus: string;
  readonly createdAt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly failure?: ExecutionFailure;
  /** A representative output, never all of them. */
  readonly previewOutput?: OutputFile;
  readonly outputsCount?: number;
  /** Place in the server's order: lower is sooner. Local servers only. */
  readonly priority?: number;
}

/** All that a server tells of one job (protocol 2.1, 4.2). */
export interface JobDetail extends JobListing {
  /** Node id -> raw output record, for `collectOutputs`. Missing while the job has not ended. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Executed node id -> node of the submitted prompt, for expanded nodes only. */
  readonly displayNodes: Readonly<Record<string, string>>;
  /** What the server stored of the run, in order: start, cached nodes, how it ended. */
  readonly events: readonly ServerEvent[];
}
