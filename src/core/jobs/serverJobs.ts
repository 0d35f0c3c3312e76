import { countAt } from '../safety/lists';
import { abortableSleep } from '../client/timing';
import type { ExecutionClient } from '../client/execution';
import { isQueueUnknown, queuePause, unknownPause } from '../client/queueReader';
import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { isTerminal, type Job } from './job';
import type { JobObservation } from './jobObservation';
import type { JobStore } from './jobStore';
import { jobOfEvent } from './reduceJobs';

/**
 * How long, and how often, a server must not know our job before it counts as lost. Behind a gateway, a job that was
 * just sent or whose machine was replaced is unknown for up to half a minute (protocol 1.6, 2.1), so this is half as
 * long again: a false "lost" invites paying twice, and a late one does no harm.
 */
const grace = 45_000;
const looks = 4;
/** Between two looks for a missing job. */
export const missingJobPause = 5_000;
/** For someone else's job, a cancelled one, and one that was never known. */
const fewLooks = 2;
const listLength = 100;

interface Absence {
  /** Time by the awake clock, ms. */
  readonly since: number;
  readonly looks: number;
}

type JobNews = JobObservation extends infer Each
  ? Each extends JobObservation
    ? Omit<Each, 'server' | 'at'>
    : never
  : never;

export type JobSource = Pick<ExecutionClient, 'queue' | 'jobs' | 'job' | 'cancel' | 'deletePending'>;

export class ServerJobs {
  readonly #awake: AwakeClock;
  readonly #missing = new Map<string, Absence>();
  readonly #looked = new Map<string, number>();
  readonly #seen = new Map<string, number>();
  #turn = 0;
  /** The queue as last read; undefined when it is unknown. */
  lastQueue: QueueSnapshot | undefined;
  /** Whether the list as last read lacks the jobs that run or wait, since the server does not show its queue. */
  liveUnknown = false;
  /** Time by our own clock before which a large queue isn't read again. */
  #queueAgain = 0;

  /** @param onFoundAgain called for our job that counts as lost and that the server reports as alive */
  constructor(
    readonly server: string,
    private readonly client: JobSource,
    private readonly store: JobStore,
    private readonly clock: () => number,
    private readonly onFoundAgain: (id: string) => void,
  ) {
    this.#awake = new AwakeClock(clock);
  }

  /** How long this machine was awake, ms. */
  awake(): number {
    return this.#awake.now();
  }

  observe(reported: JobNews): void {
    const at = this.clock();
    this.store.observe({ ...reported, server: this.server, at });
    const heardOf = reported.kind === 'event' ? jobOfEvent(reported.event) : undefined;
    if (heardOf !== undefined) this.#seen.set(heardOf, at);
    for (const id of seenAlive(reported)) {
      this.#seen.set(id, at);
      const job = this.get(id);
      if (job?.state === 'lost' && job.origin !== undefined) this.onFoundAgain(id);
    }
  }

  get(id: string): Job | undefined {
    return this.store.get(id);
  }

  live(): Job[] {
    return this.store.live(this.server);
  }

