import path from 'node:path';
import { isTerminal, type Job } from '../jobs/job';
import type { JobChange, JobStore } from '../jobs/jobStore';
import { recordedJob } from '../jobs/reduceJobs';
import { outputFileKey } from '../outputs/expectedFile';
import type { OutputFile } from '../protocol/outputFile';
import {
  type OwedPhase,
  phaseOfRun,
  type Run,
  type RunActivity,
  type RunFile,
  runFileKey,
  type RunFacts,
  runKey,
  type RunPlace,
  type SavedFile,
  stampedTime,
} from './run';
import type { RunPointer, RunPointers } from './runPointers';

/**
 * All runs that are known here, and what there is of each: its record, its job, its files. A record never makes us ask
 * a server: repositories have records.
 */
export class RunStore {
  readonly #known = new Map<string, KnownRun>();
  /** By job and server the newest run, and by job the newest that its record tells. Undefined until they are asked for. */
  #newest: Map<string, KnownRun> | undefined;
  readonly #activities = new Map<string, RunActivity>();
  #pointed: ReadonlyMap<string, PointedRun> = new Map();
  readonly #filesByKey = new WeakMap<readonly RunFile[], ReadonlyMap<string, RunFile>>();
  readonly #listeners = new Set<(change: JobChange, run?: Run) => void>();
  #jobs: readonly Job[] | undefined;
  /** Where each job is in them. */
  #places: ReadonlyMap<string, number> = new Map();
  #runs: readonly Run[] | undefined;
  #lastId = 0;
  #files = 0;

  constructor(private readonly tracked: JobStore) {
    tracked.onDidChange((change) => {
      for (const id of [...change.added, ...change.changed]) this.#followJob(id);
      this.#fire(change);
    });
  }

