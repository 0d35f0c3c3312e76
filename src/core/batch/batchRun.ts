import { abortableSleep } from '../client/timing';
import type { Finding } from '../check/finding';
import { MayStillRun } from '../jobs/cancelJobs';
import { ServerError } from '../protocol/serverError';
import { OutputsNotSavedError } from '../runLife/outputsNotSaved';
import { seldomListed } from '../outputs/outputFolder';
import { declinedWords } from '../runs/runWorkflow';
import type { RunEvent } from '../runLife/ownedRun';
import { errorWords } from '../safety/errorWords';
import { sentencesText, t } from '../safety/localize';
import {
  BatchQueue,
  waitForServer,
  neverPutOff,
  pauseAfter,
  type ServerState,
  serverStates,
} from './batchQueue';
import { type BatchCounts, type BatchRow, rowOfRun } from './batchRow';
import { BatchProblem } from './batchProblem';
import type { Attempted, BatchServer, BatchWork, Unsent } from './runRow';
import { askedOnce, giveUpRow, recoverRow, runRow } from './runRow';

/** Between two looks for a prompt that may still arrive, ms. */
const lookEvery = 60_000;

/** `message` is empty if the rows say everything. A cancelled batch has one if jobs may still run. */
export interface BatchStop {
  readonly why: 'done' | 'errors' | 'declined' | 'noServer' | 'cancelled' | 'disk';
  readonly message: string;
}

interface BatchRunOptions {
  readonly work: BatchWork;
  readonly servers: readonly BatchServer[];
  /** All rows, as the run records say: `rowsToRun`. */
  readonly rows: readonly BatchRow[];
  readonly stopAfterErrors: number;
  /** Called at every change of a row; coalesce for display. */
  readonly onRow?: ((row: BatchRow) => void) | undefined;
  /** A server is away, back, or left out; `message` says why. */
  readonly onServer?: ((server: string, state: ServerState['state'], message: string) => void) | undefined;
}

type Attempt = Parameters<typeof recoverRow>[0] & {
  readonly at: ServerState;
  readonly index: number;
  readonly isNew: boolean;
};

/**
 * Never gives a server more rows than its window, and starts each row once. Owed rows are resumed before anything new
 * is sent. Only the run records are stored, which is enough to resume a killed batch.
 */
export class BatchRun {
  readonly #options: BatchRunOptions;
  readonly #servers: readonly ServerState[];
  readonly #queue: BatchQueue;
  readonly #asks: ReturnType<typeof askedOnce>;
  #paused = false;
  #errors = 0;
  #hasAccepted = false;
  #stop: BatchStop | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Rows that are looked for again later. */
  #awaited = 0;
  readonly #sentAgain = new Set<number>();
  #signal = AbortSignal.abort();
  /** Also aborted when the run has ended. */
  #waiting = AbortSignal.abort();
  #settle: (() => void) | undefined;

