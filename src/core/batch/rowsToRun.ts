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
  return Array.from({ length: rowCountOf(batch.axes) }, (_, index) => rowOf(index, recorded.get(index)));
}

/** It ran, and may have been paid for: it is sent again only when the person asks for it. */
export function wasLost({ state, job, batch }: RunRecord): boolean {
  return state === 'lost' && job !== undefined && batch?.moved !== true;
}

function rowOf(index: number, known: RecordedRow | undefined): BatchRow {
  if (!known) return { index, state: 'waiting' };
  const { name, record } = known;
  const { server, job, trouble: message } = record;
  if (isOwed(record)) return { index, state: 'owed', server, job, record: name, message };
  if (record.state === 'saved' || record.state === 'failed')
    return { index, state: record.state, server, job, record: name, message };
  if (wasLost(record)) return { index, state: 'failed', server, job, record: name, message };
  return { index, state: 'waiting' };
}
