import { abortableSleep } from '../client/timing';
import type { JobDetail } from '../protocol/jobRecord';
import { ServerError } from '../protocol/serverError';
import type { Job } from './job';
import { listedOutputs } from './outputCount';
import type { ServerJobs } from './serverJobs';
import { t } from '../safety/localize';

/** Outputs can come later than the end; asked this many times more, this many ms apart (protocol 2.1). */
const retries = 8;
const apart = 1_000;
/** A local server tells the end first and stores the run a moment later (protocol 3.3). */
const untilStored = 250;
/** Events that are on their way when a poll has told the end of a job that has no record: reads more than the first. */
const readsForEvents = 2;

/**
 * Reads what a job that has ended left behind, until it is all there or does not come. `stored` wakes the first read:
 * the server said that the run is in its history.
 */
export async function settleJob(
  jobs: Pick<ServerJobs, 'get' | 'read'>,
  id: string,
  stored: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  await abortableSleep(untilStored, AbortSignal.any([stored, signal])).catch(() => signal.throwIfAborted());
  for (let attempt = 0; ; attempt++) {
    const detail = await jobs.read(id, signal);
    const job = jobs.get(id);
    if (!job || isWhole(job, detail)) return;
    // Nothing but events tells what such a job made, and they are over when the server has said so.
    if (detail?.tellsOutputs === false && (stored.aborted || attempt >= readsForEvents)) return;
    if (attempt >= retries) {
      if (job.state === 'completed' && !isRecorded(job, detail)) throw unrecorded(id);
      return;
    }
    await abortableSleep(apart, signal);
  }
}

/** The server's own record of the job is of its end; one that it does not keep is made up for by what it told before. */
function isRecorded({ outputs, texts }: Job, detail: JobDetail | undefined): boolean {
  return detail ? detail.status.terminal : outputs.length + texts.length > 0;
}

/** What such a job made is not known: to say "nothing" would let go of it. */
function unrecorded(id: string): ServerError {
  return new ServerError(
    t`The server reported that the job has ended, but its own record of the job doesn't say so.`,
    {
      reason: 'unexpectedShape',
      endpoint: `GET /api/jobs/${id}`,
      nextAction: t`Save the outputs of the job in a while; there is no need to run it again.`,
    },
  );
}

/** Nothing more will come of the job than what is known. */
function isWhole(job: Job, detail: JobDetail | undefined): boolean {
  // Deleted while it waited, or forgotten: there is no record to wait for.
  if (job.state === 'lost' || job.state === 'cancelled') return true;
  if (!detail?.status.terminal) return false;
  if (job.state === 'failed') return job.failure !== undefined;
  // Every prompt that is taken has an output node: a record without outputs, and a count of 0, may lag behind.
  return listedOutputs(detail) >= Math.max(1, detail.outputsCount ?? 1);
}
