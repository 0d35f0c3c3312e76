import { mapDefined } from '../safety/lists';
import { abortableSleep, orAborted } from '../client/timing';
import { isTerminal, type Job } from './job';
import type { ServerJobs } from './serverJobs';
import type { JobDetail } from '../protocol/jobRecord';
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

/** The jobs being tracked until they have ended and their outputs are known, and who waits for them. */
export class FollowedJobs {
  readonly #following = new Map<string, Following>();
  readonly #settled = new Set<string>();

  /** @param onTrouble the outputs of a job couldn't be read: `settleEnded` tries again */
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

  add(id: string, signal: AbortSignal): void {
    if (this.#following.has(id) || this.#settled.has(id)) return;
    this.#start(id, false, signal);
  }

  addFound(id: string, signal: AbortSignal): void {
    if (!this.#following.has(id)) this.#start(id, true, signal);
  }

  #start(id: string, foundAgain: boolean, signal: AbortSignal): void {
    const stored = new AbortController();
    this.#following.set(id, { waiters: [], stored, foundAgain, failures: 0 });
    this.onChange();
    this.settle(id, signal);
  }

  gone(id: string): void {
    const following = this.#following.get(id);
    if (following) following.foundAgain = false;
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

  stored(id: string): void {
    this.#following.get(id)?.stored.abort();
  }

  ids(): readonly string[] {
    return [...this.#following.keys()];
  }

  settleEnded(signal: AbortSignal): void {
    for (const id of [...this.#following.keys()]) this.settle(id, signal);
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
