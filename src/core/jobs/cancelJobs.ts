import type { CancelResult as CancelAnswer } from '../client/cancellation';
import { abortableSleep } from '../client/timing';
import { isTerminal } from './job';
import type { JobSource } from './jobSource';
import type { ServerJobs } from './serverJobs';

/** The result of a cancellation, verified with the server. */
export type CancelResult = 'cancelled' | 'alreadyEnded' | 'stillRunning' | 'notFound';

/** Job ID -> result, for every requested job. */
export type CancelResults = ReadonlyMap<string, CancelResult>;

/** An interruption takes effect at the end of a node or step: how long to wait for it, and how often to ask. */
const patience = 10_000;
const every = 1_000;

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
  const before = jobs.get(id);
  if (before && isTerminal(before.state)) return 'alreadyEnded';
  jobs.observe({ kind: 'cancelAsked', id });
  let answer: CancelAnswer;
  try {
    answer = await client.cancel(id, signal);
  } catch (error) {
    // An abort does not call the request back: it may be on its way.
    if (!signal.aborted) jobs.observe({ kind: 'cancelRefused', id });
    throw error;
  }
  if (answer === 'notFound') {
    jobs.observe({ kind: 'cancelRefused', id });
    return 'notFound';
  }
  if (answer === 'alreadyEnded') {
    await jobs.read(id, signal);
    return 'alreadyEnded';
  }
  return confirm(jobs, id, signal);
}

async function confirm(jobs: ServerJobs, id: string, signal: AbortSignal): Promise<CancelResult> {
  for (let waited = 0; ; waited += every) {
    if (!isOver(jobs, id) && !(await jobs.read(id, signal))) jobs.observe({ kind: 'cancelSeen', id });
    const job = jobs.get(id);
    if (!job || isTerminal(job.state))
      return !job || job.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
    if (waited >= patience) return 'stillRunning';
    await abortableSleep(every, signal);
  }
}

/**
 * Removes jobs from the queue by ID, and finds out what happened to each. The queue is never cleared: others may have
 * added jobs in the meantime.
 */
export async function cancelWaitingAndConfirm(
  jobs: ServerJobs,
  client: JobSource,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CancelResults> {
  const results = new Map<string, CancelResult>(ids.map((id) => [id, 'alreadyEnded']));
  let open = ids.filter((id) => !isOver(jobs, id));
  for (const id of open) jobs.observe({ kind: 'cancelAsked', id });
  try {
    await client.deletePending(open, signal);
  } catch (error) {
    if (!signal.aborted) for (const id of open) jobs.observe({ kind: 'cancelRefused', id });
    throw error;
  }
  for (let waited = 0; ; waited += every) {
    const moving: string[] = [];
    for (const id of open) {
      const result = await outOfQueue(jobs, id, signal);
      if (result) results.set(id, result);
      else moving.push(id);
    }
    open = moving;
    if (open.length === 0) return results;
    if (waited >= patience) break;
    await abortableSleep(every, signal);
  }
  for (const id of open) {
    results.set(id, 'stillRunning');
    jobs.observe({ kind: 'cancelRefused', id });
  }
  return results;
}

/** What happened to a job that was removed from the queue; undefined while the server is still at it. */
async function outOfQueue(
  jobs: ServerJobs,
  id: string,
  signal: AbortSignal,
): Promise<CancelResult | undefined> {
  if (!isOver(jobs, id)) {
    const detail = await jobs.read(id, signal);
    if (!detail) jobs.observe({ kind: 'cancelSeen', id });
    else if (detail.status.state === 'running') {
      // It had started before the request arrived: local servers remove only queued jobs.
      jobs.observe({ kind: 'cancelRefused', id });
      return 'stillRunning';
    }
  }
  if (!isOver(jobs, id)) return undefined;
  return jobs.get(id)?.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
}

function isOver(jobs: ServerJobs, id: string): boolean {
  const job = jobs.get(id);
  return job !== undefined && isTerminal(job.state);
}
