import type { JobDetail } from '../protocol/jobRecord';
import type { QueueSnapshot } from '../protocol/queue';
import { isTerminal, type Job } from './job';
import type { JobObservation } from './jobObservation';
import type { JobSource } from './jobSource';
import type { JobStore } from './jobStore';

/** A job that was just sent may not be known everywhere at the server yet (protocol 1.6, 2.1). */
const grace = 30_000;
const listLength = 100;

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
  /** Jobs that the server did not know when it was asked last. */
  readonly #missing = new Set<string>();

  constructor(server: string, client: JobSource, store: JobStore, clock: () => number) {
    this.server = server;
    this.#client = client;
    this.#store = store;
    this.#clock = clock;
  }

  observe(told: Told): void {
    this.#store.observe({ ...told, server: this.server, at: this.#clock() });
  }

  /** A job of this server. */
  get(id: string): Job | undefined {
    return this.#store.get(id);
  }

  /** Those that are known and have not ended. */
  live(): Job[] {
    return this.#store.jobs().filter((job) => job.server === this.server && !isTerminal(job.state));
  }

  async readQueue(signal: AbortSignal): Promise<QueueSnapshot> {
    const queue = await this.#client.queue(signal);
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
    const detail = await this.#client.job(id, signal);
    if (!detail) return undefined;
    this.#missing.delete(id);
    this.observe({ kind: 'detail', detail });
    return detail;
  }

  /**
   * What became of a job that is in neither list of the queue. The job may be on its way from the queue to the history,
   * or just sent: only a server that twice does not know it has lost it (protocol 4.3). One that we cancelled leaves
   * no trace on a local server (protocol 1.9).
   */
  async lookFor(id: string, signal: AbortSignal): Promise<'known' | 'missing' | 'gone'> {
    if (await this.read(id, signal)) return 'known';
    const job = this.get(id);
    if (job && isTerminal(job.state)) return 'known';
    const since = job?.createdAt ?? 0;
    if (!this.#missing.has(id) || (!job?.cancelling && this.#clock() - since < grace)) {
      this.#missing.add(id);
      return 'missing';
    }
    this.#missing.delete(id);
    const cancelled = job?.cancelling === true && job.state === 'pending';
    this.observe({ kind: cancelled ? 'cancelSeen' : 'gone', id });
    return 'gone';
  }
}