  /** Newest first. */
  get runs(): readonly Run[] {
    this.#runs ??= Array.from(this.#known.values(), ({ run }) => run).sort(
      (a, b) => b.facts.time - a.facts.time || byRecord(a, b),
    );
    return this.#runs;
  }

  get(place: RunPlace): Run | undefined {
    return this.#known.get(runKey(place))?.run;
  }

  /** The newest. IDs of different servers are unrelated. */
  ofJob({ id, server }: Pick<Job, 'id' | 'server'>): Run | undefined {
    return this.#newestRuns().get(jobKey(id, server))?.run;
  }

  /** Those that are tracked, as their runs tell them, and others that the newest records tell. */
  jobs(): readonly Job[] {
    if (this.#jobs) return this.#jobs;
    this.#jobs = [
      ...this.tracked.jobs().map((job) => this.#withRecord(job)),
      ...[...this.#newestRuns()].flatMap(([key, { job }]) =>
        job && key === job.id && this.#isListed(job) ? [job] : [],
      ),
    ];
    this.#places = new Map(this.#jobs.map(({ id }, at) => [id, at]));
    return this.#jobs;
  }

  job(id: string): Job | undefined {
    const tracked = this.tracked.get(id);
    if (tracked) return this.#withRecord(tracked);
    const job = this.#newestRuns().get(id)?.job;
    return job && this.#isListed(job) ? job : undefined;
  }

  live(server?: string): readonly Job[] {
    return this.tracked
      .live(server)
      .map((job) => this.#withRecord(job))
      .filter(({ state }) => !isTerminal(state));
  }

  /** Who sent a job that is not of this window: another one, or whoever made a record. Undefined also once that says its end. */
  senderOf({ id, server }: Pick<Job, 'id' | 'server'>): 'window' | 'record' | undefined {
    const tracked = this.tracked.get(id);
    const known = this.#newestRuns().get(jobKey(id, server));
    if (!tracked || tracked.origin || !known?.run.facts.isSent) return undefined;
    const { isElsewhere, isOurs } = known.run;
    if (!isElsewhere && known.job && isTerminal(known.job.state)) return undefined;
    return isOurs ? 'window' : 'record';
  }

  filesOfJob(id: string): readonly SavedFile[] {
    const run = this.#runOfJob(id);
    return run
      ? run.files.map((file) => ({ ...file, location: path.join(run.place.folder, file.name) }))
      : none;
  }

  fileOf(jobId: string, output: OutputFile): SavedFile | undefined {
    const run = this.#runOfJob(jobId);
    const file = run && this.#keyed(run.files).get(runFileKey(outputFileKey(output)));
    return file && { ...file, location: path.join(run.place.folder, file.name) };
  }

  isSaving(jobId: string): boolean {
    return this.#runOfJob(jobId)?.phase.kind === 'saving';
  }

  hide(jobIds: readonly string[]): void {
    for (const id of jobIds) this.tracked.remove(id);
    this.#fire({ added: [], changed: [], removed: jobIds });
  }

  /** Called at once; views coalesce. @param listener with the run whose record changed. @returns what ends it */
  onDidChange(listener: (change: JobChange, run?: Run) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param activity undefined: nobody here works on the run any longer */
  setActivity(place: RunPlace, activity: RunActivity | undefined): void {
    const key = runKey(place);
    if (activity) this.#activities.set(key, activity);
    else this.#activities.delete(key);
    const known = this.#known.get(key);
    if (known) this.#replace(key, known);
  }

  isActive(place: RunPlace): boolean {
    return this.#activities.has(runKey(place));
  }

  /** Reads what this user's pointers say whenever they change. @returns what ends it */
  follow(pointers: Pick<RunPointers, 'owed' | 'leftOf' | 'onDidChange'>): () => void {
    return pointers.onDidChange(() => {
      const before = this.#pointed;
      const now = pointers
        .owed()
        .map((each) => [runKey(each), { ...each, left: pointers.leftOf(each) }] as const);
      this.#pointed = new Map(now);
      for (const key of new Set([...before.keys(), ...this.#pointed.keys()])) {
        const known = this.#known.get(key);
        const isLeft = before.get(key)?.left !== this.#pointed.get(key)?.left;
        if (known && (isLeft || known.run.isOurs !== this.#isOurs(key, known.run))) this.#replace(key, known);
      }
    });
  }

  /** Another run may have its name since, such as one of another branch. */
  #isOurs(key: string, { facts, isElsewhere }: RecordedRun): boolean {
    const pointer = this.#pointed.get(key);
    if (!pointer) return isElsewhere;
    return pointer.server === facts.server && (pointer.promptId ?? facts.promptId) === facts.promptId;
  }

  put(place: RunPlace, { facts, files, job }: ToldRun, isElsewhere = false): Run {
    const key = runKey(place);
    const before = this.#known.get(key);
    if (before?.run.facts.job !== undefined && before.run.facts.job !== facts.job) this.#newest = undefined;
    const run = { place: before?.run.place ?? place, facts, files, isElsewhere };
    return this.#replace(key, { run, job });
  }

  nextFileId(): number {
    return ++this.#lastId;
  }

  /** How many outputs the other runs have. */
  filesBeside(place: RunPlace): number {
    const own = this.get(place);
    return own ? this.#files - own.files.length : this.#files;
  }

  /** Leaves out the files that are no longer on disk. */
  setFiles(place: RunPlace, files: readonly RunFile[]): void {
    const known = this.#known.get(runKey(place));
    if (known) this.#replace(runKey(place), { ...known, run: { ...known.run, files } });
  }

  remove(place: RunPlace): void {
    const known = this.#known.get(runKey(place));
    if (!known) return;
    this.#files -= known.run.files.length;
    this.#known.delete(runKey(place));
    this.#newest = undefined;
    this.#fireRun(known.run);
  }

  #replace(key: string, { run, job }: { readonly run: RecordedRun; readonly job: Job | undefined }): Run {
    const isOurs = this.#isOurs(key, run);
    const activity = this.#activities.get(key) ?? (isOurs ? this.#pointed.get(key)?.left : undefined);
    const tracked = run.facts.job === undefined ? undefined : this.tracked.get(run.facts.job);
    const phase = phaseOfRun(run.facts, tracked, activity);
    const { place, facts, files, isElsewhere } = run;
    const known = { run: { place, facts, phase, files, isOurs, isElsewhere }, job };
    this.#files += run.files.length - (this.#known.get(key)?.run.files ?? none).length;
    this.#known.set(key, known);
    if (this.#newest) noteNewest(this.#newest, known);
    this.#fireRun(known.run);
    return known.run;
  }

  #followJob(id: string): void {
    const run = this.#activities.size > 0 ? this.#runOfJob(id) : undefined;
    const known = run && this.#known.get(runKey(run.place));
    if (known && this.isActive(known.run.place)) this.#replace(runKey(known.run.place), known);
  }

  #runOfJob(id: string): Run | undefined {
    const job = this.tracked.get(id) ?? this.#newestRuns().get(id)?.job;
    return job && this.ofJob(job);
  }

  #keyed(files: readonly RunFile[]): ReadonlyMap<string, RunFile> {
    const known = this.#filesByKey.get(files) ?? new Map(files.map((file) => [file.key, file]));
    this.#filesByKey.set(files, known);
    return known;
  }

  #isListed({ id, state }: Job): boolean {
    return isTerminal(state) && this.tracked.get(id) === undefined && !this.tracked.isRemoved(id);
  }

  /** A tracked job counts, unless its record has its name or knows more of its end. */
  #withRecord(job: Job): Job {
    const recorded = this.#newestRuns().get(jobKey(job.id, job.server))?.job;
    if (!recorded) return job;
    const isNamed = job.origin === undefined && recorded.origin !== undefined;
    if (isTerminal(recorded.state) && (isNamed || tellsMore(job, recorded)))
      return recordedJob(recorded, job);
    return isNamed ? { ...job, origin: recorded.origin } : job;
  }

  #newestRuns(): ReadonlyMap<string, KnownRun> {
    if (!this.#newest) {
      this.#newest = new Map();
      for (const known of this.#known.values()) noteNewest(this.#newest, known);
    }
    return this.#newest;
  }

  /** An event costs no look at every job. Undefined if one of these isn't listed. */
  #changedJobs(listed: readonly Job[], ids: readonly string[]): readonly Job[] | undefined {
    const jobs = [...listed];
    for (const id of ids) {
      const [at, job] = [this.#places.get(id), this.job(id)];
      if (at === undefined || !job) return undefined;
      jobs[at] = job;
    }
    return jobs;
  }

  #fireRun(run: Run): void {
    const { job } = run.facts;
    this.#runs = undefined;
    this.#fire({ added: [], changed: job === undefined ? [] : [job], removed: [] }, run);
  }

  #fire(change: JobChange, run?: Run): void {
    const isMoved = change.added.length + change.removed.length > 0;
    this.#jobs = this.#jobs && !isMoved ? this.#changedJobs(this.#jobs, change.changed) : undefined;
    for (const listener of [...this.#listeners]) listener(change, run);
  }
}

