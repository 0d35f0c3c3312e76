import * as vscode from 'vscode';
import { claimBatch, requireStarted, type StartedBatch } from '../../core/batch/startedBatch';
import { countRows, rowCredits, rowsLeft, rowsToRun, type BatchRow } from '../../core/batch/batchRow';
import { BatchRun, type BatchStop } from '../../core/batch/batchRun';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { creditsText } from '../../core/jobs/runPrice';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { lockWords } from '../../core/records/claimRecord';
import { RunLeft } from '../../core/runLife/run';
import { endSentence, startOfSentence } from '../../core/safety/endSentence';
import { errorWords } from '../../core/safety/errorWords';
import { sentencesText, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isEndShown } from '../platform/settings';
import { tellNotRecorded } from '../runs/savingWords';
import { showError, showInformation, showWarning } from '../platform/show';
import { offerSteps } from '../platform/problems';
import type { BatchPlace } from './batchMemory';
import type { BatchStart } from './batchPreparation';

export interface BatchEvents {
  /** Called at most 10 times per second. */
  changed(batch: Batch): void;
  ended(batch: Batch, stop: BatchStop): void;
  forgetJob(jobId: string): void;
  server(batch: Batch, name: string, message: string): void;
}

const mostJobs = 300;

type Facts = 'id' | 'label' | 'startedAt' | 'folder' | 'axes';
export type ShownBatch = Pick<Batch, Facts | 'rows' | 'state' | 'isElsewhere' | 'isCancelling' | 'message'>;

/** A batch in this window, running, ended or found again after a reload: its file, its rows, and its run. */
export class Batch {
  readonly id: string;
  readonly label: string;
  readonly startedAt: number;
  readonly folder: vscode.Uri;
  readonly axes: StartedBatch['axes'];
  readonly #changed: ReturnType<typeof coalesceCalls>;
  #rows: readonly BatchRow[];
  #run: BatchRun | undefined;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #why: string | undefined;
  #isDone = false;
  #isElsewhere = false;
  /** Until it is seen whether another window or command still runs it. */
  #isWaiting = false;
  #jobs: string[] = [];

  constructor(
    readonly place: BatchPlace,
    readonly started: StartedBatch,
    rows: readonly BatchRow[],
    private readonly events: BatchEvents,
  ) {
    [this.id, this.label, this.axes] = [started.id, started.label, started.axes];
    this.startedAt = Date.parse(started.startedAt);
    this.folder = place.folder;
    this.#rows = rows;
    this.#changed = coalesceCalls(() => events.changed(this), 100);
  }

  get rows(): readonly BatchRow[] {
    return this.#run?.rows ?? this.#rows;
  }

