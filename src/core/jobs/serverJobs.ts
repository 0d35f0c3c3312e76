import { queuePause } from '../client/queueReader';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { AwakeClock } from './awakeClock';
import { isTerminal, type Job } from './job';
import type { JobObservation } from './jobObservation';
import type { JobSource } from './jobSource';
import type { JobStore } from './jobStore';

/**
 * How long a server must not know a job of ours, and how often it must say so, before the job counts as lost. Behind a
 * gateway a job that was just sent, or whose machine was swapped, is not known for up to half a minute (protocol 1.6,
 * 2.1), so this is half as long again: a false "lost" invites to pay twice, and nobody is harmed by a later one.
 */
const grace = 45_000;
const looks = 4;
/** For a job of somebody else, one that was cancelled, and one that nobody ever knew. */
const fewLooks = 2;
const listLength = 100;

interface Absence {
  /** By the awake clock, ms. */
  readonly since: number;
  readonly looks: number;
}

type Told = JobObservation extends infer Each
  ? Each extends JobObservation
    ? Omit<Each, 'server' | 'at'>
    : never
  : never;

/** Asks one server about its jobs and tells the store. */
export class ServerJobs {
  readonly server: string;
  readonly #client: JobSource;
  readonly #store: JobStore;
  readonly #clock: () => number;
  readonly #onFoundAgain: (id: string) => void;
  readonly #awake: AwakeClock;
  /** Jobs that the server did not know when it was asked last. */
  readonly #missing = new Map<string, Absence>();
  /** Job -> turn at which it was looked for last. */
  readonly #looked = new Map<string, number>();
  #turn = 0;
  #lastQueue: QueueSnapshot | undefined;
  /** By our own clock: a large queue is not read again before. */
  #queueAgain = 0;

  /** @param onFoundAgain called for a job of ours that counts as lost and that the server tells of as alive */
  constructor(
    server: string,
    client: JobSource,
    store: JobStore,
    clock: () => number,
    onFoundAgain: (id: string) => void,
  ) {
    this.#onFoundAgain = onFoundAgain;
    this.server = server;
    this.#client = client;
    this.#store = store;
    this.#clock = clock;
    this.#awake = new AwakeClock(clock);
  }

  /** The queue as it was read last; undefined where it is too large to be read. */
  get lastQueue(): QueueSnapshot | undefined {
    return this.#lastQueue;
  }

  observe(told: Told): void {
    this.#store.observe({ ...told, server: this.server, at: this.#clock() });
    for (const id of seenAlive(told)) {
      const job = this.get(id);
      if (job?.state === 'lost' && job.origin !== undefined) this.#onFoundAgain(id);
    }
  }

  /** A job of this server. */
  get(id: string): Job | undefined {
    return this.#store.get(id);
  }

  /** Those that are known and have not ended. */
  live(): Job[] {
    return this.#store.live(this.server);
  }

  /** The queue as it is now; undefined where it is too large, or so large that it is too soon to read it again. */
  async readQueue(signal: AbortSignal): Promise<QueueSnapshot | undefined> {
    if (this.#clock() < this.#queueAgain) return undefined;
    try {
      this.#lastQueue = await this.#client.queue(signal);
    } catch (error) {
      if (!ServerError.is(error, 'tooLarge')) throw error;
      // Places that were told before are not true any more.
      if (this.#lastQueue) this.observe({ kind: 'queued', running: [], pending: [] });
      this.#lastQueue = undefined;
      this.#queueAgain = this.#clock() + budgets.queueTooLargePause;
      return undefined;
    }
    const queue = this.#lastQueue;
    this.#queueAgain = this.#clock() + queuePause(queue);
    const ids = (items: QueueSnapshot['running']) => items.map((item) => item.id);
    this.observe({ kind: 'queued', running: ids(queue.running), pending: ids(queue.pending) });
    return queue;
  }

  /** The newest jobs, whoever sent them. */
  async readList(signal: AbortSignal): Promise<void> {
    const { jobs } = await this.#client.jobs({ limit: listLength }, signal);
    for (const listing of jobs) this.observe({ kind: 'listed', listing });
  }

  /** All that the server tells of one job; undefined where it does not know it. */
  async read(id: string, signal: AbortSignal): Promise<JobDetail | undefined> {
    this.#looked.set(id, ++this.#turn);
    const detail = await this.#client.job(id, signal);
    if (!detail) return undefined;
    this.#missing.delete(id);
    this.observe({ kind: 'detail', detail });
    return detail;
  }

  /** Those whose last look lies back farthest, at most that many: a poll asks about few jobs one by one. */
  leastLookedFor(ids: readonly string[], most: number): readonly string[] {
    const turn = (id: string) => this.#looked.get(id) ?? 0;
    const wanted = [...ids].sort((a, b) => turn(a) - turn(b)).slice(0, most);
    for (const id of this.#looked.keys()) {
      const job = this.get(id);
      if (!job || isTerminal(job.state)) this.#looked.delete(id);
    }
    return wanted;
  }

  /**
   * What became of a job that is in neither list of the queue. The job may be on its way from the queue to the history,
   * or just sent: only a server that goes on not knowing it has lost it (protocol 4.3). One that we cancelled leaves no
   * trace on a local server (protocol 1.9).
   */
  async lookFor(id: string, signal: AbortSignal): Promise<'known' | 'missing' | 'gone'> {
    if (await this.read(id, signal)) return 'known';
    const job = this.get(id);
    // One that counts as lost is looked for where the server has told of it again.
    if (job && isTerminal(job.state) && job.state !== 'lost') return 'known';
    if (!this.#staysAway(id, job)) return 'missing';
    this.#missing.delete(id);
    const cancelled = job?.cancelling === true && job.state === 'pending';
    this.observe({ kind: cancelled ? 'cancelSeen' : 'gone', id });
    return 'gone';
  }

  #staysAway(id: string, job: Job | undefined): boolean {
    const awake = this.#awake.now();
    const before = this.#missing.get(id);
    const absence = { since: before?.since ?? awake, looks: (before?.looks ?? 0) + 1 };
    this.#missing.set(id, absence);
    if (job?.origin === undefined || job.cancelling) return absence.looks >= fewLooks;
    return absence.looks >= looks && awake - absence.since >= grace;
  }
}

/** Jobs that the server has now and that have not ended, as it says. */
function seenAlive(told: Told): readonly string[] {
  if (told.kind === 'queued') return [...told.running, ...told.pending];
  if (told.kind === 'listed') return told.listing.status.terminal ? [] : [told.listing.id];
  return told.kind === 'detail' && !told.detail.status.terminal ? [told.detail.id] : [];
}
