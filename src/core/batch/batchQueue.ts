import { countRows, type BatchCounts, type BatchRow, type BatchRowState } from './batchRow';
import type { RowEnd } from './rowEnd';
import type { RunSession } from '../runLife/runSession';

interface QueueServer {
  readonly name: string;
  readonly session: Pick<RunSession, 'origin'>;
}

/** The rows of a batch, and which of them may be started next. */
export class BatchQueue {
  readonly #rows: BatchRow[];
  readonly #counts: Record<BatchRowState, number>;
  readonly #onRow: (row: BatchRow) => void;
  /** Rows without a job, in their order; those that were given back come first. */
  #waiting: number[];
  /** Rows that a server may have, by its origin. */
  readonly #owed = new Map<string, number[]>();

  constructor(rows: readonly BatchRow[], onRow: (row: BatchRow) => void) {
    this.#rows = [...rows];
    this.#counts = countRows(rows);
    this.#onRow = onRow;
    // Taken from the end.
    this.#waiting = rows.filter(({ state }) => state === 'waiting').map(({ index }) => index);
    this.#waiting.reverse();
    for (const { state, server = '', index } of rows.toReversed())
      if (state === 'owed') this.owe(index, server);
  }

  get rows(): readonly BatchRow[] {
    return this.#rows;
  }

  /** A copy, as they stand. */
  get counts(): BatchCounts {
    return { ...this.#counts };
  }

  /** Nothing waits. */
  get isDone(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next row for a server, which is then queued there: one that it may have already, or a new one. */
  take({ session, name }: QueueServer, refused: ReadonlySet<number>): BatchRow | undefined {
    const owed = this.#owed.get(session.origin)?.pop();
    const index = owed ?? this.#takeWaiting(refused);
    if (index === undefined) return undefined;
    const before = this.#rows[index];
    this.set(index, {
      state: 'queued',
      server: name,
      record: owed === undefined ? undefined : before?.record,
    });
    return this.#rows[index];
  }

  /** There is a row that this server may take. */
  hasFor({ session }: Pick<QueueServer, 'session'>, refused: ReadonlySet<number>): boolean {
    const owed = this.#owed.get(session.origin) ?? [];
    return owed.length > 0 || this.#waiting.some((index) => !refused.has(index));
  }

  /** A failure is told and not kept: tracebacks of all rows are long. `price`: what its job cost. */
  set(
    index: number,
    { price, failure, ...changes }: Omit<BatchRow, 'index' | 'prices'> & Pick<RowEnd, 'price'>,
  ): void {
    const { state, server, job, record, message, findings } = changes;
    const before = this.#rows[index];
    const isPriced = price !== undefined && job !== undefined;
    const prices = isPriced ? { ...before?.prices, [job]: price } : before?.prices;
    const row = { index, state, server, job, record, message, findings, ...(prices && { prices }) };
    if (before) this.#counts[before.state]--;
    this.#counts[state]++;
    this.#rows[index] = row;
    this.#onRow({ ...row, failure });
  }

  /** Lets a row wait, before the others. */
  wait(index: number): void {
    this.#waiting.push(index);
    this.set(index, { state: 'waiting' });
  }

  /** A server has a row, or may have it: it is taken up there and nowhere else. */
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
