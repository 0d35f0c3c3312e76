import { type BatchCounts, type BatchRow, type BatchRowState, countRows } from './batchRow';
import type { RunSession } from '../runLife/runSession';
import { abortableSleep } from '../client/timing';
import { budgets } from '../safety/budgets';
import type { BatchServer } from './runRow';

interface QueueServer {
  readonly name: string;
  readonly session: Pick<RunSession, 'origin'>;
}

export class BatchQueue {
  readonly #rows: BatchRow[];
  readonly #counts: Record<BatchRowState, number>;
  /** Rows without a job, in their order; those that were given back come first. */
  #waiting: number[];
  /** Rows that a server may have, by its origin. */
  readonly #owed = new Map<string, number[]>();

  constructor(
    rows: readonly BatchRow[],
    private readonly onRow: (row: BatchRow) => void,
  ) {
    this.#rows = [...rows];
    this.#counts = countRows(rows);
    // Rows are taken from the end.
    this.#waiting = rows.filter(({ state }) => state === 'waiting').map(({ index }) => index);
    this.#waiting.reverse();
    for (const { state, server = '', index } of rows.toReversed())
      if (state === 'owed') this.owe(index, server);
  }

  get rows(): readonly BatchRow[] {
    return this.#rows;
  }

  get counts(): BatchCounts {
    return { ...this.#counts };
  }

  get isDone(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next row for a server, which is then queued there: one that it may have already, or a new one. */
  take({ session, name }: QueueServer, refused: ReadonlySet<number>): BatchRow | undefined {
    const owed = this.#owed.get(session.origin)?.pop();
    const index = owed ?? this.#takeWaiting(refused);
    if (index === undefined) return undefined;
    const { record, job } = (owed === undefined ? undefined : this.#rows[index]) ?? {};
    this.set(index, { state: 'queued', server: name, record, job });
    return this.#rows[index];
  }

  hasFor({ session }: Pick<QueueServer, 'session'>, refused: ReadonlySet<number>): boolean {
    const owed = this.#owed.get(session.origin);
    return (owed && owed.length > 0) || this.#waiting.some((index) => !refused.has(index));
  }

  /** A failure is reported and not kept, because the tracebacks of all rows are long. Prices are added. */
  set(index: number, { failure, prices: added, ...changes }: Omit<BatchRow, 'index'>): void {
    const { state, server, job, record, message, findings } = changes;
    const before = this.#rows[index];
    const prices = added ? { ...before?.prices, ...added } : before?.prices;
    const row = { index, state, server, job, record, message, findings, ...(prices && { prices }) };
    if (before) this.#counts[before.state]--;
    this.#counts[state]++;
    this.#rows[index] = row;
    this.onRow({ ...row, failure });
  }

  wait(index: number): void {
    this.#waiting.push(index);
    this.set(index, { state: 'waiting' });
  }

  /** A server has a row, or may have it, so the row is resumed there and nowhere else. */
  owe(index: number, origin: string): void {
    const known = this.#owed.get(origin);
    if (known) known.push(index);
    else this.#owed.set(origin, [index]);
  }

  retryFailed(): void {
    const failed = this.#rows.filter(({ state }) => state === 'failed' || state === 'refused');
    this.#waiting = [...failed.map(({ index }) => index).reverse(), ...this.#waiting];
    for (const { index } of failed) this.set(index, { state: 'waiting' });
  }

  #takeWaiting(refused: ReadonlySet<number>): number | undefined {
    if (refused.size === 0) return this.#waiting.pop();
    const at = this.#waiting.findLastIndex((index) => !refused.has(index));
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }
}

export interface ServerState {
  readonly server: BatchServer;
  /** `away`: not reachable now; `out`: no more rows for it. */
  state: 'ready' | 'away' | 'out';
  message: string | undefined;
  live: number;
  /** Lets go of its socket, which is kept from row to row. */
  releaseSocket: (() => void) | undefined;
  readonly refused: Set<number>;
  putOff: PutOff;
}

interface PutOff {
  readonly times: number;
  /** How long it was left alone for that, ms. */
  readonly waited: number;
}

export const neverPutOff: PutOff = { times: 0, waited: 0 };

/** Between two looks whether a server is back, ms. */
const lookEvery = 2_000;
/** A server that keeps putting off rows is asked at least this often, ms. */
const longestPause = 60_000;

/** At least as long as the server asks for, and longer each time (ms); undefined once the total is too long. */
export function pauseAfter({ times, waited }: PutOff, wanted: number): number | undefined {
  const pause = Math.max(wanted, Math.min(lookEvery * (2 ** times - 1), longestPause));
  return waited + pause > budgets.submissionWait ? undefined : pause;
}

export function serverStates(servers: readonly BatchServer[]): ServerState[] {
  return servers.map((server) => ({
    server,
    state: 'ready',
    message: undefined,
    live: 0,
    releaseSocket: undefined,
    refused: new Set(),
    putOff: neverPutOff,
  }));
}

/** Waits until a server answers again, or for as long as the batch is patient; not before it wants to be asked. */
export async function waitForServer(
  { session }: Pick<BatchServer, 'session'>,
  { giveUpAfter, wait }: { readonly giveUpAfter: number; readonly wait: number },
  signal: AbortSignal,
): Promise<boolean> {
  if (wait > 0) await abortableSleep(wait, signal);
  for (let waited = 0; waited < giveUpAfter; waited += lookEvery) {
    await abortableSleep(Math.min(lookEvery, giveUpAfter - waited), signal);
    try {
      await session.tracker.refresh(signal);
      return true;
    } catch {
      signal.throwIfAborted();
    }
  }
  return false;
}
