import * as vscode from 'vscode';
import { claimBatch, requireStarted, type StartedBatch } from '../../core/batch/startedBatch';
import { countRows, type BatchRow } from '../../core/batch/batchRow';
import { BatchRun, type BatchStop } from '../../core/batch/batchRun';
import type { BatchAxis } from '../../core/batch/batchTable';
import type { BatchWork } from '../../core/batch/batchWork';
import { rowsLeft, rowsToRun } from '../../core/batch/rowsToRun';
import { coalesce } from '../../core/jobs/coalesce';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { RunLeft } from '../../core/runLife/runEnd';
import { errorWords } from '../../core/safety/errorWords';
import { sentencesText, t } from '../../core/safety/localize';
import type { HostServer } from './hostServers';
import type { BatchPlace } from './unfinishedBatches';

/** What one run of a batch needs, after all questions. */
export interface BatchStart {
  readonly servers: readonly HostServer[];
  readonly work: Omit<BatchWork, 'batch' | 'folder' | 'onSent'>;
  /** Keeps the servers' sessions open; returns what releases them. */
  readonly hold: () => () => void;
}

export interface BatchEvents {
  /** At most 10 times per second. */
  changed(batch: Batch): void;
  ended(batch: Batch, stop: BatchStop): void;
  /** Its job is no longer needed in the list. */
  forgetJob(jobId: string): void;
  /** A server is away or left out. */
  server(batch: Batch, name: string, message: string): void;
}

/** Jobs of a batch that stay in the list after they ended. */
const mostJobs = 300;

/** What is shown of a batch. */
export type ShownBatch = Pick<
  Batch,
  | 'id'
  | 'label'
  | 'startedAt'
  | 'folder'
  | 'axes'
  | 'rows'
  | 'state'
  | 'isElsewhere'
  | 'isCancelling'
  | 'message'
>;

/** A batch in this window, running, ended or found again after a reload: its kept file, its rows, and its run. */
export class Batch {
  readonly place: BatchPlace;
  readonly #kept: StartedBatch;
  readonly #events: BatchEvents;
  readonly #changed: ReturnType<typeof coalesce>;
  #rows: readonly BatchRow[];
  #run: BatchRun | undefined;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #why: string | undefined;
  #isDone = false;
  #isElsewhere = false;
  #jobs: string[] = [];

  constructor(place: BatchPlace, kept: StartedBatch, rows: readonly BatchRow[], events: BatchEvents) {
    this.place = place;
    this.#kept = kept;
    this.#rows = rows;
    this.#events = events;
    this.#changed = coalesce(() => events.changed(this), 100);
  }

  get id(): string {
    return this.#kept.id;
  }

  /** Name of the workflow file. */
  get label(): string {
    return this.#kept.label;
  }

