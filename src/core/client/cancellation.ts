import { cancelAnswer } from '../protocol/answers';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { readAnswer } from './answerShape';
import type { Capabilities } from './capabilities';
import { readQueue } from './queueReader';
import { isMissingRoute } from './missingRoute';
import type { Transport } from './transport';
import { t } from '../safety/localize';

/**
 * `requested`: the server accepted the request and the job still runs; it ends at the next node or step.
 * `alreadyEnded`: it ended, one way or another, before the request arrived. `notFound`: the server does not know it.
 */
export type CancelResult = 'cancelled' | 'requested' | 'notFound' | 'alreadyEnded';

export interface Cancelling {
  readonly transport: Transport;
  readonly dialect: Capabilities['dialect'];
  /** Whether `POST /api/jobs/{id}/cancel` exists, if known; `learned` reports what was found out. */
  readonly jobCancel: boolean | undefined;
  readonly learned: (jobCancel: boolean) => void;
  readonly job: (id: string, signal?: AbortSignal) => Promise<JobDetail | undefined>;
}

/**
 * Cancels one job: with its cancel endpoint, or else depending on where it is in the queue (protocol 4.3). Other jobs
 * are never affected, and the result is what the server then reports for this one.
 */
export async function cancelJob(how: Cancelling, id: string, signal?: AbortSignal): Promise<CancelResult> {
  if (how.jobCancel !== false) {
    const taken = await askJobCancel(how, id, signal);
    if (taken === 'unknown') return 'notFound';
    if (taken !== 'noRoute') {
      const job = await how.job(id, signal);
      if (taken === 'taken') return stateAfterCancel(job);
      if (!job) return 'notFound';
      if (job.status.state === 'cancelled') return stateAfterCancel(job);
      if (job.status.terminal) return 'alreadyEnded';
    }
  }
  return cancelThroughQueue(how, id, signal);
}

/** A pending job of a local server is gone without a trace when it is cancelled (protocol 1.9). */
function stateAfterCancel(job: JobDetail | undefined): CancelResult {
  if (!job) return 'cancelled';
  if (!job.status.terminal) return 'requested';
  return job.status.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
}

async function askJobCancel(
  how: Cancelling,
  id: string,
  signal?: AbortSignal,
): Promise<'taken' | 'declined' | 'unknown' | 'noRoute'> {
  const path = `/api/jobs/${encodeURIComponent(id)}/cancel`;
  const endpoint = `POST ${path}`;
  const answer = await how.transport.request({
    method: 'POST',
    path,
    accepts: (status) => status === 404 || status === 405,
    signal,
  });
  if (isMissingRoute(answer)) {
    how.learned(false);
    return 'noRoute';
  }
  how.learned(true);
  if (answer.status === 404) return 'unknown';
  if (answer.status === 405) throw refusalError({ endpoint, status: 405, bodyText: answer.text });
  return readAnswer(cancelAnswer, answer.text, endpoint).cancelled ? 'taken' : 'declined';
}

/** Without a cancel endpoint: remove it from the queue while it waits, interrupt it if it is the one running. */
async function cancelThroughQueue(how: Cancelling, id: string, signal?: AbortSignal): Promise<CancelResult> {
  const { transport, dialect } = how;
  let queue = await readQueue(transport, budgets.queueOnce, signal);
  if (isPending(queue, id) || (dialect === 'cloud' && isRunning(queue, id))) {
    // By its newer contract, the cloud removes running jobs this way too (protocol 1.9).
    await transport.request({ method: 'POST', path: '/api/queue', body: { json: { delete: [id] } }, signal });
    queue = await readQueue(transport, budgets.queueOnce, signal);
    if (!isPending(queue, id) && !isRunning(queue, id)) return stateAfterCancel(await how.job(id, signal));
  }
  if (isRunning(queue, id)) {
    await interruptRunning(how, queue, id, signal);
    return 'requested';
  }
  if (isPending(queue, id)) return 'requested';
  const job = await how.job(id, signal);
  if (!job) return 'notFound';
  return job.status.state === 'cancelled' ? stateAfterCancel(job) : 'alreadyEnded';
}

/**
 * The cloud's interrupt takes no ID and may stop any of the account's jobs, and old local servers ignore the ID: so it
 * is only sent if this job is the only one running.
 */
async function interruptRunning(
  how: Cancelling,
  queue: QueueSnapshot,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = '/api/interrupt';
  if (queue.running.length !== 1) {
    throw new ServerError(t`This server can't cancel one of several running jobs.`, {
      reason: 'badRequest',
      endpoint: `POST ${path}`,
      nextAction: t`Wait for the other jobs to end, then cancel again.`,
    });
  }
  const body = how.dialect === 'local' ? { body: { json: { prompt_id: id } } } : {};
  await how.transport.request({ method: 'POST', path, ...body, signal });
}

function isPending(queue: QueueSnapshot, id: string): boolean {
  return queue.pending.some((item) => item.id === id);
}

function isRunning(queue: QueueSnapshot, id: string): boolean {
  return queue.running.some((item) => item.id === id);
}
