import { isTerminal, type Job } from './job';
import { jobTime } from './jobGroups';
import type { JobObservation } from './jobObservation';
import { changedJobs } from './reduceJobs';

/** Ids of jobs that an observation touched. */
export interface JobChange {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The jobs of all servers that this window knows. Changed by observations alone. */
export class JobStore {
  readonly #jobs = new Map<string, Job>();
  /** Jobs that the user took from the list: servers go on listing them. */
  readonly #removed = new Set<string>();
  readonly #listeners = new Set<(change: JobChange) => void>();
  readonly #limit: number;
  #all: readonly Job[] | undefined;

  /** At most `limit` jobs are kept: beyond it the oldest that have ended are forgotten. */
  constructor(options: { readonly limit?: number } = {}) {
    this.#limit = options.limit ?? 10_000;
  }

  /** In the order in which they became known. The same array until something changes. */
  jobs(): readonly Job[] {
    this.#all ??= [...this.#jobs.values()];
    return this.#all;
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  observe(observation: JobObservation): void {
    if (observation.kind === 'submitted') this.#removed.delete(observation.id);
    const changed: string[] = [];
    const added: string[] = [];
    for (const job of changedJobs(this.#jobs, observation)) {
      if (this.#removed.has(job.id)) continue;
      (this.#jobs.has(job.id) ? changed : added).push(job.id);
      this.#jobs.set(job.id, job);
    }
    if (changed.length + added.length > 0) this.#tell({ changed, added, removed: this.#forgetOldest() });
  }

  /** Takes a job from the list; what servers go on saying of it is ignored. */
  remove(id: string): void {
    this.#removed.add(id);
    if (this.#jobs.delete(id)) this.#tell({ changed: [], added: [], removed: [id] });
  }

  /** Adds jobs that were read back; of those that are known already the known state counts. */
  restore(jobs: Iterable<Job>): void {
    const added: string[] = [];
    for (const job of jobs) {
      if (this.#jobs.has(job.id)) continue;
      this.#jobs.set(job.id, job);
      added.push(job.id);
    }
    if (added.length > 0) this.#tell({ changed: [], added, removed: this.#forgetOldest() });
  }

  /** Called after every change, at once; views go through `coalesce`. Returns what ends it. */
  onDidChange(listener: (change: JobChange) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #tell(change: JobChange): void {
    this.#all = undefined;
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** A tenth beyond the limit before it is worth the sorting. */
  #forgetOldest(): string[] {
    if (this.#jobs.size <= this.#limit * 1.1) return [];
    const oldest = [...this.#jobs.values()]
      .filter((job) => isTerminal(job.state))
      .sort((a, b) => jobTime(a) - jobTime(b))
      .slice(0, this.#jobs.size - this.#limit)
      .map((job) => job.id);
    for (const id of oldest) this.#jobs.delete(id);
    return oldest;
  }
}
