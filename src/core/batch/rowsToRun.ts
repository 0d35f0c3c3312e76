import { RecordFile } from '../records/recordFile';
import type { HideSecrets } from '../records/recordSecrets';
import { lostRecord, rowTrouble } from '../records/recordSteps';
import { isOwed, type RunRecord } from '../records/runRecord';
import { countBatchRows } from './batchTable';
import { recordedRows, type StartedBatch, type RecordedRow } from './startedBatch';
import type { BatchRow } from './batchRow';
import type { OutputFolder } from '../outputs/outputFolder';

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
  /** Of the servers that the batch has now. */
  readonly origins: ReadonlySet<string>;
  readonly retry: boolean;
  readonly hide: HideSecrets;
}

/** The same for a batch that is about to go on: jobs of a sandbox that ended are given up, since they cost nothing. */
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
 * It ran, or it may have run and costs: it is sent again only when the person asks for it. A prompt that no server has a
 * job for may have run before the server forgot its jobs.
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
