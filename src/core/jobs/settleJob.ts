import { abortableSleep } from '../client/timing';
import type { JobDetail } from '../protocol/jobRecord';
import { ServerError } from '../protocol/serverError';
import type { Job } from './job';
import { listedOutputs } from './outputCount';
import type { ServerJobs } from './serverJobs';
import { t } from '../safety/localize';

/** Outputs can arrive after the end; ask this many more times, this many ms apart (protocol 2.1). */
const retries = 8;
const apart = 1_000;
/** A local server reports the end first and stores the run a moment later (protocol 3.3). */
const untilStored = 250;
/** Wait for events in transit when a poll reports the end of a job without a record: more reads than the first. */
const readsForEvents = 2;

/**
 * Reads what an ended job left behind, until it is complete or does not arrive. `stored` triggers the first read: the
 * server said that the run is in its history.
 */
export async function settleJob(
  jobs: Pick<ServerJobs, 'get' | 'read'>,
  id: string,
  stored: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  await abortableSleep(untilStored, AbortSignal.any([stored, signal])).catch(() => signal.throwIfAborted());
  for (let attempt = 0; ; attempt++) {
    const detail = await readUnlessTold(jobs, id, signal);
    if (detail === 'told') return;
    const job = jobs.get(id);
    if (!job || isWhole(job, detail)) return;
    // Only events contain such a job's outputs, and they end when the server says so.
    if (detail?.tellsOutputs === false && (stored.aborted || attempt >= readsForEvents)) return;
    if (attempt >= retries) {
      if (job.state === 'completed' && !isRecorded(job, detail)) throw unrecorded(id);
      return;
    }
    await abortableSleep(apart, signal);
  }
}

/** Its record, unless the server answers without it and events told of its success and of outputs, with none missed. */
async function readUnlessTold(
  jobs: Pick<ServerJobs, 'get' | 'read'>,
  id: string,
  signal: AbortSignal,
): Promise<JobDetail | undefined | 'told'> {
  try {
    return await jobs.read(id, signal);
  } catch (error) {
    const isRefused = ServerError.is(error) && error.reason !== 'network' && error.reason !== 'timeout';
    if (isRefused && isTold(jobs.get(id))) return 'told';
    throw error;
  }
}

/** Events told of its success and of outputs, with none missed. */
export function isTold(job: Job | undefined): boolean {
  return job?.heardEnd === true && !job.missedEvents && isRecorded(job, undefined);
}

/** The server's own record is final; one that it does not keep is replaced by what events reported. */
function isRecorded({ outputs, texts }: Job, detail: JobDetail | undefined): boolean {
  return detail ? detail.status.terminal : outputs.length + texts.length > 0;
}

/** The outputs of such a job are unknown: "none" would give them up. */
function unrecorded(id: string): ServerError {
  return new ServerError(
    t`The server reported that the job finished, but its history doesn't show that yet.`,
    {
      reason: 'unexpectedShape',
      endpoint: `GET /api/jobs/${id}`,
      nextAction: t`Save the outputs again later. You don't need to rerun the job.`,
    },
  );
}

/** Nothing more will be learned about the job. */
function isWhole(job: Job, detail: JobDetail | undefined): boolean {
  // Removed while queued, or forgotten: there is no record to wait for.
  if (job.state === 'lost' || job.state === 'cancelled') return true;
  if (!detail?.status.terminal) return false;
  if (job.state === 'failed') return job.failure !== undefined;
  // Every accepted prompt has an output node: a record without outputs, or a count of 0, may be outdated.
  return listedOutputs(detail) >= Math.max(1, detail.outputsCount ?? 1);
}
