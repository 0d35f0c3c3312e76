import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { findExceededLimit, JsonLimitError, readJson, type Skipped } from '../json/boundedJson';
import { type HeldLock, lockRecord } from '../records/claimRecord';
import type { OutputFolder } from '../outputs/outputFolder';
import { runPrefix } from '../outputs/outputNames';
import { newestFirst } from '../records/recordFile';
import { putUnderFreeName, writeWhole } from '../outputs/writeWhole';
import { type Kept, wireList, wireTexts } from '../protocol/wire';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { progressEnding } from './batchEndings';
import { BatchProblem } from './batchProblem';
import { countBatchRows } from './batchTable';

const limits = { bytes: budgets.startedBatch, values: budgets.fileValues };

const axis = z.object({
  columns: wireList(
    z.object({
      nodeId: z.string(),
      nodeName: z.string(),
      input: z.string(),
      offset: z.int().min(0),
      length: z.int().min(0),
    }),
  ),
  steps: wireList(wireTexts).refine(({ length }) => length > 0),
});
const schema = z
  .object({
    format: z.literal(1),
    id: z.string().min(1),
    label: z.string(),
    workflow: z.string(),
    /** SHA-256 (hex) of its text: the places of the columns hold for this text only. */
    workflowHash: z.string(),
    /** SHA-256 (hex) of the batch file's text; missing for a batch of the command line. */
    batchHash: z.string().optional(),
    /** The batch has partner nodes, which cost credits. */
    isPaid: z.boolean(),
    /** ISO 8601, UTC. */
    startedAt: z.string(),
    axes: wireList(axis),
  })
  .refine(({ axes }) => countBatchRows(axes) <= budgets.batchRows);

/**
 * A batch that was started, as kept in the output folder. It is written once, before the first row is sent, and never
 * changed: how far it has come is in the run records, each of which names its row.
 */
export type StartedBatch = Kept<z.output<typeof schema>>;

export interface NamedBatch {
  readonly name: string;
  readonly batch: StartedBatch;
}

/** @throws BatchProblem if it is too large to be read again */
export async function writeStartedBatch(
  folder: OutputFolder,
  batch: Omit<StartedBatch, 'format' | 'id' | 'startedAt'>,
  now: number,
): Promise<NamedBatch> {
  const startedBatch: StartedBatch = {
    format: 1,
    id: randomUUID(),
    startedAt: new Date(now).toISOString(),
    ...batch,
  };
  const text = `${JSON.stringify(startedBatch, undefined, 1)}\n`;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > limits.bytes || findExceededLimit(text, limits) !== undefined) {
    throw new BatchProblem(
      t`The batch's values exceed ${budgets.startedBatch / 1_048_576} MB.`,
      t`Use fewer values, or split the batch.`,
    );
  }
  const stem = runPrefix(batch.label, now);
  const name = await putUnderFreeName(
    (tries) => `${stem}${tries === 0 ? '' : ` (${tries + 1})`}${progressEnding}`,
    (free) => writeWhole(folder, free, bytes),
  );
  return { name, batch: startedBatch };
}

/** Undefined if it isn't a started batch. @throws JsonLimitError, or OutputError, for more than `most` bytes */
export async function readStartedBatch(
  folder: OutputFolder,
  name: string,
  most = limits.bytes,
): Promise<StartedBatch | undefined> {
  const text = await folder.read(name, most);
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(readJson(text, limits, name)).data;
  } catch (error) {
    if (error instanceof JsonLimitError) throw error;
    return undefined;
  }
}

/**
 * The batches kept in a folder, the newest by their names first, one at a time: their values may be large.
 * @param room only those that fit into it, which takes from it
 */
export async function* batchesIn(
  folder: OutputFolder,
  skipped?: Skipped,
  { isWanted, room }: { readonly isWanted?: (name: string) => boolean; readonly room?: ListRoom } = {},
): AsyncGenerator<NamedBatch> {
  const names = (await folder.list()).filter((name) => name.endsWith(progressEnding));
  for (const name of newestFirst(isWanted ? names.filter(isWanted) : names)) {
    try {
      const batch = await readStartedBatch(folder, name, room?.bytes);
      if (!batch) skipped?.(new Error(t`${name} is not a started batch.`));
      else if (!room || takeRoom(room, batch)) yield { name, batch };
    } catch (error) {
      if (error instanceof Error) skipped?.(error);
    }
  }
}

/** How much of the batches that others started may still be listed. */
export interface ListRoom {
  bytes: number;
  rows: number;
}

export function roomForList(): ListRoom {
  return { bytes: budgets.startedBatch, rows: budgets.members };
}

function takeRoom(room: ListRoom, { axes }: StartedBatch): boolean {
  const rows = countBatchRows(axes);
  let bytes = 0;
  for (const { steps } of axes) for (const step of steps) for (const text of step) bytes += text.length;
  if (rows > room.rows || bytes > room.bytes) return false;
  room.rows -= rows;
  room.bytes -= bytes;
  return true;
}

/** Without its file, every row might be sent again. @throws BatchProblem when it was moved */
export async function requireStarted(folder: OutputFolder, name: string, id: string): Promise<void> {
  if ((await readStartedBatch(folder, name))?.id === id) return;
  throw new BatchProblem(
    t`${name} is no longer in the output folder, so Comfy Deck can't tell which runs were already submitted.`,
    t`Restore it and its run records, or start a new batch.`,
  );
}

/**
 * @param onWait called when another program has the batch, which is then watched for some seconds
 * @throws BatchProblem when another program runs it
 */
export async function claimBatch(folder: OutputFolder, name: string, onWait?: () => void): Promise<HeldLock> {
  const claim = await lockRecord(folder, name, { onWait });
  if (claim) return claim;
  throw new BatchProblem(
    t`Another window or command is running this batch.`,
    t`Wait for it to finish, or stop it where it was started.`,
  );
}
