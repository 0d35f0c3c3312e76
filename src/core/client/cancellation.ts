import { cancelAnswer } from '../protocol/answers';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { readAnswer } from './answerShape';
import type { Capabilities } from './capabilities';
import { readKnownQueue } from './queueReader';
import { isMissingRoute } from './missingRoute';
import type { Transport } from './transport';
import { t } from '../safety/localize';

/**
 * `requested`: the server accepted the request and the job still runs; it ends at the next node or step.
 * `alreadyEnded`: it ended, one way or another, before the request arrived. `notFound`: the server does not know it.
 */
export type CancelAnswer = 'cancelled' | 'requested' | 'notFound' | 'alreadyEnded';

export interface Cancelling {
  readonly transport: Transport;
  readonly dialect: Capabilities['dialect'];
  /** Whether `POST /api/jobs/{id}/cancel` exists, if known; `learned` reports what was found out. */
  readonly jobCancel: boolean | undefined;
  readonly learned: (jobCancel: boolean) => void;
  readonly job: (id: string, signal?: AbortSignal) => Promise<JobDetail | undefined>;
}

/** Other jobs are never affected, and the result is what the server then reports for this one (protocol 4.3). */
export async function cancelJob(how: Cancelling, id: string, signal?: AbortSignal): Promise<CancelAnswer> {
  if (how.jobCancel !== false) {
    const taken = await askJobCancel(how, id, signal);
    if (taken === 'unknown') return 'notFound';
    if (taken === 'taken') return how.job(id, signal).then(stateAfterCancel).catch(unanswered);
    if (taken !== 'noRoute') {
      const job = await how.job(id, signal);
      if (!job) return 'notFound';
      if (job.status.state === 'cancelled') return stateAfterCancel(job);
      if (job.status.terminal) return 'alreadyEnded';
    }
  }
  return cancelThroughQueue(how, id, signal);
}

/** A pending job of a local server is gone without a trace when it is cancelled (protocol 1.9). */
function stateAfterCancel(job: JobDetail | undefined): CancelAnswer {
  if (!job) return 'cancelled';
  if (!job.status.terminal) return 'requested';
  return job.status.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
}

/** The answer to a question beside the cancellation itself: without one, the server accepted it all the same. */
function unanswered(error: unknown): 'requested' {
  if (!ServerError.is(error)) throw error;
  return 'requested';
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

async function cancelThroughQueue(how: Cancelling, id: string, signal?: AbortSignal): Promise<CancelAnswer> {
  const before = how.dialect === 'cloud' ? undefined : await readKnownQueue(how.transport, signal);
  if (!before) return deleteById(how, id, signal);
  let queue: QueueSnapshot = before;
  if (isPending(before, id)) {
    await sendDelete(how.transport, id, signal);
    const after = await readKnownQueue(how.transport, signal).catch(unanswered);
    if (!after || after === 'requested') return 'requested';
    queue = after;
    if (!isPending(queue, id) && !isRunning(queue, id))
      return how.job(id, signal).then(stateAfterCancel).catch(unanswered);
  }
  if (isRunning(queue, id)) {
    await interruptRunning(how.transport, queue, id, signal);
    return 'requested';
  }
  if (isPending(queue, id)) return 'requested';
  return stateOfUnqueued(await how.job(id, signal));
}

/**
 * Removes the job by its ID alone, whether it waits or runs there, and leaves every other job alone: the cloud's
 * interrupt names no job and could stop the next one, and who runs is unknown without a queue (protocol 1.9, 1.10).
 */
async function deleteById(how: Cancelling, id: string, signal?: AbortSignal): Promise<CancelAnswer> {
  const before = await how.job(id, signal).catch(unanswered);
  const known = before === 'requested' ? undefined : before;
  if (known?.status.terminal) return stateOfUnqueued(known);
  await sendDelete(how.transport, id, signal);
  const read = (after: JobDetail | undefined) =>
    known ? stateAfterCancel(after) : stateOfUnqueued(after, 'requested');
  return how.job(id, signal).then(read).catch(unanswered);
}

async function sendDelete(transport: Transport, id: string, signal?: AbortSignal): Promise<void> {
  await transport.request({ method: 'POST', path: '/api/queue', body: { json: { delete: [id] } }, signal });
}

/** A job that was in no queue; `live` is the result for one that has not ended either. */
function stateOfUnqueued(job: JobDetail | undefined, live: CancelAnswer = 'alreadyEnded'): CancelAnswer {
  if (!job) return 'notFound';
  if (job.status.state === 'cancelled') return stateAfterCancel(job);
  return job.status.terminal ? 'alreadyEnded' : live;
}

/** Old local servers ignore the ID: so it is only sent if this job is the only one running. */
async function interruptRunning(
  transport: Transport,
  queue: QueueSnapshot,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = '/api/interrupt';
  if (queue.running.length !== 1) {
    throw new ServerError(t`This server can't cancel a single job while several are running.`, {
      reason: 'badRequest',
      endpoint: `POST ${path}`,
      nextAction: t`Wait for the other jobs to finish, then cancel again.`,
    });
  }
  await transport.request({ method: 'POST', path, body: { json: { prompt_id: id } }, signal });
}

function isPending(queue: QueueSnapshot, id: string): boolean {
  return queue.pending.some((item) => item.id === id);
}

function isRunning(queue: QueueSnapshot, id: string): boolean {
  return queue.running.some((item) => item.id === id);
}
