import { budgets } from '../safety/budgets';
import { endSentence } from '../safety/endSentence';
import { mapDefined } from '../safety/lists';
import { abortableSleep, orAborted } from '../client/timing';
import { isTerminal, type Job } from './job';
import { jobLabel } from './jobWords';
import type { ServerJobs } from './serverJobs';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { listedOutputs } from './outputCount';
import { t } from '../safety/localize';

interface Waiter {
  readonly resolve: (job: Job) => void;
  readonly reject: (error: Error) => void;
}

interface Following {
  readonly waiters: Waiter[];
  /** Aborted when the server says that the run is stored. */
  readonly stored: AbortController;
  /** The job counted as lost and the server has it again, so it is tracked to its actual end. */
  foundAgain: boolean;
  settling?: Promise<void>;
  failures: number;
}

/** A server that answers everything but this: callers learn what events told, or that the outputs are unknown. */
const mostFailures = 5;
const mostRemembered = 10_000;
/** Runs that were stored before the answer that names their job. */
const mostEarly = 100;

/** The jobs being tracked until they have ended and their outputs are known, and who waits for them. */
export class FollowedJobs {
  readonly #following = new Map<string, Following>();
  readonly #settled = new Set<string>();
  #storedEarly: readonly string[] = [];

  /** @param onTrouble the outputs of a job couldn't be read: the next `settle` tries again */
  constructor(
    private readonly jobs: ServerJobs,
    private readonly onTrouble: (error: unknown) => void,
    private readonly onChange: () => void,
  ) {}

  get size(): number {
    return this.#following.size;
  }

  has(id: string): boolean {
    return this.#following.has(id);
  }