  /** ms */
  get startedAt(): number {
    return Date.parse(this.#kept.startedAt);
  }

  /** Of the records and outputs. */
  get folder(): vscode.Uri {
    return this.place.folder;
  }

  get axes(): readonly BatchAxis[] {
    return this.#kept.axes;
  }

  get rows(): readonly BatchRow[] {
    return this.#run?.rows ?? this.#rows;
  }

  get kept(): StartedBatch {
    return this.#kept;
  }

  get state(): 'running' | 'paused' | 'stopped' | 'done' {
    if (this.#running) return this.#run?.isPaused === true ? 'paused' : 'running';
    return this.#isDone ? 'done' : 'stopped';
  }

  /** Another window or command is running it. */
  get isElsewhere(): boolean {
    return this.#isElsewhere && this.state === 'stopped';
  }

  set isElsewhere(is: boolean) {
    if (is === this.#isElsewhere) return;
    this.#isElsewhere = is;
    this.#changed();
  }

  /** Why it stopped. */
  get message(): string | undefined {
    if (this.isElsewhere) return t`Another window or command is running this batch.`;
    return this.#running ? undefined : this.#why;
  }

  get isCancelling(): boolean {
    return this.#running !== undefined && this.#abort.signal.aborted;
  }

  /** Starts no more rows; those on servers go on. */
  pause(): void {
    this.#run?.pause();
    this.#changed();
  }

  /** Lets a paused run go on; false if it does not run. */
  unpause(): boolean {
    if (!this.#run) return false;
    this.#run.resume();
    this.#changed();
    return true;
  }

  /** Lets failed rows of a run wait again; false if it does not run. */
  retryNow(): boolean {
    if (!this.#run || this.isCancelling) return false;
    this.#run.retryFailed();
    this.#run.resume();
    this.#changed();
    return true;
  }

  /** Cancels what is on the servers; it can be continued. */
  cancel(): void {
    this.#abort.abort(new vscode.CancellationError());
    this.#changed();
  }

  /** Stops without cancelling: the window closes. */
  async leave(): Promise<void> {
    this.#abort.abort(new RunLeft());
    await this.#running;
    this.#changed.cancel();
  }

  /** Resolves with itself when it neither runs nor is paused. */
  async ended(): Promise<Batch> {
    await this.#running;
    return this;
  }

  /** Reads from the run records how far it is. */
  async readRows(): Promise<void> {
    this.take(await rowsToRun(this.#files(), this.#kept));
  }

  /** What its run records say now; who runs it knows better. */
  take(rows: readonly BatchRow[]): void {
    if (!this.#running) this.#take(rows);
  }

  /**
   * Runs what is left, in the background.
   * @param retry failed rows too
   * @throws BatchProblem when another window or command runs it; nothing has been sent then
   */
  async go(start: BatchStart, retry: boolean): Promise<void> {
    if (this.#running) return;
    const release = await claimBatch(this.#files(), this.place.name);
    try {
      await requireStarted(this.#files(), this.place.name, this.id);
      const origins = new Set(start.servers.map(({ session }) => session.origin));
      const { hide } = start.work;
      const rows = await rowsLeft(this.#files(), this.#kept, { origins, retry, hide });
      this.#abort = new AbortController();
      const run = new BatchRun({
        work: { ...start.work, batch: this.#kept, folder: this.#files() },
        servers: start.servers,
        rows,
        stopAfterErrors: this.place.stopAfterErrors,
        onRow: (row) => this.#onRow(row),
        onServer: (name, state, message) => {
          if (state !== 'ready') this.#events.server(this, name, message);
        },
      });
      this.#run = run;
      const letGo = start.hold();
      this.#running = this.#carryOut(run, async () => {
        letGo();
        await release();
      });
    } catch (error) {
      await release();
      throw error;
    }
    this.#changed();
  }

  async #carryOut(run: BatchRun, letGo: () => Promise<void>): Promise<void> {
    let stop: BatchStop;
    try {
      stop = await run.go(this.#abort.signal);
    } catch (error) {
      const { message, nextAction } = errorWords(error);
      stop = { why: 'disk', message: sentencesText(message, nextAction) };
    }
    await letGo();
    this.#running = undefined;
    this.#run = undefined;
    this.#take([...run.rows], stop);
    if (!(this.#abort.signal.reason instanceof RunLeft)) this.#events.ended(this, stop);
  }

  #take(rows: readonly BatchRow[], stop?: BatchStop): void {
    const { waiting, queued, running, owed, cancelled } = countRows(rows);
    this.#rows = rows;
    this.#isDone = waiting + queued + running + owed + cancelled === 0;
    this.#why = stop?.message || (stop?.why === 'cancelled' ? t`Cancelled.` : undefined);
    if (!this.#isDone && this.#why === undefined) {
      this.#why = rows.find(({ state, message }) => state === 'owed' && message !== undefined)?.message;
    }
    this.#changed();
  }

  #onRow({ job, state }: BatchRow): void {
    if (job !== undefined && state !== 'queued' && state !== 'running') {
      this.#jobs.push(job);
      if (this.#jobs.length > mostJobs) this.#events.forgetJob(this.#jobs.shift() ?? '');
    }
    this.#changed();
  }

  #files(): NodeFolder {
    return new NodeFolder(this.place.folder.fsPath);
  }
}
