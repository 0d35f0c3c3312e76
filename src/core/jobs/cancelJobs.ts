import { abortableSleep } from '../client/timing';
import { isTerminal } from './job';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import type { JobSource, ServerJobs } from './serverJobs';

/** `stillRunning`: the server accepted the request, and the job may still run. */
export type CancelResult = 'cancelled' | 'alreadyEnded' | 'stillRunning' | 'notFound';

export type CancelResults = ReadonlyMap<string, CancelResult>;

/** A job that was asked to end and may still run: nobody waits for it here any more. */
export class MayStillRun extends Error {
  override readonly name = 'MayStillRun';
  readonly nextAction: string;

  constructor(jobId: string) {
    super(t`The server accepted the cancellation, but the job may still be running.`);
    this.nextAction = t`Check job ${jobId} on the server before you run it again.`;
  }
}

/** A cancellation takes effect at the end of a node or step, so it is asked for often at first, then less (ms). */
const soon = 1_000;
const atFirst = 10_000;
const later = 5_000;
/** Questions in a row that may go unanswered: the request was accepted whatever happens to one answer. */
const mostUnanswered = 3;

/**
 * Cancels one job and reports only what the server then says: an accepted request is not yet an end, and some servers
 * accept it and continue (protocol 7.2). The job shows as cancelling from now on until it ends.
 */
export async function cancelAndConfirm(
  jobs: ServerJobs,
  client: JobSource,
  id: string,
  signal: AbortSignal,
): Promise<CancelResult> {
  if (isOver(jobs, id)) return 'alreadyEnded';
  const answer = await requestCancel(jobs, [id], () => client.cancel(id, signal), signal);
  if (answer === 'notFound') {
    jobs.observe({ kind: 'cancelRefused', id });
    return 'notFound';
  }
  if (answer === 'alreadyEnded') {
    await jobs.read(id, signal);
    return 'alreadyEnded';
  }
  return (await confirmCancelled(jobs, [id], true, signal)).get(id) ?? 'stillRunning';
}

/** The queue is never cleared: others may have added jobs in the meantime. */
export async function cancelWaitingAndConfirm(
  jobs: ServerJobs,
  client: JobSource,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CancelResults> {
  const open = ids.filter((id) => !isOver(jobs, id));
  const endsRunning = await requestCancel(jobs, open, () => client.deletePending(open, signal), signal);
  const results = await confirmCancelled(jobs, open, endsRunning, signal);
  return new Map(
    ids.map((id) => [id, results.get(id) ?? (open.includes(id) ? 'stillRunning' : 'alreadyEnded')]),
  );
}

async function requestCancel<T>(
  jobs: ServerJobs,
  ids: readonly string[],
  request: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (const id of ids) jobs.observe({ kind: 'cancelAsked', id });
  try {
    return await request();
  } catch (error) {
    // An abort does not call the request back: it may be on its way.
    if (!signal.aborted) for (const id of ids) jobs.observe({ kind: 'cancelRefused', id });
    throw error;
  }
}

/** @param endsRunning the server was asked to end them also if they run */
async function confirmCancelled(
  jobs: ServerJobs,
  ids: readonly string[],
  endsRunning: boolean,
  signal: AbortSignal,
): Promise<CancelResults> {
  const results = new Map<string, CancelResult>();
  let unanswered = 0;
  for (let waited = 0; ;) {
    for (const id of ids) {
      if (results.has(id)) continue;
      try {
        const result = await resultOf(jobs, id, endsRunning, signal);
        if (result) results.set(id, result);
        unanswered = 0;
      } catch (error) {
        if (!ServerError.is(error)) throw error;
        if (++unanswered > mostUnanswered) return results;
      }
    }
    if (results.size === ids.length || waited >= budgets.cancellation) return results;
    const wait = waited < atFirst ? soon : later;
    waited += wait;
    await abortableSleep(wait, signal);
  }
}

async function resultOf(
  jobs: ServerJobs,
  id: string,
  endsRunning: boolean,
  signal: AbortSignal,
): Promise<CancelResult | undefined> {
  if (!isOver(jobs, id)) {
    const detail = await jobs.read(id, signal);
    if (!detail) jobs.observe({ kind: 'cancelSeen', id });
    else if (detail.status.state === 'running' && !endsRunning) {
      // It had started before the request arrived: local servers remove only queued jobs.
      jobs.observe({ kind: 'cancelRefused', id });
      return 'stillRunning';
    }
  }
  const job = jobs.get(id);
  if (job && !isTerminal(job.state)) return undefined;
  return !job || job.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
}

function isOver(jobs: ServerJobs, id: string): boolean {
  const job = jobs.get(id);
  return job !== undefined && isTerminal(job.state);
}
