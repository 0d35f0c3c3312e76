import { budgets } from '../safety/budgets';
import { isTerminal, type Job } from './job';
import { jobTime } from './jobGroups';
import type { JobObservation } from './jobObservation';
import { changedJobs } from './reduceJobs';

export interface JobChange {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The jobs of all servers. Jobs submitted from here stay, however crowded a server is. */
export class JobStore {
  readonly #jobs = new Map<string, Job>();
  /** IDs by server, and of others' jobs, because an event must not scan every stored job. */
  readonly #live = new Map<string, Set<string>>();
  readonly #foreignEnded = new Set<string>();
  #foreignLive = 0;
  readonly #removed = new Set<string>();
  readonly #listeners = new Set<(change: JobChange) => void>();
  #all: readonly Job[] | undefined;

  /**
   * @param mostForeign jobs of others: further ones that are live are not added, and the oldest that have ended are
   *   forgotten
   */
  constructor(private readonly mostForeign: number = budgets.foreignJobs) {}

  /** In the order they became known. The same array until something changes. */
  jobs(): readonly Job[] {
    this.#all ??= [...this.#jobs.values()];
    return this.#all;
  }

  live(server?: string): Job[] {
    const ids = [...this.#live].flatMap(([of, ids]) =>
      server === undefined || of === server ? [...ids] : [],
    );
    return this.#found(ids);
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  removed(): readonly string[] {
    return [...this.#removed];
  }

  isRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  observe(observation: JobObservation): void {
    if (observation.kind === 'submitted') this.#removed.delete(observation.id);
    if (observation.kind === 'gone' && this.#isForeignAndLive(observation.id)) {
      // Removed from the queue by its owner: nothing to report.
      this.#forget([observation.id]);
      return;
    }
    const changed: string[] = [];
    const added: string[] = [];
    for (const job of changedJobs(this, observation)) {
      if (this.#removed.has(job.id)) continue;
      const known = this.#jobs.has(job.id);
      if (!known && !this.#hasRoomFor(job)) continue;
      (known ? changed : added).push(job.id);
      this.#put(job);
    }
    if (changed.length + added.length > 0) this.#tell({ changed, added, removed: this.#dropOldest() });
  }

  remove(id: string): void {
    this.#removed.add(id);
    this.#forget([id]);
  }

  /** Called after every change, at once; views go through `coalesce`. Returns what ends it. */
  onDidChange(listener: (change: JobChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #found(ids: Iterable<string>): Job[] {
    return Array.from(ids, (id) => this.#jobs.get(id)).filter((job) => job !== undefined);
  }

  #put(job: Job): void {
    this.#count(this.#jobs.get(job.id), false);
    this.#count(job, true);
    this.#jobs.set(job.id, job);
  }

  #delete(id: string): boolean {
    this.#count(this.#jobs.get(id), false);
    return this.#jobs.delete(id);
  }

  #forget(ids: readonly string[]): void {
    const removed = ids.filter((id) => this.#delete(id));
    if (removed.length > 0) this.#tell({ changed: [], added: [], removed });
  }

  #tell(change: JobChange): void {
    this.#all = undefined;
    for (const listener of [...this.#listeners]) listener(change);
  }

  #isForeignAndLive(id: string): boolean {
    const job = this.#jobs.get(id);
    return job !== undefined && job.origin === undefined && !isTerminal(job.state);
  }

  #hasRoomFor(job: Job): boolean {
    if (job.origin !== undefined || isTerminal(job.state)) return true;
    return this.#foreignLive < this.mostForeign;
  }

  #dropOldest(): string[] {
    if (this.#foreignEnded.size <= this.mostForeign * 1.1) return [];
    const oldest = this.#found(this.#foreignEnded)
      .sort((a, b) => jobTime(a) - jobTime(b))
      .slice(0, this.#foreignEnded.size - this.mostForeign)
      .map((job) => job.id);
    for (const id of oldest) this.#delete(id);
    return oldest;
  }

  #count(job: Job | undefined, there: boolean): void {
    if (!job) return;
    const { id, server, origin, state } = job;
    const foreign = origin === undefined;
    if (isTerminal(state)) {
      if (foreign && there) this.#foreignEnded.add(id);
      else if (foreign) this.#foreignEnded.delete(id);
      return;
    }
    if (foreign) this.#foreignLive += there ? 1 : -1;
    const ids = this.#live.get(server) ?? new Set();
    this.#live.set(server, ids);
    if (there) ids.add(id);
    else ids.delete(id);
  }
}
