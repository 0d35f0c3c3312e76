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

export interface JobStoreLimits {
  /** Jobs of others that have ended: beyond it the oldest are forgotten. */
  readonly foreignEnded?: number;
  /** Maximum number of other people's live jobs: further ones are not added. */
  readonly foreignLive?: number;
}

/** The jobs of all servers. Jobs submitted from here stay, however crowded a server is. */
export class JobStore {
  readonly #jobs = new Map<string, Job>();
  readonly #index = new JobIndex();
  readonly #removed = new Set<string>();
  readonly #listeners = new Set<(change: JobChange) => void>();
  readonly #limits: Required<JobStoreLimits>;
  #all: readonly Job[] | undefined;

  constructor(limits: JobStoreLimits = {}) {
    this.#limits = {
      foreignEnded: budgets.foreignJobs,
      foreignLive: budgets.foreignJobs,
      ...limits,
    };
  }

  /** In the order they became known. The same array until something changes. */
  jobs(): readonly Job[] {
    this.#all ??= [...this.#jobs.values()];
    return this.#all;
  }

  live(server?: string): Job[] {
    return this.#found(this.#index.live(server));
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  positioned(server: string): Job[] {
    return this.#found(this.#index.positioned(server));
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
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #found(ids: Iterable<string>): Job[] {
    return Array.from(ids, (id) => this.#jobs.get(id)).filter((job) => job !== undefined);
  }

  #put(job: Job): void {
    this.#index.changed(this.#jobs.get(job.id), job);
    this.#jobs.set(job.id, job);
  }

  #delete(id: string): boolean {
    this.#index.changed(this.#jobs.get(id), undefined);
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
    return this.#index.foreignLive < this.#limits.foreignLive;
  }

  #dropOldest(): string[] {
    const { foreignEnded } = this.#limits;
    if (this.#index.foreignEnded.size <= foreignEnded * 1.1) return [];
    const oldest = this.#found(this.#index.foreignEnded)
      .sort((a, b) => jobTime(a) - jobTime(b))
      .slice(0, this.#index.foreignEnded.size - foreignEnded)
      .map((job) => job.id);
    for (const id of oldest) this.#delete(id);
    return oldest;
  }
}

const none: ReadonlySet<string> = new Set();

/** Indexes jobs by state, server, and owner, because an event must not scan every stored job. */
class JobIndex {
  readonly #live = new Map<string, Set<string>>();
  readonly #positioned = new Map<string, Set<string>>();
  readonly #foreignEnded = new Set<string>();
  #foreignLive = 0;

  get foreignLive(): number {
    return this.#foreignLive;
  }

  get foreignEnded(): ReadonlySet<string> {
    return this.#foreignEnded;
  }

  live(server: string | undefined): Iterable<string> {
    if (server !== undefined) return this.#live.get(server) ?? none;
    return [...this.#live.values()].flatMap((ids) => [...ids]);
  }

  positioned(server: string): Iterable<string> {
    return this.#positioned.get(server) ?? none;
  }

  changed(old: Job | undefined, now: Job | undefined): void {
    if (old) this.#count(old, false);
    if (now) this.#count(now, true);
  }

  #count(job: Job, there: boolean): void {
    const foreign = job.origin === undefined;
    if (isTerminal(job.state)) {
      if (foreign && there) this.#foreignEnded.add(job.id);
      else if (foreign) this.#foreignEnded.delete(job.id);
      return;
    }
    if (foreign) this.#foreignLive += there ? 1 : -1;
    note(this.#live, job, there);
    if (job.queuePosition !== undefined) note(this.#positioned, job, there);
  }
}

function note(sets: Map<string, Set<string>>, { server, id }: Job, there: boolean): void {
  const ids = sets.get(server) ?? new Set();
  if (there) ids.add(id);
  else ids.delete(id);
  if (ids.size > 0) sets.set(server, ids);
  else sets.delete(server);
}
