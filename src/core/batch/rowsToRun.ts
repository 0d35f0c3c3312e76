import { isOwed, type RunRecord } from '../outputs/runRecord';
import { rowCountOf } from './batchTable';
import { recordedRows, type KeptBatch, type RecordedRow } from './batchProgress';
import type { BatchRow } from './batchRow';
import type { OutputFolder } from '../outputs/outputFolder';

/**
 * The rows of a kept batch as its run records tell: what is saved, what a server may have (`server` is its origin then),
 * what failed. All others wait, those too that were cancelled or that no server has any more.
 */
export async function rowsToRun(folder: OutputFolder, batch: KeptBatch): Promise<BatchRow[]> {
  const recorded = await recordedRows(folder, batch);
  return Array.from({ length: rowCountOf(batch.axes) }, (_, index) =>
    recordedRow(index, recorded.get(index), batch),
  );
}

/**
 * It ran, or it may have run and costs: it is sent again only when the person asks for it. A prompt that no server has a
 * job for may have run before the server forgot its jobs.
 */
export function wasLost({ state, job, batch }: RunRecord, { isPaid }: Pick<KeptBatch, 'isPaid'>): boolean {
  return state === 'lost' && (job !== undefined || isPaid) && batch?.moved !== true;
}

/** A row as its record tells. */
export function recordedRow(
  index: number,
  known: RecordedRow | undefined,
  kept: Pick<KeptBatch, 'isPaid'>,
): BatchRow {
  if (!known) return { index, state: 'waiting' };
  const { name, record, prices } = known;
  const { server, job, trouble: message } = record;
  const row = { index, server, job, record: name, message, prices };
  if (isOwed(record)) return { ...row, state: 'owed' };
  if (record.state === 'saved' || record.state === 'failed') return { ...row, state: record.state };
  // It ran, and a server may have charged for it.
  if (record.state === 'outputsUnknown' || wasLost(record, kept)) return { ...row, state: 'failed' };
  return { index, state: 'waiting', prices };
}
