import { abortableSleep } from '../client/timing';
import { t } from '../safety/localize';
import {
  BatchQueue,
  waitForServer,
  neverPutOff,
  pauseAfter,
  type ServerState,
  serverStates,
} from './batchQueue';
import type { BatchCounts, BatchRow } from './rowsToRun';
import type { BatchServer, BatchWork } from './batchWork';
import { askedOnce, giveUpRow, recoverRow, runRow } from './runRow';
import type { RowEnd } from './rowEnd';

/** `message` is empty if the rows say everything. A cancelled batch has one if jobs may still run. */
export interface BatchStop {
  readonly why: 'done' | 'errors' | 'declined' | 'noServer' | 'cancelled' | 'disk';
  readonly message: string;
}

export interface BatchRunOptions {
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

/**
 * Never gives a server more rows than its window, and starts each row once. Owed rows are resumed before anything new
 * is sent. Only the run records are stored, which is enough to resume a killed batch.
 */
export class BatchRun {
  readonly #options: BatchRunOptions;
  readonly #work: BatchWork;
  readonly #servers: readonly ServerState[];
  readonly #queue: BatchQueue;
  readonly #asks: ReturnType<typeof askedOnce>;
  #paused = false;
  #errors = 0;
  #hasAccepted = false;
  #stop: BatchStop | undefined;
  #failure: { readonly error: unknown } | undefined;
  #live = 0;
  /** Rows that are looked for again later. */
  #awaited = 0;
  readonly #sentAgain = new Set<number>();
  #signal: AbortSignal | undefined;
  #looking = new AbortController();
  #settle: (() => void) | undefined;

