import type { CancelResult as CancelAnswer } from '../client/cancellation';
import { abortableSleep } from '../client/timing';
import { isTerminal } from './job';
import type { JobSource } from './jobSource';
import type { JobDetail } from '../protocol/jobRecord';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import type { ServerJobs } from './serverJobs';

/**
 * The result of a cancellation, verified with the server. `stillRunning`: it accepted the request, and the job may
 * still run.
 */
export type CancelResult = 'cancelled' | 'alreadyEnded' | 'stillRunning' | 'notFound';

/** Job ID -> result, for every requested job. */
export type CancelResults = ReadonlyMap<string, CancelResult>;

/** A job that was asked to end and may still run: nobody waits for it here any more. */
export class MayStillRun extends Error {
  override readonly name = 'MayStillRun';
  readonly nextAction: string;

  constructor(jobId: string) {
    super(t`The server accepted the cancellation, but the job may still run there.`);
    this.nextAction = t`Check job ${jobId} on the server before you run it again.`;
  }
}

/**
 * A cancellation takes effect at the end of a node or step, or when a service gets to it: how often to ask at first,
 * until when, and how often later, ms.
 */
const soon = 1_000;
const atFirst = 10_000;
const later = 5_000;
/** Questions in a row that may go unanswered: the request was accepted whatever happens to one answer. */
const mostUnanswered = 3;

/** The wait for a cancellation to take effect. */
class Confirming {
  #waited = 0;
  #unanswered = 0;

  constructor(
    private readonly jobs: ServerJobs,
    private readonly signal: AbortSignal,
  ) {}

  /** What the server says about the job now. */
  async read(id: string): Promise<JobDetail | 'unknown' | 'unanswered'> {
    try {
      const detail = await this.jobs.read(id, this.signal);
      this.#unanswered = 0;
      return detail ?? 'unknown';
    } catch (error) {
      if (!ServerError.is(error) || ++this.#unanswered > mostUnanswered) throw error;
      return 'unanswered';
    }
  }

  /** Waits before the next question; false once it has taken as long as it may. */
  async goesOn(): Promise<boolean> {
    if (this.#waited >= budgets.cancellation) return false;
    const wait = this.#waited < atFirst ? soon : later;
    this.#waited += wait;
    await abortableSleep(wait, this.signal);
    return true;
  }
}

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
  const confirming = new Confirming(jobs, signal);
  do {
    if (!isOver(jobs, id) && (await confirming.read(id)) === 'unknown')
      jobs.observe({ kind: 'cancelSeen', id });
    const job = jobs.get(id);
    if (!job || isTerminal(job.state))
      return !job || job.state === 'cancelled' ? 'cancelled' : 'alreadyEnded';
  } while (await confirming.goesOn());
  return 'stillRunning';
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
  let endsRunning: boolean;
  try {
    endsRunning = await client.deletePending(open, signal);
  } catch (error) {
    if (!signal.aborted) for (const id of open) jobs.observe({ kind: 'cancelRefused', id });
    throw error;
  }
  const confirming = new Confirming(jobs, signal);
  do {
    const moving: string[] = [];
    for (const id of open) {
      const result = await outOfQueue(jobs, confirming, id, endsRunning);
      if (result) results.set(id, result);
      else moving.push(id);
    }
    open = moving;
    if (open.length === 0) return results;
  } while (await confirming.goesOn());
  for (const id of open) results.set(id, 'stillRunning');
  return results;
}

/** What happened to a job that was removed from the queue; undefined while the server is still at it. */
async function outOfQueue(
  jobs: ServerJobs,
  confirming: Confirming,
  id: string,
  endsRunning: boolean,
): Promise<CancelResult | undefined> {
  if (!isOver(jobs, id)) {
    const told = await confirming.read(id);
    if (told === 'unanswered') return undefined;
    if (told === 'unknown') jobs.observe({ kind: 'cancelSeen', id });
    else if (told.status.state === 'running' && !endsRunning) {
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
