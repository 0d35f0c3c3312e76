import { isTerminal, type Job, type JobOrigin } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { OutputFolder } from '../../core/outputs/outputFolder';
import type { Log } from '../platform/log';
import type { Storage } from '../platform/storage';

/** A run sent from this machine, but not from this window's workspace. */
export interface RunElsewhere {
  readonly origin: JobOrigin;
  /** `window`: known from the extension's storage; `record`: from a run record in an output folder. */
  readonly told: 'window' | 'record';
}

export interface RunsElsewhereParts {
  readonly store: Pick<JobStore, 'jobs' | 'get' | 'onDidChange'>;
  readonly storage: Pick<Storage, 'list' | 'read'>;
  /** Folders whose run records can be trusted: none in an untrusted workspace. */
  readonly folders: () => Promise<readonly OutputFolder[]>;
  readonly log: Pick<Log, 'error'>;
  readonly onKnown: (jobIds: readonly string[]) => void;
  /** When to look for unknown jobs again, ms after the previous attempt: the sender may write its record later. */
  readonly pauses?: readonly number[];
}

/** Maximum number of other windows' files and run records, newest first, read per attempt. */
const mostFiles = 60;
const defaultPauses = [300, 3_000, 15_000];

/** Finds out which jobs submitted elsewhere came from other windows and commands on this machine. */
export class RunsElsewhere {
  readonly #parts: RunsElsewhereParts;
  readonly #known = new Map<string, RunElsewhere & { readonly server: string }>();
  /** Job ID -> number of attempts. */
  readonly #looks = new Map<string, number>();
  readonly #pauses: readonly number[];
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: RunsElsewhereParts) {
    this.#parts = parts;
    this.#pauses = parts.pauses ?? defaultPauses;
    this.#stop = parts.store.onDidChange(({ added, removed }) => {
      for (const id of removed) this.#looks.delete(id);
      if (added.some((id) => this.#isUnknown(id))) this.#lookSoon();
    });
  }

  of({ id, server, origin }: Job): RunElsewhere | undefined {
    const known = origin ? undefined : this.#known.get(id);
    // IDs of different servers are unrelated.
    return known?.server === server ? known : undefined;
  }

  /** The job with what its sender knows about it, if that was on this machine. */
  named(job: Job): Job {
    const known = this.of(job);
    return known ? { ...job, origin: known.origin } : job;
  }

  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stop();
  }

  #isUnknown(id: string): boolean {
    const job = this.#parts.store.get(id);
    return job !== undefined && job.origin === undefined && !this.#known.has(id);
  }

  /** IDs to look up again. */
  #sought(): readonly string[] {
    const jobs = this.#parts.store.jobs().filter(({ id }) => this.#isUnknown(id));
    const wanted = jobs.filter(({ id, state }) => {
      const looks = this.#looks.get(id) ?? 0;
      // For a job that has ended, everything was written long ago.
      return looks < (isTerminal(state) ? 1 : this.#pauses.length);
    });
    return wanted.map(({ id }) => id);
  }

  #lookSoon(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const sought = this.#sought();
    if (sought.length === 0) return;
    const looks = Math.min(...sought.map((id) => this.#looks.get(id) ?? 0));
    this.#timer = setTimeout(() => {
      this.#look().then(
        () => this.#again(),
        (error: unknown) => {
          this.#parts.log.error('Looking for runs of other windows', error);
          this.#again();
        },
      );
    }, this.#pauses[looks] ?? 0);
  }

  #again(): void {
    this.#timer = undefined;
    this.#lookSoon();
  }

  async #look(): Promise<void> {
    const sought = new Set(this.#sought());
    for (const id of sought) this.#looks.set(id, (this.#looks.get(id) ?? 0) + 1);
    const found: string[] = [];
    const note = (id: string | undefined, server: string, run: RunElsewhere): void => {
      if (id === undefined || !sought.delete(id)) return;
      this.#known.set(id, { ...run, server });
      found.push(id);
    };
    for (const job of await this.#jobsOfWindows()) {
      if (job.origin) note(job.id, job.server, { origin: job.origin, told: 'window' });
    }
    for (const { jobId, promptId, server, origin, asked } of await this.#owedByWindows()) {
      if (!asked) note(jobId ?? promptId, server, { origin, told: 'window' });
    }
    if (sought.size > 0) {
      for await (const { job, promptId, server, origin } of this.#recorded()) {
        note(job ?? promptId, server, { origin, told: 'record' });
      }
    }
    if (found.length > 0 && !this.#isClosed) this.#parts.onKnown(found);
  }

  async #jobsOfWindows(): Promise<readonly Job[]> {
    const { readJobs } = await import('../../core/jobs/jobMemory');
    return (await this.#texts('jobs-')).flatMap(readJobs);
  }

  async #owedByWindows() {
    const { readOwedEntry } = await import('../owed/owedEntry');
    return (await this.#texts('owed-')).flatMap((text) => readOwedEntry(text) ?? []);
  }

  async #texts(prefix: string): Promise<readonly string[]> {
    const { storage } = this.#parts;
    const files = (await storage.list(prefix)).filter(({ name }) => name.endsWith('.json'));
    const newest = files.sort((a, b) => b.writtenAt - a.writtenAt).slice(0, mostFiles);
    const texts = await Promise.all(newest.map(({ name }) => storage.read(name)));
    return texts.filter((text) => text !== undefined);
  }

  async *#recorded() {
    const { newestRecords } = await import('../../core/records/recordFile');
    for (const folder of await this.#parts.folders()) {
      for await (const { record } of newestRecords(folder, mostFiles)) {
        const { job, promptId, server, label, seeds, sentAt } = record;
        // A record created to save someone else's outputs says nothing about who sent the job.
        if (sentAt !== undefined) yield { job, promptId, server, origin: { label, seeds, nodeNames: {} } };
      }
    }
  }
}
