import type { Finding } from '../check/finding';
import { tellFailure } from '../jobs/failureText';
import type { Job } from '../jobs/job';
import { sumOfCredits } from '../jobs/runPrice';
import type { OutputFolder } from '../outputs/outputFolder';
import { runPrefix, runStem } from '../outputs/outputNames';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { type ListedRecord, RecordFile, recordsIn } from '../records/recordFile';
import type { HideSecrets } from '../records/recordSecrets';
import { lostRecord } from '../records/recordSteps';
import { rowTrouble } from '../records/runWords';
import { isOwed, type RunRecord } from '../records/runRecord';
import { type LeftPhase, phaseOfRecord } from '../runLife/run';
import { budgets } from '../safety/budgets';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { durationText } from '../safety/timeText';
import { BatchProblem } from './batchProblem';
import { countBatchRows } from './batchTable';
import type { StartedBatch } from './startedBatch';

/**
 * `waiting`: nothing of it is on a server; `queued`: on its way to a server, or in its queue; `running`: being run, or
 * saved; `owed`: a server has it, or may have it, and this batch is not following it now. The others have ended.
 */
export type BatchRowState = (typeof states)[number];
const states = [
  ...(['waiting', 'queued', 'running', 'owed', 'saved', 'failed', 'refused', 'cancelled'] as const),
];

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

/** How the run of a row is, as far as it decides about the row. @param record the name of its record */
interface LeftRun {
  readonly place: { readonly record: string };
  readonly facts: RunRecord;
  readonly phase: LeftPhase & { readonly job?: Job | undefined };
}

/** `failed`: it ran, and a server may have charged for it; `waiting`: it can be sent again. */
function rowStateOf({ facts: { job }, phase }: LeftRun, isPaid: boolean): BatchRowState {
  switch (phase.kind) {
    case 'owed':
    case 'saved':
    case 'cancelled':
      return phase.kind;
    case 'lost': {
      // A sandbox charges nothing. A prompt that no server has a job for may have run before the server forgot its jobs.
      const isFree = phase.why === 'sandboxEnded' || phase.why === 'moved' || (job === undefined && !isPaid);
      return isFree ? 'waiting' : 'failed';
    }
    default:
      return 'failed';
  }
}

/** The row of a run that nobody works on. */
export function rowOfRun(run: LeftRun, isPaid: boolean): Omit<BatchRow, 'index' | 'server'> {
  const { facts, phase } = run;
  const { record } = run.place;
  const state = rowStateOf(run, isPaid);
  // Whoever reads the rows of a command finds the member in each that has ended.
  const { price, job = '' } = facts;
  const known = { state, prices: price && { [facts.job ?? record]: price.credits } };
  if (state === 'waiting') return known;
  if (state === 'cancelled') return { ...known, job };
  if (phase.kind === 'owed') return { ...known, job: facts.job, record, message: owedMessage(phase, facts) };
  if (state === 'saved') return { ...known, job, record };
  const failure = phase.kind === 'failed' ? phase.job?.failure : undefined;
  const message = failure ? tellFailure(failure).message : (rowTrouble(facts) ?? t`The run failed.`);
  return { ...known, job, record, message, failure };
}

function owedMessage(
  { why, error, mayArriveFor }: LeftPhase & { readonly kind: 'owed' },
  facts: RunRecord,
): string | undefined {
  if (error !== undefined) return errorWords(error).message;
  if (why !== 'notSeen' || mayArriveFor === undefined) return rowTrouble(facts);
  return mayArriveFor > 0
    ? t`The server doesn't list a job for this run yet, but it may still appear. Waiting up to ${durationText(mayArriveFor)}.`
    : t`Comfy Deck can't tell whether any job on the server is this run.`;
}

/** The records of a row come down to this one. */
interface RecordedRow extends ListedRecord {
  /** The cost in credits of each job, from all records of the row. */
  readonly prices: Readonly<Record<string, number>>;
}

/** Without records, all rows wait. */
export function rowsOf(
  batch: Pick<StartedBatch, 'axes' | 'isPaid'>,
  recorded?: ReadonlyMap<number, RecordedRow>,
): BatchRow[] {
  return Array.from({ length: countBatchRows(batch.axes) }, (_, index) => {
    const known = recorded?.get(index);
    return known ? recordedRow(index, known, batch) : { index, state: 'waiting' };
  });
}