  open(): string[] {
    return [...this.#following.keys()].filter((id) => !this.#endOf(id));
  }

  isSettled(id: string): boolean {
    return this.#settled.has(id);
  }

  add(id: string, signal: AbortSignal, foundAgain = false): void {
    if (this.#following.has(id) || (this.#settled.has(id) && !foundAgain)) return;
    const stored = new AbortController();
    if (this.#storedEarly.includes(id)) stored.abort();
    this.#following.set(id, { waiters: [], stored, foundAgain, failures: 0 });
    this.onChange();
    this.settle(id, signal);
  }

  /** Resolves when a tracked job is settled. An abort ends only the wait. */
  wait(id: string, signal: AbortSignal | undefined): Promise<Job> {
    const following = this.#following.get(id);
    const settled = new Promise<Job>((resolve, reject) => {
      const job = this.jobs.get(id);
      if (following) following.waiters.push({ resolve, reject });
      else if (job) resolve(job);
      else reject(new DOMException('The job is no longer tracked.', 'AbortError'));
    });
    return signal ? orAborted(settled, signal) : settled;
  }

  /** A server may have run a prompt before it answers that it accepted it. */
  stored(id: string): void {
    const following = this.#following.get(id);
    if (following) following.stored.abort();
    else this.#storedEarly = [...this.#storedEarly, id].slice(-mostEarly);
  }

  ids(): readonly string[] {
    return [...this.#following.keys()];
  }

  settle(id: string, signal: AbortSignal): void {
    const following = this.#following.get(id);
    const end = this.#endOf(id);
    if (!following || following.settling || !end) return;
    if (end.state === 'lost') {
      this.#close(id);
      return;
    }
    following.settling = settleJob(this.jobs, id, following.stored.signal, signal).then(
      () => {
        // If no event told its end, what others would have told before that did not come either.
        this.jobs.observe({ kind: 'missed', id });
        this.#close(id);
      },
      (error: unknown) => {
        delete following.settling;
        if (signal.aborted) return;
        following.failures++;
        if (following.failures < mostFailures) this.onTrouble(error);
        else if (isReported(this.jobs.get(id))) this.#close(id);
        else this.drop(id, error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  /**
   * One poll: each tracked job, by its own record. The queue contains everyone's jobs with full prompts, so it is read
   * only for a view that shows it or for our own queued job, and less often when it is large. It is read first, because a
   * job moves from it to the history (protocol 4.3).
   * @param list a view shows the jobs of others too
   * @param queueRemaining everyone's running and queued jobs, as last reported by the socket
   * @returns the queue, if it is known, and whether it takes more polls to conclude that a job is gone
   */
  async read(
    list: boolean,
    queueRemaining: number | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly queue: QueueSnapshot | undefined; readonly lookAgain: boolean }> {
    const { jobs } = this;
    const open = this.open();
    const wanted = list || open.some((id) => jobs.get(id)?.state === 'pending');
    const queue = wanted ? await jobs.readQueue(signal) : undefined;
    if (list) await jobs.readList(signal);
    const queued = new Set(queue ? [...queue.running, ...queue.pending].map((item) => item.id) : []);
    const others = list ? jobs.live().filter((job) => !this.has(job.id)) : [];
    const unseen = [...open, ...others.map((job) => job.id)].filter((id) => !queued.has(id));
    let lookAgain = false;
    for (const id of jobs.leastLookedFor(unseen, budgets.jobsLookedFor)) {
      const found = await jobs.lookFor(id, signal);
      if (found === 'missing') lookAgain = true;
      if (found !== 'gone') continue;
      const following = this.#following.get(id);
      if (!jobs.get(id)) this.drop(id, unknownJob(id));
      else if (following) following.foundAgain = false;
    }
    return { queue: wanted ? jobs.lastQueue : this.#ownQueue(open, queueRemaining), lookAgain };
  }

  /** The queue as known without reading it: our running jobs, and whether others wait behind them. */
  #ownQueue(open: readonly string[], queueRemaining = 0): QueueSnapshot {
    const item = (id: string) => ({ id, number: 0 });
    const running = open.filter((id) => this.jobs.get(id)?.state === 'running').map(item);
    return { running, pending: queueRemaining > running.length ? [item('')] : [] };
  }

  drop(id: string, error: Error): void {
    const following = this.#following.get(id);
    if (!following) return;
    this.#following.delete(id);
    for (const { reject } of following.waiters) reject(error);
    this.onChange();
  }

  rejectWaiters(error: Error): void {
    for (const { waiters } of this.#following.values())
      for (const { reject } of waiters.splice(0)) reject(error);
  }

  async clear(error: Error): Promise<void> {
    const settling = mapDefined([...this.#following.values()], (following) => following.settling);
    for (const id of [...this.#following.keys()]) this.drop(id, error);
    await Promise.all(settling);
  }

  #endOf(id: string): Job | undefined {
    const job = this.jobs.get(id);
    if (job?.state === 'lost' && this.#following.get(id)?.foundAgain === true) return undefined;
    return job && isTerminal(job.state) ? job : undefined;
  }

  #close(id: string): void {
    const following = this.#following.get(id);
    const job = this.jobs.get(id);
    if (!following || !job) return;
    this.#following.delete(id);
    // "Lost" is our own conclusion: the server may still report its end.
    if (job.state !== 'lost') this.#remember(id);
    for (const { resolve } of following.waiters) resolve(job);
    this.onChange();
  }

  #remember(id: string): void {
    this.#settled.add(id);
    if (this.#settled.size <= mostRemembered) return;
    const [oldest] = this.#settled;
    if (oldest !== undefined) this.#settled.delete(oldest);
  }
}

function unknownJob(id: string): ServerError {
  return new ServerError(endSentence(t`${jobLabel({ id })} is no longer on the server`), {
    reason: 'notFound',
    endpoint: `GET /api/jobs/${id}`,
  });
}

/** Outputs can arrive after the end; ask this many more times, this many ms apart (protocol 2.1). */
const retries = 8;
const apart = 1_000;
/** A local server reports the end first and stores the run a moment later (protocol 3.3). */
const untilStored = 250;
/** Wait for events in transit when a poll reports the end of a job without a record: more reads than the first. */
const readsForEvents = 2;

/** `stored` triggers the first read: the server said that the run is in its history. */
export async function settleJob(
  jobs: Pick<ServerJobs, 'get' | 'read'>,
  id: string,
  stored: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  await abortableSleep(untilStored, AbortSignal.any([stored, signal])).catch(() => signal.throwIfAborted());
  for (let attempt = 0; ; attempt++) {
    const detail = await readUnlessReported(jobs, id, signal);
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

/** The server may refuse the record although events reported success and outputs, with none missed. */
async function readUnlessReported(
  jobs: Pick<ServerJobs, 'get' | 'read'>,
  id: string,
  signal: AbortSignal,
): Promise<JobDetail | undefined | 'told'> {
  try {
    return await jobs.read(id, signal);
  } catch (error) {
    const isRefused = ServerError.is(error) && error.reason !== 'network' && error.reason !== 'timeout';
    if (isRefused && isReported(jobs.get(id))) return 'told';
    throw error;
  }
}

function isReported(job: Job | undefined): boolean {
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

function isWhole(job: Job, detail: JobDetail | undefined): boolean {
  // Removed while queued, or forgotten: there is no record to wait for.
  if (job.state === 'lost' || job.state === 'cancelled') return true;
  if (!detail?.status.terminal) return false;
  if (job.state === 'failed') return job.failure !== undefined;
  // Every accepted prompt has an output node: a record without outputs, or a count of 0, may be outdated.
  return listedOutputs(detail) >= Math.max(1, detail.outputsCount ?? 1);
}