/** What a pointer of this user says, and how the last attempt of this process left its run. */
interface PointedRun extends Pick<RunPointer, 'server' | 'promptId'> {
  readonly left: OwedPhase | undefined;
}

type RecordedRun = Omit<Run, 'phase' | 'isOurs'>;

interface KnownRun {
  readonly run: Run;
  /** Of the newest runs, and of those that this process works on. */
  readonly job: Job | undefined;
}

/** A run as its record tells it, in `RunIndex`. */
interface ToldRun {
  readonly facts: RunFacts;
  readonly files: readonly RunFile[];
  readonly job: Job | undefined;
}

const none: readonly never[] = [];

function jobKey(job: string, server: string): string {
  return [server, job].join('\n');
}

/** Anyone may have written any number of records of one job, so each must cost the same. */
function noteNewest(newest: Map<string, KnownRun>, known: KnownRun): void {
  const { job, server } = known.run.facts;
  if (job === undefined) return;
  for (const key of known.job ? [jobKey(job, server), job] : [jobKey(job, server)]) {
    const other = newest.get(key);
    // Of the same name, the copy is in the folder that was added later.
    if (!other || other.run.place === known.run.place || byRecord(known.run, other.run) < 0)
      newest.set(key, known);
  }
}

/** Newest first by name: in the same second, the longer ` (2)` is newer. */
export function byRecord({ place: a }: Pick<Run, 'place'>, { place: b }: Pick<Run, 'place'>): number {
  return (
    stampedTime(b.record) - stampedTime(a.record) ||
    b.record.length - a.record.length ||
    (a.record === b.record ? 0 : a.record < b.record ? 1 : -1)
  );
}

/** Whether the recorded job has an end or more outputs. Only its server can tell that a job is lost. */
function tellsMore(known: Job, recorded: Job): boolean {
  if (recorded.state === 'lost') return false;
  return !isTerminal(known.state) || known.state === 'lost' || known.outputs.length < recorded.outputs.length;
}
