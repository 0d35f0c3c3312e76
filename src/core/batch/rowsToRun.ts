import type { Finding } from '../check/finding';
import { tellFailure } from '../jobs/failureText';
import { sumOfCredits } from '../jobs/runPrice';
import type { OutputFolder } from '../outputs/outputFolder';
import { runPrefix, runStem } from '../outputs/outputNames';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { RecordFile, recordsIn } from '../records/recordFile';
import type { HideSecrets } from '../records/recordSecrets';
import { lostRecord } from '../records/recordSteps';
import { rowTrouble } from '../records/runWords';
import { isOwed, type RunRecord } from '../records/runRecord';
import type { EndPhase } from '../runLife/run';
import { budgets } from '../safety/budgets';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { durationText } from '../safety/timeText';
import { BatchProblem } from './batchProblem';
import { countBatchRows } from './batchTable';
import type { StartedBatch } from './startedBatch';

/**
 * The rows of a kept batch as its run records tell: what is saved, what a server may have (`server` is its origin then),
 * what failed. All others wait, those too that were cancelled or that no server has any more.
 */
export async function rowsToRun(folder: OutputFolder, batch: StartedBatch): Promise<BatchRow[]> {
  return batchRows(batch, await recordedRows(folder, batch));
}

/** Without records, all rows wait. */
export function batchRows(
  batch: Pick<StartedBatch, 'axes' | 'isPaid'>,
  recorded?: ReadonlyMap<number, RecordedRow>,
): BatchRow[] {
  return Array.from({ length: countBatchRows(batch.axes) }, (_, index) => {
    const known = recorded?.get(index);
    return known ? recordedRow(index, known, batch) : { index, state: 'waiting' };
  });
}

interface RowsLeft {
  readonly origins: ReadonlySet<string>;
  readonly retry: boolean;
  readonly hide: HideSecrets;
}

/** Does the same for a batch about to be resumed. Jobs of an ended sandbox are given up, since they cost nothing. */
export async function rowsLeft(
  folder: OutputFolder,
  batch: StartedBatch,
  { origins, retry, hide }: RowsLeft,
): Promise<BatchRow[]> {
  const recorded = await recordedRows(folder, batch);
  for (const [row, { name, record }] of recorded) {
    if (!isOwed(record) || record.serverKind !== 'sandbox' || origins.has(record.server)) continue;
    const file = await RecordFile.open(folder, name, hide);
    if (!(file instanceof RecordFile)) continue;
    await file.change((known) => lostRecord(known, 'sandboxEnded'));
    await file.close();
    recorded.delete(row);
  }
  return batchRows(batch, recorded).map((row) =>
    retry && row.state === 'failed' ? { index: row.index, state: 'waiting' } : row,
  );
}

interface RecordedRow {
  readonly name: string;
  readonly record: RunRecord;
  /** The cost in credits of each job, from all records of the row. */
  readonly prices: Readonly<Record<string, number>>;
}

/**
 * The row's records that count: one that is saved before one that is owed, and that before one that has failed or was
 * given up; of several, the newest.
 * @throws BatchProblem or OutputError for a record that can't be read and may be one of them: its row may have been sent
 */
export async function recordedRows(
  folder: OutputFolder,
  { id, label, startedAt }: Pick<StartedBatch, 'id' | 'label' | 'startedAt'>,
): Promise<Map<number, RecordedRow>> {
  const stem = `${runStem(label)}-`;
  const first = runPrefix(label, Date.parse(startedAt));
  const rows = new Map<number, RecordedRow>();
  const onUnreadable = (name: string): void => {
    if (!name.startsWith(stem) || name < first) return;
    throw new BatchProblem(
      t`${name} can't be read, so Comfy Deck can't tell which runs were already submitted.`,
      t`Repair the file, or move it out of the output folder.`,
    );
  };
  for await (const { name, record } of recordsIn(folder, { onUnreadable })) {
    if (record.batch?.id !== id) continue;
    const { row } = record.batch;
    const [known, read] = [rows.get(row), recordedAs(name, record)];
    rows.set(row, known ? countedRow(known, read) : read);
  }
  return rows;
}

/** The rows of these batches, by their ids: the records of the folder are read once for all, up to a limit. */
export async function startedRows(
  folder: OutputFolder,
  batches: readonly StartedBatch[],
): Promise<ReadonlyMap<string, readonly BatchRow[]>> {
  const found = new Map(batches.map(({ id }) => [id, new Map<number, RecordedRow>()]));
  for await (const { name, record } of recordsIn(folder, { newest: budgets.galleryRecords })) {
    const rows = record.batch && found.get(record.batch.id);
    if (!rows) continue;
    const [known, read] = [rows.get(record.batch.row), recordedAs(name, record)];
    rows.set(record.batch.row, known ? countedRow(read, known) : read);
  }
  return new Map(batches.map((batch) => [batch.id, batchRows(batch, found.get(batch.id))]));
}

/**
 * The rows after one record was written. It is the newest of its row, so it counts, unless another one has saved the row.
 * @returns undefined if it tells nothing of this batch
 */
export function rowsAfter(
  rows: readonly BatchRow[],
  batch: Pick<StartedBatch, 'id' | 'isPaid'>,
  name: string,
  record: RunRecord,
): readonly BatchRow[] | undefined {
  const known = record.batch?.id === batch.id ? rows[record.batch.row] : undefined;
  if (!known || (known.state === 'saved' && known.record !== name)) return undefined;
  const { prices, ...written } = recordedAs(name, record);
  const all = { ...known.prices, ...prices };
  return rows.with(known.index, recordedRow(known.index, { ...written, prices: all }, batch));
}

