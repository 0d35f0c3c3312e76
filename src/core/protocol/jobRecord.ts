import * as z from 'zod';
import { parsePythonJson } from '../json/boundedJson';
import { executionFailure, isBlockedBranch } from './executionFailure';
import type { JobStatus } from './jobStatus';
import { readJobState } from './jobStatus';
import type { ExecutionFailure, ServerEvent } from './serverEvent';
import { readDisplayNodes, readOutputs, readStoredEvents } from './storedRun';
import { wireInstant, isJobId, isRecord, wireList, wireOptional, wireObject } from './wire';

/** One row of the job list (protocol 2.1), or the same built from queue and history. Times are ms since the epoch. */
export interface JobListing {
  readonly id: string;
  readonly status: JobStatus;
  /** The state in the server's own word, for details and the log. */
  readonly rawStatus: string;
  readonly createdAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly failure?: ExecutionFailure | undefined;
  readonly outputsCount?: number | undefined;
}

/** Everything a server reports about one job (protocol 2.1, 4.2). */
export interface JobDetail extends JobListing {
  /** Node id -> raw output record, for `collectOutputs`. Missing until the job has ended. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** False if the server has no record of outputs: only events report them. */
  readonly tellsOutputs?: boolean;
  /** The server did not say that it has this job: its queue is unknown, and the job may be in it. */
  readonly isAssumed?: true;
  /** Executed node id -> node of the submitted prompt, for expanded nodes only. */
  readonly displayNodes: Readonly<Record<string, string>>;
  /** Events that the server stored about the run, in order: start, cached nodes, how it ended. */
  readonly events: readonly ServerEvent[];
}

/** An error record, which the status endpoint sends as JSON text or plain text (protocol 1.6). */
export const failureInAnyForm = z.union([
  executionFailure,
  z.string().transform((text): ExecutionFailure => {
    try {
      const inner = executionFailure.safeParse(parsePythonJson(text)).data;
      if (inner) return inner;
    } catch {
      // Plain text.
    }
    return { exceptionType: 'Error', message: text.trim(), traceback: [] };
  }),
]);

const jobEntry = z.object({
  id: z.string(),
  status: z.string(),
  create_time: wireOptional(wireInstant),
  execution_start_time: wireOptional(wireInstant),
  execution_end_time: wireOptional(wireInstant),
  execution_error: wireOptional(failureInAnyForm),
  outputs_count: wireOptional(z.number()),
});

const jobListing = jobEntry.transform((raw): JobListing => listingOf(raw));

/** Answer of `GET /api/jobs`. */
export const jobListings = z
  .object({
    jobs: wireList(jobListing),
    pagination: wireOptional(z.object({ has_more: z.boolean().catch(false) })),
  })
  .transform((raw) => ({
    // Skips rows without a usable id: nothing can be asked about them.
    jobs: raw.jobs.filter(({ id }) => isJobId(id)),
    hasMore: raw.pagination?.has_more ?? false,
  }));

/** Answer of `GET /api/jobs/{id}`. */
export const jobDetailAnswer = jobEntry
  .extend({
    outputs: wireOptional(wireObject),
    execution_status: wireOptional(wireObject),
    execution_meta: wireOptional(wireObject),
    workflow: wireOptional(wireObject),
  })
  .transform((raw): JobDetail => {
    const listing = listingOf(raw);
    const events = readStoredEvents(raw.execution_status);
    const outputs = listing.status.terminal && raw.outputs ? readOutputs(raw.outputs) : undefined;
    const prompt = raw.workflow?.['prompt'];
    return {
      ...withStoredFailure(listing, events),
      outputs,
      displayNodes: readDisplayNodes(outputs, raw.execution_meta, isRecord(prompt) ? prompt : undefined),
      events,
    };
  });

/** The stored flag may say success for a loop found at run time; an error message counts (protocol 3.4). */
function withStoredFailure(listing: JobListing, events: readonly ServerEvent[]): JobListing {
  const error = events.find((event) => event.type === 'executionError' && !event.blocked);
  if (error?.type !== 'executionError' || listing.status.state === 'cancelled') return listing;
  return { ...listing, status: readJobState('failed'), failure: listing.failure ?? error.failure };
}

function listingOf(raw: z.output<typeof jobEntry>): JobListing {
  const failure = raw.execution_error;
  return {
    id: raw.id,
    status: readJobState(raw.status),
    rawStatus: raw.status,
    createdAt: raw.create_time,
    startedAt: raw.execution_start_time,
    endedAt: raw.execution_end_time,
    failure: failure && !isBlockedBranch(failure) ? failure : undefined,
    outputsCount: raw.outputs_count,
  };
}