  /** The current queue; undefined when it is unknown, or when it is too soon to read it again. */
  async readQueue(signal: AbortSignal): Promise<QueueSnapshot | undefined> {
    if (this.clock() < this.#queueAgain) return undefined;
    try {
      this.lastQueue = await this.client.queue(signal);
    } catch (error) {
      if (!isQueueUnknown(error)) throw error;
      // Positions reported before are outdated.
      if (this.lastQueue) this.observe({ kind: 'queued', running: [], pending: [] });
      this.lastQueue = undefined;
      this.#queueAgain = this.clock() + unknownPause(error);
      return undefined;
    }
    const queue = this.lastQueue;
    this.#queueAgain = this.clock() + queuePause(queue);
    const ids = (items: QueueSnapshot['running']) => items.map((item) => item.id);
    this.observe({ kind: 'queued', running: ids(queue.running), pending: ids(queue.pending) });
    return queue;
  }

  async readList(signal: AbortSignal): Promise<void> {
    const { jobs, queueUnknown = false } = await this.client.jobs({ limit: listLength }, signal);
    this.liveUnknown = queueUnknown;
    for (const listing of jobs) this.observe({ kind: 'listed', listing });
  }

  async read(id: string, signal: AbortSignal): Promise<JobDetail | undefined> {
    this.#looked.set(id, ++this.#turn);
    const detail = await this.client.job(id, signal);
    if (!detail) return undefined;
    this.#missing.delete(id);
    this.observe({ kind: 'detail', detail });
    return detail;
  }

  /** The jobs polled longest ago, up to this number, because a poll requests only a few jobs individually. */
  leastLookedFor(ids: readonly string[], most: number): readonly string[] {
    const turn = (id: string) => countAt(this.#looked, id);
    const wanted = [...ids].sort((a, b) => turn(a) - turn(b)).slice(0, most);
    for (const noted of [this.#looked, this.#seen]) {
      for (const id of noted.keys()) {
        const job = this.get(id);
        if (!job || isTerminal(job.state)) noted.delete(id);
      }
    }
    return wanted;
  }

  /**
   * Finds out what happened to a job in neither list of the queue. It may be moving from the queue to the history, or
   * have just been sent: only a server that keeps not knowing it has lost it (protocol 4.3). One that we cancelled
   * leaves no trace on a local server (protocol 1.9).
   */
  async lookFor(id: string, signal: AbortSignal): Promise<'known' | 'missing' | 'gone'> {
    if (await this.read(id, signal)) return 'known';
    const job = this.get(id);
    // A lost job is looked up if the server has reported it again.
    if (job && isTerminal(job.state) && job.state !== 'lost') return 'known';
    if (!this.#staysAway(id, job)) {
      const lastSeen = this.#seen.get(id);
      // A job that was just sent may not be listed yet.
      if (lastSeen !== undefined) this.observe({ kind: 'unlisted', id, lastSeen });
      return 'missing';
    }
    this.#missing.delete(id);
    const cancelled = job?.cancelling === true && job.state === 'pending';
    if (cancelled) this.observe({ kind: 'cancelSeen', id });
    else this.observe({ kind: 'gone', id, lastSeen: this.#seen.get(id) });
    return 'gone';
  }

  /**
   * Returns which of these jobs of ours the server still doesn't know. They are waited for together.
   * @param onMissing called with the number that it doesn't know at first
   */
  async absent(
    ids: readonly string[],
    signal: AbortSignal,
    onMissing?: (count: number) => void,
  ): Promise<readonly string[]> {
    const gone: string[] = [];
    for (let open = ids; ;) {
      const missing: string[] = [];
      for (const id of open) {
        const found = await this.lookFor(id, signal);
        if (found === 'missing') missing.push(id);
        if (found === 'gone') gone.push(id);
      }
      if (missing.length === 0) return gone;
      if (open === ids) onMissing?.(missing.length);
      open = missing;
      await abortableSleep(missingJobPause, signal);
    }
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

function seenAlive(reported: JobNews): readonly string[] {
  if (reported.kind === 'queued') return [...reported.running, ...reported.pending];
  if (reported.kind === 'listed') return reported.listing.status.terminal ? [] : [reported.listing.id];
  return reported.kind === 'detail' && !reported.detail.status.terminal ? [reported.detail.id] : [];
}

/** Polls happen at least this often while the machine is awake (ms): they back off to a minute. */
const longestGap = 90_000;

/** Milliseconds that this machine was awake: a gap between polls that no timer of ours explains doesn't count. */
export class AwakeClock {
  #lookedAt: number | undefined;
  #awake = 0;

  constructor(private readonly clock: () => number) {}

  now(): number {
    const at = this.clock();
    const gap = at - (this.#lookedAt ?? at);
    this.#lookedAt = at;
    if (gap > 0 && gap <= longestGap) this.#awake += gap;
    return this.#awake;
  }
}