  constructor(options: BatchRunOptions) {
    this.#options = options;
    this.#work = {
      ...options.work,
      onSent: (row, jobId) => this.#sent(row, jobId),
      onRunning: (row, jobId) => this.#began(row, jobId),
    };
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
    this.#signal = signal;
    this.#begin();
    const abort = (): void => this.#pump();
    signal.addEventListener('abort', abort);
    try {
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
        this.#pump();
      });
    } finally {
      signal.removeEventListener('abort', abort);
      this.#settle = undefined;
      this.#looking.abort();
    }
    if (this.#failure) throw this.#failure.error;
    return this.#stop ?? { why: 'done', message: '' };
  }

  #begin(): void {
    this.#stop = undefined;
    this.#failure = undefined;
    this.#errors = 0;
    this.#asks.forget();
    this.#looking = new AbortController();
    for (const each of this.#servers) [each.state, each.putOff] = ['ready', neverPutOff];
  }

  /** Starts whatever may be started now, and ends the run when nothing can be any more. */
  #pump(): void {
    if (!this.#settle || !this.#signal) return;
    if (this.#signal.aborted) this.#stop ??= { why: 'cancelled', message: '' };
    while (!this.#paused && !this.#stop && !this.#failure && this.#startOne(this.#signal));
    if (this.#live > 0) return;
    if (this.#stop || this.#failure) this.#settle();
    else if (this.#servers.every(({ state }) => state === 'out')) this.#leaveRest();
    else if (!this.#paused && this.#awaited === 0 && !this.#servers.some((each) => this.#isAwaited(each)))
      this.#leaveRest();
  }

  #isAwaited({ state, server, refused }: ServerState): boolean {
    return state === 'away' && this.#queue.hasFor(server, refused);
  }

  /** Uses the server with the most room, so that all have work from the start. */
  #startOne(signal: AbortSignal): boolean {
    const free = this.#servers
      .filter(({ state, live, server }) => state === 'ready' && live < server.window)
      .sort((one, other) => one.live - other.live);
    for (const each of free) {
      const next = this.#queue.take(each.server, each.refused);
      if (!next) continue;
      void this.#run(each, next, signal);
      return true;
    }
    return false;
  }

  async #run(at: ServerState, { index, record }: BatchRow, signal: AbortSignal): Promise<void> {
    const work = this.#work;
    // Node warns of more than ten listeners on a signal, and each row adds its own.
    const own = AbortSignal.any([signal]);
    at.live++;
    this.#live++;
    try {
      const end = await (record === undefined
        ? runRow(work, this.#asks, index, at.server, own)
        : recoverRow(work, record, at.server, own));
      await this.#ended(at, index, end, { signal, isNew: record === undefined });
    } catch (error) {
      this.#queue.set(index, { state: 'waiting' });
      this.#failure ??= { error };
    } finally {
      at.live--;
      this.#live--;
      this.#pump();
    }
  }

  #sent(index: number, job: string): void {
    const row = this.#queue.rows[index];
    this.#queue.set(index, { state: 'queued', server: row?.server, record: row?.record, job });
    this.#options.work.onSent?.(index, job);
  }

  #began(index: number, job: string): void {
    const row = this.#queue.rows[index];
    if (row?.state === 'queued' && row.job === job) this.#queue.set(index, { ...row, state: 'running' });
  }

  async #ended(
    at: ServerState,
    index: number,
    end: RowEnd,
    { signal, isNew }: { readonly signal: AbortSignal; readonly isNew: boolean },
  ): Promise<void> {
    const { name: server } = at.server;
    if ('job' in end && end.job !== undefined) at.putOff = neverPutOff;
    switch (end.kind) {
      case 'saved':
        this.#errors = 0;
        this.#hasAccepted = true;
        this.#queue.set(index, { ...end, state: 'saved', server });
        return;
      case 'failed':
        this.#hasAccepted = true;
        if (end.again && this.#isFirst(index)) {
          this.#queue.wait(index);
          return;
        }
        this.#queue.set(index, { ...end, state: 'failed', server });
        this.#countError(end.message);
        return;
      case 'refused':
        this.#refused(at, index, end);
        return;
      case 'declined':
        this.#queue.wait(index);
        this.#stop ??= { why: 'declined', message: declinedWords()[end.what] };
        return;
      case 'unreachable':
        this.#queue.wait(index);
        this.#putOff(at, end, signal);
        return;
      case 'lostServer':
        this.#queue.set(index, { ...end, state: 'owed', server });
        this.#leave(at, end.message, signal);
        if (!(await this.#move(at, index, end))) this.#queue.owe(index, at.server.session.origin);
        return;
      case 'owed':
        this.#queue.set(index, { ...end, state: 'owed', server });
        if (end.mayRun) this.#stop = { why: 'cancelled', message: end.message };
        if (end.stops) this.#stop ??= { why: 'disk', message: end.message };
        if (end.lookIn !== undefined) this.#lookLater(at, index, end.lookIn, signal);
        if (!isNew || signal.aborted) return;
        // The row was paid for and isn't on disk, and the next rows would end the same.
        this.#countError(end.message);
        // Whether the server took it is unknown: it gets no more before it answers.
        if (end.job !== undefined) return;
        if (this.#isFirst(index)) this.#queue.owe(index, at.server.session.origin);
        this.#leave(at, end.message, signal);
        return;
      case 'cancelled':
        this.#queue.set(index, { ...end, state: 'cancelled', server });
        return;
      case 'notSent':
        // Other servers may succeed.
        if (this.#sentAgain.has(index) && this.#othersFor(at, index).length > 0) at.refused.add(index);
        this.#queue.wait(index);
        return;
    }
  }

  /** Whether a row may be sent again by itself: once, since it may be what the server died of. */
  #isFirst(index: number): boolean {
    const isFirst = !this.#sentAgain.has(index);
    this.#sentAgain.add(index);
    return isFirst;
  }

  #othersFor(at: ServerState, index: number): readonly ServerState[] {
    return this.#servers.filter((each) => each !== at && each.state !== 'out' && !each.refused.has(index));
  }

  /** Looks for a row again whose prompt may still arrive. Meanwhile, the others go on. */
  #lookLater(at: ServerState, index: number, wait: number, signal: AbortSignal): void {
    this.#awaited++;
    void abortableSleep(wait, AbortSignal.any([signal, this.#looking.signal]))
      .then(() => this.#queue.owe(index, at.server.session.origin))
      // The run has ended.
      .catch(() => undefined)
      .finally(() => {
        this.#awaited--;
        this.#pump();
      });
  }

  /** The others may take a row that one server refuses: each has its own models and node types. */
  #refused(
    at: ServerState,
    index: number,
    { message, findings }: RowEnd & { readonly kind: 'refused' },
  ): void {
    at.refused.add(index);
    const mayRun = this.#servers.some(({ state, refused }) => state !== 'out' && !refused.has(index));
    if (mayRun) {
      this.#queue.wait(index);
      return;
    }
    this.#queue.set(index, { state: 'refused', server: at.server.name, message, findings });
    // Nothing was ever accepted, so the others would be refused as well.
    if (this.#hasAccepted) this.#countError(message);
    else this.#stop ??= { why: 'errors', message };
  }

  #countError(message: string): void {
    this.#errors++;
    if (this.#errors >= this.#options.stopAfterErrors) this.#stop ??= { why: 'errors', message };
  }

  /** A server that accepted nothing is tried again later, within limits. */
  #putOff(
    at: ServerState,
    { message, mayComeBack, wait }: RowEnd & { readonly kind: 'unreachable' },
    signal: AbortSignal,
  ): void {
    if (at.state !== 'ready') return;
    const pause = mayComeBack ? pauseAfter(at.putOff, wait) : undefined;
    if (pause === undefined) {
      this.#tell(at, 'out', message);
      return;
    }
    at.putOff = { times: at.putOff.times + 1, waited: at.putOff.waited + pause };
    this.#leave(at, message, signal, pause);
  }

  /** Gives a server no more rows until it is back; after a while it is left out. */
  #leave(at: ServerState, message: string, signal: AbortSignal, wait = 0): void {
    if (at.state !== 'ready') return;
    this.#tell(at, 'away', message);
    const looking = AbortSignal.any([signal, this.#looking.signal]);
    const { giveUpAfter } = this.#options.work;
    void waitForServer(at.server, { giveUpAfter, wait }, looking).then(
      (isBack) => this.#tell(at, isBack ? 'ready' : 'out', message),
      // The run has ended.
      () => undefined,
    );
  }

  #tell(at: ServerState, state: ServerState['state'], message: string): void {
    at.state = state;
    at.message = state === 'ready' ? undefined : message;
    this.#options.onServer?.(at.server.name, state, message);
    this.#pump();
  }

  /** Gives a row of a server that stopped answering to the others; otherwise that one has it when it is back. */
  async #move(
    at: ServerState,
    index: number,
    { record, isPaid }: RowEnd & { readonly kind: 'lostServer' },
  ): Promise<boolean> {
    const { name } = at.server;
    if (this.#othersFor(at, index).length === 0 || (isPaid && !(await this.#asks.mayMovePaid(name))))
      return false;
    if (!(await giveUpRow(this.#options.work, record, at.server))) return false;
    // Never to the same server, even if it comes back.
    at.refused.add(index);
    this.#queue.wait(index);
    return true;
  }

  #leaveRest(): void {
    if (!this.#queue.isDone) {
      const why = this.#servers.find(({ message }) => message !== undefined)?.message;
      this.#stop ??= { why: 'noServer', message: why ?? t`None of the servers can run the remaining rows.` };
    }
    this.#settle?.();
  }
}

const declinedWords = () => ({
  upload: t`The workflow uses local files that the server doesn't have.`,
  spending: t`The workflow uses partner nodes, which cost extra credits.`,
  unheard: t`The server's WebSocket can't be opened, so outputs couldn't be found.`,
});
