import { isTerminal, type Job, type JobOrigin } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { OutputFolder } from '../../core/outputs/outputFolder';
import type { SavedOutput } from '../../core/outputs/savedOutput';
import type { RunRecord } from '../../core/records/runRecord';
import type { Log } from '../platform/log';
import { pointerFiles } from '../pointers/pointerFiles';
import type { Storage } from '../platform/storage';

/** A run sent from this machine, but not from this window's workspace. */
export interface RunElsewhere {
  readonly origin: JobOrigin;
  /** `window`: known from the extension's storage; `record`: from a run record in an output folder. */
  readonly told: 'window' | 'record';
  /** Its outputs on disk, once the record names them. */
  readonly saved?: readonly SavedOutput[] | undefined;
}

/** A run record that named no outputs when it was read. */
interface OpenRecord {
  readonly folder: OutputFolder;
  readonly name: string;
}

export interface RunsElsewhereParts {
  readonly store: Pick<JobStore, 'jobs' | 'get' | 'onDidChange'>;
  readonly storage: Pick<Storage, 'list' | 'read'>;
  /** Folders whose run records can be trusted: none in an untrusted workspace. */
  readonly folders: () => Promise<readonly OutputFolder[]>;
  readonly log: Pick<Log, 'error'>;
  readonly onKnown: (jobIds: readonly string[]) => void;
  /** These files are on disk, saved by the command line: for showing only. */
  readonly onSaved: (jobId: string, files: readonly SavedOutput[]) => void;
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
  /** Job ID -> its record, which is read again when the job has ended. */
  readonly #open = new Map<string, OpenRecord>();
  readonly #rereads = new Set<NodeJS.Timeout>();
  /** Job ID -> number of attempts. */
  readonly #looks = new Map<string, number>();
  readonly #pauses: readonly number[];
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: RunsElsewhereParts) {
    this.#parts = parts;
    this.#pauses = parts.pauses ?? defaultPauses;
    this.#stop = parts.store.onDidChange(({ added, changed, removed }) => {
      for (const id of removed) {
        this.#looks.delete(id);
        this.#open.delete(id);
      }
      for (const id of changed) this.#readEndOf(id);
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
    if (!known) return job;
    const { origin, saved = [] } = known;
    const outputs = job.outputs.length > 0 ? job.outputs : saved.map(({ file }) => file);
    return { ...job, origin, outputs };
  }

  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const timer of this.#rereads) clearTimeout(timer);
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
    for (const { jobId, promptId, server, label } of await this.#owedByWindows()) {
      if (promptId === undefined) continue;
      note(jobId ?? promptId, server, { origin: { label, nodeNames: {}, seeds: {} }, told: 'window' });
    }
    if (sought.size > 0) {
      for await (const { id, record, place } of this.#recorded()) {
        if (!sought.has(id)) continue;
        const run = await runOf(record, place.folder);
        note(id, record.server, run);
        if (run.saved.length > 0) this.#parts.onSaved(id, run.saved);
        else this.#open.set(id, place);
      }
    }
    if (found.length > 0 && !this.#isClosed) this.#parts.onKnown(found);
    for (const id of found) this.#readEndOf(id);
  }

  /** The command line saves what the job made after its end. */
  #readEndOf(id: string, attempt = 0): void {
    const place = this.#open.get(id);
    const job = this.#parts.store.get(id);
    const pause = this.#pauses[attempt];
    if (!place || !job || !isTerminal(job.state)) return;
    // Of several changes at the end, the first counts.
    this.#open.delete(id);
    if (pause === undefined) return;
    const timer = setTimeout(() => {
      this.#rereads.delete(timer);
      this.#readFiles(id, place).then(
        (isSaved) => {
          if (isSaved || this.#isClosed) return;
          this.#open.set(id, place);
          this.#readEndOf(id, attempt + 1);
        },
        (error: unknown) => this.#parts.log.error('Reading a run record again', error),
      );
    }, pause);
    this.#rereads.add(timer);
  }

  async #readFiles(id: string, { folder, name }: OpenRecord): Promise<boolean> {
    const { recordNamed } = await import('../../core/records/recordFile');
    const listed = await recordNamed(folder, name);
    const known = this.#known.get(id);
    if (!listed || !known || listed.record.job !== id) return false;
    const saved = await filesOnDisk(listed.record, folder);
    if (saved.length === 0 || this.#isClosed) return false;
    this.#known.set(id, { ...known, saved });
    this.#parts.onSaved(id, saved);
    this.#parts.onKnown([id]);
    return true;
  }

  async #jobsOfWindows(): Promise<readonly Job[]> {
    const { readJobs } = await import('../../core/jobs/jobMemory');
    return (await this.#texts('jobs-')).flatMap(readJobs);
  }

  async #owedByWindows() {
    const { readPointer } = await import('../pointers/runPointer');
    return (await this.#texts(pointerFiles.owedPrefix)).flatMap((text) => readPointer(text) ?? []);
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
      for await (const { name, record } of newestRecords(folder, mostFiles)) {
        const { job, promptId, sentAt } = record;
        const id = job ?? promptId;
        // A record created to save someone else's outputs says nothing about who sent the job.
        if (sentAt !== undefined && id !== undefined) yield { id, record, place: { folder, name } };
      }
    }
  }
}

async function runOf(record: RunRecord, folder: OutputFolder) {
  const { originOf } = await import('../../core/records/recordSteps');
  return { origin: originOf(record), told: 'record', saved: await filesOnDisk(record, folder) } as const;
}

/** What was deleted since is not saved, whatever the record says. */
async function filesOnDisk(record: RunRecord, folder: OutputFolder): Promise<readonly SavedOutput[]> {
  const { savedOutputsOf } = await import('../../core/records/jobOfRecord');
  const saved = savedOutputsOf(record, folder);
  const found = await Promise.all(saved.map(({ name }) => folder.exists(name)));
  return saved.filter((_, index) => found[index]);
}
