import { isTerminal, type Job } from './job';

const none: ReadonlySet<string> = new Set();

/** Which jobs are live, on which server, and whose they are: an event must not scan every stored job. */
export class JobIndex {
  /** Server -> ids. */
  readonly #live = new Map<string, Set<string>>();
  readonly #positioned = new Map<string, Set<string>>();
  readonly #foreignEnded = new Set<string>();
  #foreignLive = 0;

  /** How many jobs live that were not submitted from here. */
  get foreignLive(): number {
    return this.#foreignLive;
  }

  /** Those that have ended and were not submitted from here. */
  get foreignEnded(): ReadonlySet<string> {
    return this.#foreignEnded;
  }

  /** Those that have not ended, of one server or of all. */
  live(server: string | undefined): Iterable<string> {
    if (server !== undefined) return this.#live.get(server) ?? none;
    return [...this.#live.values()].flatMap((ids) => [...ids]);
  }

  /** Those that have a place in the queue of the server. */
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
