import type { CancelResult as CancelAnswer } from '../client/cancellation';
import { abortableSleep } from '../client/timing';
import { isTerminal } from './job';
import type { JobSource } from './jobSource';
import type { ServerJobs } from './serverJobs';

/** What became of a request to cancel, after the server was asked whether it is so. */
export type CancelResult = 'cancelled' | 'alreadyEnded' | 'stillRunning' | 'notFound';

/** What became of the jobs that waited. */
export interface CancelledPending {
  readonly cancelled: readonly string[];
  /** They had begun to run, or the server kept them. */
  readonly notCancelled: readonly string[];
}

/** An interruption takes effect at the end of a node or step: how long the answer waits for it, and how often it asks. */
const patience = 10_000;
const every = 1_000;

/**
 * Cancels one job and says only what the server then says: that a request was taken is not yet an end, and some servers
 * take it and go on (protocol 7.2). The job shows as cancelling at once and for as long as it has not ended.
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

/** Empties the server's list of waiting jobs, whoever sent them, and finds out what became of each. */
export async function clearPendingAndConfirm(
  jobs: ServerJobs,
  client: JobSource,
  signal: AbortSignal,
): Promise<CancelledPending> {
  const waiting = (await jobs.readQueue(signal)).pending.map((item) => item.id);
  for (const id of waiting) jobs.observe({ kind: 'cancelAsked', id });
  let left: ReadonlySet<string>;
  try {
    await client.clearPending(signal);
    const queue = await jobs.readQueue(signal);
    left = new Set([...queue.running, ...queue.pending].map((item) => item.id));
  } catch (error) {
    if (!signal.aborted) for (const id of waiting) jobs.observe({ kind: 'cancelRefused', id });
    throw error;
  }
  const cancelled: string[] = [];
  const notCancelled: string[] = [];
  for (const id of waiting) {
    if (left.has(id)) jobs.observe({ kind: 'cancelRefused', id });
    else if (!isOver(jobs, id) && !(await jobs.read(id, signal))) jobs.observe({ kind: 'cancelSeen', id });
    (jobs.get(id)?.state === 'cancelled' ? cancelled : notCancelled).push(id);
  }
  return { cancelled, notCancelled };
}

function isOver(jobs: ServerJobs, id: string): boolean {
  const job = jobs.get(id);
  return job !== undefined && isTerminal(job.state);
}