  constructor(options: BatchRunOptions) {
    const { folder } = options.work;
    this.#options = { ...options, work: { ...options.work, folder: seldomListed(folder) } };
    this.#servers = serverStates(options.servers);
    this.#queue = new BatchQueue(options.rows, (row) => options.onRow?.(row));
    this.#asks = askedOnce(options.work.asks, () => {
      const { waiting, queued, running } = this.counts;
      return waiting + queued + running;
    });
  }

  get rows(): readonly BatchRow[] {
    return this.#queue.rows;
  }

  get counts(): BatchCounts {
    return this.#queue.counts;
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  /** Starts no more rows; those on servers go on. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /** Lets rows that have failed or were refused wait again; after the end, call `go` again. */
  retryFailed(): void {
    for (const { refused } of this.#servers) refused.clear();
    this.#queue.retryFailed();
    this.#pump();
  }

  /**
   * Runs until nothing is left, or nothing more may be started, and what is on the servers has ended. While paused, it
   * does not end.
   * @throws FolderNotUsableError when the output folder can't be written, and errors of ours
   */
  async go(signal: AbortSignal): Promise<BatchStop> {
    const ended = new AbortController();
    this.#signal = signal;
    this.#waiting = AbortSignal.any([signal, ended.signal]);
    this.#reset();
    this.#waiting.addEventListener('abort', () => this.#pump(), { once: true });
    try {
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
        this.#pump();
      });
    } finally {
      this.#settle = undefined;
      ended.abort();
      this.#servers.forEach(releaseSocketOf);
    }
    if (this.#failure) throw this.#failure.error;
    return this.#stop ?? { why: 'done', message: '' };
  }

  #reset(): void {
    [this.#stop, this.#failure, this.#errors] = [undefined, undefined, 0];
    this.#asks.forget();
    for (const each of this.#servers) [each.state, each.putOff] = ['ready', neverPutOff];
  }

  /** Starts whatever may be started now, and ends the run when nothing can be any more. */
  #pump(): void {
    if (!this.#settle) return;
    if (this.#signal.aborted) this.#stop ??= { why: 'cancelled', message: '' };
    while (!this.#paused && !this.#stop && !this.#failure && this.#startOne());
    if (this.#servers.some(({ live }) => live > 0)) return;
    if (this.#paused) this.#servers.forEach(releaseSocketOf);
    const isHeld =
      this.#paused ||
      this.#awaited > 0 ||
      this.#servers.some((each) => each.state === 'away' && this.#queue.hasFor(each.server, each.refused));
    if (this.#stop || this.#failure) this.#settle();
    else if (!isHeld || this.#servers.every(({ state }) => state === 'out')) this.#leaveRest();
  }

  /** Uses the server with the most room, so that all have work from the start. */
  #startOne(): boolean {
    const free = this.#servers
      .filter(({ state, live, server: { window } }) => state === 'ready' && live < window)
      .sort((one, other) => one.live - other.live);
    for (const each of free) {
      const next = this.#queue.take(each.server, each.refused);
      if (!next) continue;
      void this.#run(each, next);
      return true;
    }
    return false;
  }

  async #run(at: ServerState, row: BatchRow): Promise<void> {
    const { index, record } = row;
    const attempt: Attempt = {
      ...{ at, index, isNew: record === undefined, work: this.#options.work, server: at.server },
      on: (event) => this.#heard(at, index, event),
      // Node warns of more than ten listeners on a signal, and each row adds its own.
      signal: AbortSignal.any([this.#signal]),
    };
    at.live++;
    try {
      const end = await (record === undefined
        ? runRow(attempt, row, this.#asks)
        : recoverRow(attempt, record));
      if (end && 'kind' in end) this.#unsent(at, index, end);
      else await this.#ended(attempt, end);
    } catch (error) {
      this.#notTried(attempt, error, this.#queue.rows[index]);
    } finally {
      at.live--;
      this.#pump();
    }
  }

  #heard(at: ServerState, index: number, event: RunEvent): void {
    const row = this.#queue.rows[index];
    if (event.kind === 'accepted' || event.kind === 'resumed') {
      if (at.state === 'ready') at.releaseSocket ??= at.server.session.tracker.keepSocket();
      this.#queue.set(index, { state: 'queued', server: row?.server, record: row?.record, job: event.jobId });
    } else if (event.kind === 'running' && row?.state === 'queued' && row.job === event.jobId)
      this.#queue.set(index, { ...row, state: 'running' });
    this.#options.work.onRun?.(index, event);
  }

  #notTried({ at, index, isNew }: Attempt, error: unknown, row: BatchRow | undefined): void {
    const { aborted } = this.#signal;
    const server = at.server.name;
    if (aborted && isNew) this.#queue.set(index, { state: 'cancelled', server });
    else if (!isNew && (aborted || ServerError.is(error) || error instanceof BatchProblem))
      this.#queue.set(index, { ...row, state: 'owed', server, message: errorWords(error).message });
    else if (ServerError.is(error)) this.#unreached(at, index, error);
    else {
      this.#queue.set(index, { state: 'waiting' });
      this.#failure ??= { error };
    }
  }

  async #ended(attempt: Attempt, end: Attempted | undefined): Promise<void> {
    const { at, index } = attempt;
    if (end?.run.facts.job !== undefined) at.putOff = neverPutOff;
    const row = end && rowOfRun(end.run, end.isPaid);
    if (!row || row.state === 'waiting') {
      // Other servers may succeed.
      if (this.#sentAgain.has(index) && this.#hasOthersFor(at, index)) at.refused.add(index);
      this.#queue.wait(index);
      return;
    }
    const { state, message } = row;
    if (state === 'saved' || state === 'failed') this.#hasAccepted = true;
    if (state === 'saved') this.#errors = 0;
    if (end.again && this.#isFirst(index)) this.#queue.wait(index);
    else {
      this.#queue.set(index, { ...row, server: at.server.name });
      if (state === 'failed') this.#countError(message);
      if (state === 'owed') await this.#owed(attempt, end, message);
    }
  }

  async #owed(attempt: Attempt, { run, isPaid }: Attempted, message = ''): Promise<void> {
    const { at, index, isNew } = attempt;
    const { phase, facts, place } = run;
    if (phase.kind !== 'owed') return;
    const { why, error, mayArriveFor = 0 } = phase;
    if (why === 'serverAway') {
      this.#leave(at, message);
      const mayMove =
        this.#hasOthersFor(at, index) && (!isPaid || (await this.#asks.mayMovePaid(at.server.name)));
      if (mayMove && (await giveUpRow(attempt, place.record))) {
        // Never to the same server, even if it comes back.
        at.refused.add(index);
        this.#queue.wait(index);
      } else this.#queue.owe(index, at.server.session.origin);
      return;
    }
    if (why === 'mayStillRun') {
      const isAccepted = error instanceof MayStillRun;
      const words = isAccepted ? message : t`The job couldn't be cancelled: ${message}`;
      this.#stop = { why: 'cancelled', message: words };
    }
    if (error instanceof OutputsNotSavedError && ['diskFull', 'notWritable'].includes(error.reason))
      this.#stop ??= { why: 'disk', message };
    if (mayArriveFor > 0) this.#lookLater(at, index, Math.min(mayArriveFor, lookEvery));
    if (!isNew || this.#signal.aborted) return;
    // The row was paid for and isn't on disk, and the next rows would end the same.
    this.#countError(message);
    // Whether the server took it is unknown: it gets no more before it answers.
    if (facts.job !== undefined) return;
    if (this.#isFirst(index)) this.#queue.owe(index, at.server.session.origin);
    this.#leave(at, message);
  }

  #unsent(at: ServerState, index: number, outcome: Unsent): void {
    if (outcome.kind === 'declined') {
      this.#stop ??= { why: 'declined', message: declinedWords()[outcome.what] };
      this.#queue.wait(index);
      return;
    }
    const words =
      outcome.kind === 'refused'
        ? sentencesText(outcome.message, outcome.nextAction)
        : t`The server rejected the workflow: ${outcome.error.message}`;
    this.#refused(at, index, words, outcome.findings);
  }

  /** A server that accepted nothing is tried again later, within limits. */
  #unreached(
    at: ServerState,
    index: number,
    { reason, message, nextAction, retryAfter = 0 }: ServerError,
  ): void {
    const words = sentencesText(message, nextAction);
    if (reason === 'badRequest' || reason === 'tooLarge') {
      this.#refused(at, index, words, []);
      return;
    }
    this.#queue.wait(index);
    if (at.state !== 'ready') return;
    const mayComeBack = ['network', 'timeout', 'server', 'rateLimited', 'queueFull'].includes(reason);
    const pause = mayComeBack ? pauseAfter(at.putOff, retryAfter * 1000) : undefined;
    if (pause === undefined) this.#setState(at, 'out', words);
    else {
      at.putOff = { times: at.putOff.times + 1, waited: at.putOff.waited + pause };
      this.#leave(at, words, pause);
    }
  }

  /** Whether a row may be sent again by itself: once, since it may be what the server died of. */
  #isFirst(index: number): boolean {
    const isFirst = !this.#sentAgain.has(index);
    this.#sentAgain.add(index);
    return isFirst;
  }

  #hasOthersFor(at: ServerState, index: number): boolean {
    return this.#servers.some((each) => each !== at && each.state !== 'out' && !each.refused.has(index));
  }

  /** Looks for a row again whose prompt may still arrive. Meanwhile, the others go on. */
  #lookLater(at: ServerState, index: number, wait: number): void {
    this.#awaited++;
    void abortableSleep(wait, this.#waiting)
      .then(() => this.#queue.owe(index, at.server.session.origin))
      // The run has ended.
      .catch(() => undefined)
      .finally(() => {
        this.#awaited--;
        this.#pump();
      });
  }

  /** The others may take a row that one server refuses: each has its own models and node types. */
  #refused(at: ServerState, index: number, message: string, findings: readonly Finding[]): void {
    at.refused.add(index);
    if (this.#hasOthersFor(at, index)) this.#queue.wait(index);
    else {
      this.#queue.set(index, { state: 'refused', server: at.server.name, message, findings });
      // Nothing was ever accepted, so the others would be refused as well.
      if (this.#hasAccepted) this.#countError(message);
      else this.#stop ??= { why: 'errors', message };
    }
  }

  #countError(message = ''): void {
    this.#errors++;
    if (this.#errors >= this.#options.stopAfterErrors) this.#stop ??= { why: 'errors', message };
  }

  /** Gives a server no more rows until it is back; after a while it is left out. */
  #leave(at: ServerState, message: string, wait = 0): void {
    if (at.state !== 'ready') return;
    this.#setState(at, 'away', message);
    const { giveUpAfter } = this.#options.work;
    void waitForServer(at.server, { giveUpAfter, wait }, this.#waiting).then(
      (isBack) => this.#setState(at, isBack ? 'ready' : 'out', message),
      // The run has ended.
      () => undefined,
    );
  }

  #setState(at: ServerState, state: ServerState['state'], message: string): void {
    at.state = state;
    if (state !== 'ready') releaseSocketOf(at);
    at.message = state === 'ready' ? undefined : message;
    this.#options.onServer?.(at.server.name, state, message);
    this.#pump();
  }

  #leaveRest(): void {
    const why = this.#servers.find(({ message }) => message !== undefined)?.message;
    const message = why ?? t`None of the servers can run the remaining rows.`;
    if (!this.#queue.isDone) this.#stop ??= { why: 'noServer', message };
    this.#settle?.();
  }
}

function releaseSocketOf(at: ServerState): void {
  at.releaseSocket?.();
  at.releaseSocket = undefined;
}
