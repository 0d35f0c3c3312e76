import type { OutputFolder } from '../outputs/outputFolder';
import { newestFirst, recordsIn } from '../records/recordFile';
import { runStem } from '../outputs/outputNames';
import type { RunRecord } from '../records/runRecord';
import { budgets } from '../safety/budgets';
import { progressEnding } from './batchEndings';
import { readStartedBatch, rowRecordRank, type StartedBatch, type NamedBatch } from './startedBatch';
import type { BatchRow } from './rowsToRun';
import { countBatchRows } from './batchTable';
import { recordedRow } from './rowsToRun';

/*
 * The batches of an output folder, for a list: whoever started them, and whoever wrote their files. Nothing is written,
 * locked or removed, and a record that can't be read is passed over. Who runs a batch reads `rowsToRun` instead.
 */

/** How much may still be listed. Reading takes from it. */
export interface ListRoom {
  bytes: number;
  rows: number;
}

export function roomForList(): ListRoom {
  return {
    bytes: budgets.startedBatch,
    rows: budgets.members,
  };
}

/** The newest batches of a folder, as many as there is room for. Files that are too large or no batches are skipped. */
export async function startedBatches(
  folder: OutputFolder,
  isWanted: (name: string) => boolean,
  room: ListRoom,
): Promise<readonly NamedBatch[]> {
  const names = (await folder.list()).filter((name) => name.endsWith(progressEnding) && isWanted(name));
  const found: NamedBatch[] = [];
  for (const name of newestFirst(names)) {
    const batch = await readStartedBatch(folder, name, room.bytes).catch(() => undefined);
    if (!batch) continue;
    const rows = countBatchRows(batch.axes);
    const bytes = valueBytes(batch);
    if (rows > room.rows || bytes > room.bytes) continue;
    room.rows -= rows;
    room.bytes -= bytes;
    found.push({ name, batch });
  }
  return found;
}

function valueBytes({ axes }: StartedBatch): number {
  let sum = 0;
  for (const { steps } of axes) for (const step of steps) for (const text of step) sum += text.length;
  return sum;
}

/** The rows of these batches, by their ids: the records of the folder are read once for all, up to a limit. */
export async function startedRows(
  folder: OutputFolder,
  batches: readonly StartedBatch[],
): Promise<ReadonlyMap<string, readonly BatchRow[]>> {
  const rows = new Map(batches.map((batch) => [batch.id, waitingBatchRows(batch)]));
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  // The newest come first, so an older one counts only if it outranks what is known.
  const ranks = new Map<BatchRow, number>();
  for await (const { name, record } of recordsIn(folder, { newest: budgets.galleryRecords })) {
    if (!record.batch) continue;
    const { id, row: index } = record.batch;
    const [batch, all] = [byId.get(id), rows.get(id)];
    const known = all?.[index];
    if (!batch || !known) continue;
    const prices = bothPrices(pricesOf(name, record), known.prices);
    const [before, now] = [ranks.get(known) ?? -1, rowRecordRank(record)];
    const row =
      now > before ? recordedRow(known.index, { name, record, prices }, batch) : { ...known, prices };
    ranks.set(row, Math.max(now, before));
    all[index] = row;
  }
  return rows;
}

export function waitingBatchRows({ axes }: Pick<StartedBatch, 'axes'>): BatchRow[] {
  return Array.from({ length: countBatchRows(axes) }, (_, index) => ({ index, state: 'waiting' }));
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
  const prices = bothPrices(known.prices, pricesOf(name, record));
  return rows.with(known.index, recordedRow(known.index, { name, record, prices }, batch));
}

/** Whether a record of that name may belong to the batch: what that tells without reading it. */
export function mayBeBatchRow(name: string, { label }: Pick<StartedBatch, 'label'>): boolean {
  return name.startsWith(`${runStem(label)}-`);
}

function pricesOf(name: string, { price, job = name }: RunRecord): BatchRow['prices'] {
  return price && { [job]: price.credits };
}

function bothPrices(one: BatchRow['prices'], other: BatchRow['prices']): BatchRow['prices'] {
  return one && other ? { ...one, ...other } : (one ?? other);
}