  get state(): 'running' | 'paused' | 'stopped' | 'done' {
    if (this.#running) return this.#run?.isPaused === true ? 'paused' : 'running';
    return this.#isDone ? 'done' : 'stopped';
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isElsewhere(): boolean {
    return this.#isElsewhere && this.state === 'stopped';
  }

  set isElsewhere(is: boolean) {
    if (is === this.#isElsewhere) return;
    this.#isElsewhere = is;
    this.#changed();
  }

  get message(): string | undefined {
    if (this.#isWaiting) return `${lockWords()}…`;
    if (this.isElsewhere) return t`Another window or command is running this batch.`;
    return this.#running ? undefined : this.#why;
  }

  get isCancelling(): boolean {
    return this.#running !== undefined && this.#abort.signal.aborted;
  }

  pause(): void {
    this.#run?.pause();
    this.#changed();
  }

  /** Lets a paused run go on; false if it does not run. @param retry lets failed rows wait again */
  goOn(retry: boolean): boolean {
    if (!this.#run || (retry && this.isCancelling)) return false;
    if (retry) this.#run.retryFailed();
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

  /** As run records have them now; a window that runs the batch knows better. */
  async readRows(): Promise<void> {
    this.setRows(await rowsToRun(this.#files(), this.started));
  }

  setRows(rows: readonly BatchRow[]): void {
    if (!this.#running) this.#setRows(rows);
  }

  /**
   * Runs what is left, in the background.
   * @param retry failed rows too
   * @throws BatchProblem when another window or command runs it; nothing has been sent then
   */
  async go(start: BatchStart, retry: boolean): Promise<void> {
    if (this.#running) return;
    const folder = this.#files();
    const setWaiting = (is: boolean): void => {
      if (this.#isWaiting !== is) this.#changed();
      this.#isWaiting = is;
    };
    const claim = await claimBatch(folder, this.place.name, () => setWaiting(true)).finally(() =>
      setWaiting(false),
    );
    const letGo = await start.hold();
    const lost = new Map<number, unknown>();
    try {
      await requireStarted(folder, this.place.name, this.id);
      const origins = new Set(start.servers.map(({ session }) => session.origin));
      const { hide } = start.work;
      const rows = await rowsLeft(folder, this.started, { origins, retry, hide });
      this.#abort = new AbortController();
      const requireOwn = (): Promise<void> => claim.requireOwn();
      const onRun: typeof start.work.onRun = (row, event) => {
        start.work.onRun?.(row, event);
        if (event.kind === 'notRecorded') lost.set(row, event.error);
      };
      const run = new BatchRun({
        work: { ...start.work, batch: this.started, folder, requireOwn, onRun },
        servers: start.servers,
        rows,
        stopAfterErrors: this.place.stopAfterErrors,
        onRow: (row) => this.#onRow(row),
        onServer: (name, state, message) => {
          if (state !== 'ready') this.events.server(this, name, message);
        },
      });
      this.#run = run;
      this.#running = this.#carryOut(run, async () => {
        letGo();
        await claim.release();
        for (const error of [...lost.values()].slice(0, 1)) tellNotRecorded(lost.size, error);
      });
    } catch (error) {
      letGo();
      await claim.release();
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
    this.#setRows([...run.rows], stop);
    if (!RunLeft.is(this.#abort.signal.reason)) this.events.ended(this, stop);
  }

  #setRows(rows: readonly BatchRow[], stop?: BatchStop): void {
    const { waiting, queued, running, owed, cancelled } = countRows(rows);
    this.#rows = rows;
    this.#isDone = waiting + queued + running + owed + cancelled === 0;
    this.#why =
      stop?.message || (stop?.why === 'cancelled' ? startOfSentence(endSentence(t`cancelled`)) : undefined);
    if (!this.#isDone && this.#why === undefined) {
      this.#why = rows.find(({ state, message }) => state === 'owed' && message !== undefined)?.message;
    }
    this.#changed();
  }

  #onRow({ job, state }: BatchRow): void {
    if (job !== undefined && !['queued', 'running', 'owed'].includes(state)) {
      this.#jobs.push(job);
      const oldest = this.#jobs.length > mostJobs ? this.#jobs.shift() : undefined;
      if (oldest !== undefined) this.events.forgetJob(oldest);
    }
    this.#changed();
  }

  #files(): NodeFolder {
    return new NodeFolder(this.place.folder.fsPath);
  }
}

/** One notification when a batch ends; none for one that the person cancelled. */
export function notifyBatchEnd(batch: Batch, { why, message }: BatchStop): void {
  if (why === 'cancelled' || why === 'declined') return;
  const { label, rows, state } = batch;
  const { saved, failed, refused } = countRows(rows);
  const args = [batch.id];
  const resume = { label: shown`Resume`, command: commands.resumeBatch, args };
  const retry = { label: shown`Retry Failed Runs`, command: commands.retryBatch, args };
  const open = { label: shown`Show Batch`, command: commands.showBatch, args };
  const credits = rowCredits(rows);
  const cost = credits === undefined ? undefined : shown`Cost: ${creditsText(credits)}.`;
  const all = rows.length;
  if (why !== 'done' || state === 'stopped') {
    const words = shown`${label}: the batch stopped, ${saved} of ${all} saved. ${message === '' ? (batch.message ?? '') : message}`;
    offerSteps(showError, Shown.join([words, cost]), failed + refused > 0 ? [retry, resume] : [resume]);
  } else if (failed + refused > 0) {
    const words = shown`${shown`${label}: ${saved} of ${all} saved, ${failed + refused} failed`}.`;
    offerSteps(showWarning, Shown.join([words, cost]), [retry, open]);
  } else if (isEndShown()) {
    offerSteps(showInformation, Shown.join([shown`${label}: all ${all} runs saved.`, cost]), [open]);
  }
}