function recordedRow(
  index: number,
  { name, record, prices }: RecordedRow,
  { isPaid }: Pick<StartedBatch, 'isPaid'>,
): BatchRow {
  const phase = phaseOfRecord(record);
  const row = rowOfRun({ place: { record: name }, facts: record, phase }, isPaid);
  const waits = row.state === 'waiting' || row.state === 'cancelled';
  return waits ? { index, state: 'waiting', prices } : { index, ...row, server: record.server, prices };
}

/**
 * The rows of a kept batch as its run records tell: what is saved, what a server may have (`server` is its origin then),
 * what failed. All others wait, those too that were cancelled or that no server has any more.
 */
export async function rowsToRun(folder: OutputFolder, batch: StartedBatch): Promise<BatchRow[]> {
  return rowsOf(batch, await recordedRows(folder, batch));
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
  return rowsOf(batch, recorded).map((row) =>
    retry && row.state === 'failed' ? { index: row.index, state: 'waiting' } : row,
  );
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
  // Names have the local time of their writer, which is at most 26 hours from ours.
  const first = runPrefix(label, Date.parse(startedAt) - 26 * 3_600_000);
  const onUnreadable = (name: string): void => {
    if (!name.startsWith(`${runStem(label)}-`) || name < first) return;
    throw new BatchProblem(
      t`${name} can't be read, so Comfy Deck can't tell which runs were already submitted.`,
      t`Repair the file, or move it out of the output folder.`,
    );
  };
  const rows = new Map<number, RecordedRow>();
  for await (const listed of recordsIn(folder, { onUnreadable }))
    if (listed.record.batch?.id === id) countRecord(rows, listed);
  return rows;
}

/** The rows of these batches, by their ids: the records of the folder are read once for all, up to a limit. */
export async function startedRows(
  folder: OutputFolder,
  batches: readonly StartedBatch[],
): Promise<ReadonlyMap<string, readonly BatchRow[]>> {
  const found = new Map(batches.map(({ id }) => [id, new Map<number, RecordedRow>()]));
  for await (const listed of recordsIn(folder, { newest: budgets.galleryRecords })) {
    const rows = listed.record.batch && found.get(listed.record.batch.id);
    if (rows) countRecord(rows, listed, 'newestFirst');
  }
  return new Map(batches.map((batch) => [batch.id, rowsOf(batch, found.get(batch.id))]));
}

/**
 * The rows after one record was written. It is the newest of its row, so it counts, unless another one has saved the row.
 * @returns undefined if it tells nothing of this batch
 */
export function rowsAfter(
  rows: readonly BatchRow[],
  batch: Pick<StartedBatch, 'id' | 'isPaid'>,
  listed: ListedRecord,
): readonly BatchRow[] | undefined {
  const known = listed.record.batch?.id === batch.id ? rows[listed.record.batch.row] : undefined;
  if (!known || (known.state === 'saved' && known.record !== listed.name)) return undefined;
  const prices = { ...known.prices, ...pricesOf(listed) };
  return rows.with(known.index, recordedRow(known.index, { ...listed, prices }, batch));
}

function countRecord(
  rows: Map<number, RecordedRow>,
  { name, record }: ListedRecord,
  order?: 'newestFirst',
): void {
  if (!record.batch) return;
  const known = rows.get(record.batch.row);
  // Without the prompts: there may be thousands.
  const read = { name, record: { ...record, promptText: undefined, workflowText: undefined } };
  const [more, less] = [recordRank(record), known ? recordRank(known.record) : -1];
  const counted = more > less || (more === less && order === undefined) ? read : (known ?? read);
  rows.set(record.batch.row, { ...counted, prices: { ...known?.prices, ...pricesOf(read) } });
}

function pricesOf({ name, record: { price, job = name } }: ListedRecord): Readonly<Record<string, number>> {
  return price ? { [job]: price.credits } : {};
}

function recordRank(record: RunRecord): number {
  if (record.state === 'saved') return 3;
  if (isOwed(record)) return 2;
  return record.state === 'failed' || record.state === 'outputsUnknown' ? 1 : 0;
}

/** The cost of these rows in credits; undefined if no server reported any. */
export function rowCredits(rows: readonly Pick<BatchRow, 'prices'>[]): number | undefined {
  return sumOfCredits(rows.flatMap(({ prices = {} }) => Object.values(prices)));
}

export type BatchCounts = Readonly<Record<BatchRowState, number>>;

export function countRows(rows: Iterable<BatchRow>): Record<BatchRowState, number> {
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<BatchRowState, number>;
  for (const { state } of rows) counts[state]++;
  return counts;
}