/** The prompts are left out: there may be thousands. */
function recordedAs(name: string, record: RunRecord): RecordedRow {
  const { price, job = name } = record;
  const prices = price ? { [job]: price.credits } : {};
  return { name, record: { ...record, promptText: undefined, workflowText: undefined }, prices };
}

function countedRow(older: RecordedRow, newer: RecordedRow): RecordedRow {
  const counted = recordRank(older.record) > recordRank(newer.record) ? older : newer;
  return { ...counted, prices: { ...older.prices, ...newer.prices } };
}

function recordRank(record: RunRecord): number {
  if (record.state === 'saved') return 3;
  if (isOwed(record)) return 2;
  return record.state === 'failed' || record.state === 'outputsUnknown' ? 1 : 0;
}

function recordedRow(
  index: number,
  { name, record, prices }: RecordedRow,
  { isPaid }: Pick<StartedBatch, 'isPaid'>,
): BatchRow {
  const state = recordedState(record, isPaid);
  if (state === 'waiting') return { index, state, prices };
  const { server, job } = record;
  return { index, state, server, job, record: name, message: rowTrouble(record), prices };
}

/** `failed`: it ran, and a server may have charged for it; `waiting`: it can be sent again. */
function recordedState(
  { state, job, batch, why }: RunRecord,
  isPaid: boolean,
): 'saved' | 'owed' | 'failed' | 'waiting' {
  if (isOwed({ state })) return 'owed';
  if (state === 'saved') return state;
  if (state === 'failed' || state === 'outputsUnknown') return 'failed';
  // A sandbox charges nothing. A prompt that no server has a job for may have run before the server forgot its jobs.
  const isFree = why === 'sandboxEnded' || batch?.moved === true || (job === undefined && !isPaid);
  return state === 'lost' && !isFree ? 'failed' : 'waiting';
}

/** How an attempt at a row ended. `price` is what the job cost, in credits. */
export interface RowEnd extends Omit<BatchRow, 'index' | 'server' | 'prices'> {
  /** `waiting`: no server has it, and it can be sent. */
  readonly state: ReturnType<typeof recordedState> | 'cancelled';
  readonly price?: number | undefined;
  /** Why the run is owed, if it was followed here. */
  readonly owed?: (EndPhase & { readonly kind: 'owed' }) | undefined;
  readonly isPaid?: boolean;
  /** The server showed that it no longer has the job, and to run it again costs nothing. */
  readonly again?: boolean;
}

/** @param end undefined: it had ended before, as its record says */
export function rowOfRun(
  end: EndPhase | undefined,
  { name, record }: { readonly name: string; readonly record: RunRecord },
  isPaid: boolean,
): RowEnd {
  // Whoever reads the rows of a command finds the member in each that has ended.
  const { job = '' } = record;
  const known = { job, price: record.price?.credits, isPaid };
  if (end?.kind === 'cancelled') return { state: 'cancelled', ...known };
  if (end?.kind === 'owed')
    return { ...owedRow(name, owedMessage(end)), ...known, job: record.job, owed: end };
  const state = recordedState(record, isPaid);
  if (state === 'waiting') return { state };
  if (state !== 'failed') return { state, record: name, ...known };
  const failure = end?.kind === 'failed' ? end.job?.failure : undefined;
  const message = failure ? tellFailure(failure).message : (rowTrouble(record) ?? t`The run failed.`);
  return { state, record: name, ...known, message, failure };
}

/** A server has it, or may have it. */
export function owedRow(record: string, message: string): RowEnd {
  return { state: 'owed', record, message };
}

function owedMessage({ why, error, mayArriveFor = 0 }: EndPhase & { readonly kind: 'owed' }): string {
  if (why !== 'notSeen') return errorWords(error).message;
  return mayArriveFor > 0
    ? t`The server doesn't list a job for this run yet, but it may still appear. Waiting up to ${durationText(mayArriveFor)}.`
    : t`Comfy Deck can't tell whether any job on the server is this run.`;
}

/**
 * `waiting`: nothing of it is on a server; `queued`: on its way to a server, or in its queue; `running`: being run, or
 * saved; `owed`: a server has it, or may have it, and this batch is not following it now. The others have ended.
 */
export type BatchRowState =
  'waiting' | 'queued' | 'running' | 'owed' | 'saved' | 'failed' | 'refused' | 'cancelled';

export interface BatchRow {
  /** The row in the table, from 0. */
  readonly index: number;
  readonly state: BatchRowState;
  readonly server?: string | undefined;
  readonly job?: string | undefined;
  readonly record?: string | undefined;
  readonly message?: string | undefined;
  readonly failure?: ExecutionFailure | undefined;
  readonly findings?: readonly Finding[] | undefined;
  /** Credits of all jobs that were sent for it, as the servers told them: job -> credits. */
  readonly prices?: Readonly<Record<string, number>> | undefined;
}

/** The cost of these rows in credits; undefined if no server reported any. */
export function rowCredits(rows: readonly Pick<BatchRow, 'prices'>[]): number | undefined {
  return sumOfCredits(rows.flatMap(({ prices = {} }) => Object.values(prices)));
}

export type BatchCounts = Readonly<Record<BatchRowState, number>>;

export function countRows(rows: Iterable<BatchRow>): Record<BatchRowState, number> {
  const counts = {
    waiting: 0,
    queued: 0,
    running: 0,
    owed: 0,
    saved: 0,
    failed: 0,
    refused: 0,
    cancelled: 0,
  };
  for (const { state } of rows) counts[state]++;
  return counts;
}
