import { RecordFile } from '../records/recordFile';
import type { HideSecrets } from '../records/recordSecrets';
import { lostRecord } from '../records/recordSteps';
import { rowTrouble } from '../records/runWords';
import { isOwed, type RunRecord } from '../records/runRecord';
import { countBatchRows } from './batchTable';
import { recordedRows, type StartedBatch, type RecordedRow } from './startedBatch';
import type { OutputFolder } from '../outputs/outputFolder';
import type { Finding } from '../check/finding';
import { sumOfCredits } from '../jobs/runPrice';
import type { ExecutionFailure } from '../protocol/serverEvent';

/**
 * The rows of a kept batch as its run records tell: what is saved, what a server may have (`server` is its origin then),
 * what failed. All others wait, those too that were cancelled or that no server has any more.
 */
export async function rowsToRun(folder: OutputFolder, batch: StartedBatch): Promise<BatchRow[]> {
  const recorded = await recordedRows(folder, batch);
  return Array.from({ length: countBatchRows(batch.axes) }, (_, index) =>
    recordedRow(index, recorded.get(index), batch),
  );
}

export interface RowsLeft {
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
  return Array.from({ length: countBatchRows(batch.axes) }, (_, index) => {
    const row = recordedRow(index, recorded.get(index), batch);
    return retry && row.state === 'failed' ? { index, state: 'waiting' } : row;
  });
}

/**
 * Whether the row ran, or may have run and cost something, so it is sent again only when the person asks for it. A
 * prompt that no server has a job for may have run before the server forgot its jobs.
 */
function wasLost({ state, job, batch, why }: RunRecord, { isPaid }: Pick<StartedBatch, 'isPaid'>): boolean {
  // A sandbox charges nothing.
  if (state !== 'lost' || why === 'sandboxEnded' || batch?.moved === true) return false;
  return job !== undefined || isPaid;
}

export function recordedRow(
  index: number,
  known: RecordedRow | undefined,
  startedBatch: Pick<StartedBatch, 'isPaid'>,
): BatchRow {
  if (!known) return { index, state: 'waiting' };
  const { name, record, prices } = known;
  const state = recordedState(record, startedBatch);
  if (state === 'waiting') return { index, state, prices };
  const { server, job } = record;
  return { index, state, server, job, record: name, message: rowTrouble(record), prices };
}

/** `failed`: it ran, and a server may have charged for it; `waiting`: it can be sent again. */
export function recordedState(
  record: RunRecord,
  batch: Pick<StartedBatch, 'isPaid'>,
): 'saved' | 'owed' | 'failed' | 'waiting' {
  if (isOwed(record)) return 'owed';
  if (record.state === 'saved') return 'saved';
  const hasRun = record.state === 'failed' || record.state === 'outputsUnknown' || wasLost(record, batch);
  return hasRun ? 'failed' : 'waiting';
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
