import * as z from 'zod';
import type { BatchRowState } from '../../core/batch/batchRow';
import { largestPicture } from './constants';

/**
 * The messages between a contact sheet and the extension host. The page speaks first (`ready`); the host answers with
 * the batch and all its cells, and then sends what changes.
 */

export type SheetState = 'running' | 'paused' | 'stopped' | 'done';

const action = z.enum(['pause', 'resume', 'cancel', 'retryFailed']);
export type SheetAction = z.infer<typeof action>;

/** `notRun`: it waits in a batch that has stopped. */
export type CellState = BatchRowState | 'notRun';

export interface SheetCell {
  /** The row in the table, from 0. */
  readonly row: number;
  readonly state: CellState;
  /** Why it is not saved; empty if there is nothing to say. */
  readonly message: string;
  readonly hasRecord: boolean;
  /** Its first output; missing until it is saved, and if it has none. */
  readonly output?:
    | {
        readonly name: string;
        readonly kind: 'image' | 'video' | 'audio' | 'model3d' | 'text' | 'other';
        readonly source: string;
      }
    | undefined;
}

export interface SheetBatch {
  readonly id: string;
  readonly label: string;
  /** All axes with their values. The last one changes fastest. */
  readonly axes: readonly { readonly name: string; readonly steps: readonly string[] }[];
}

export type ToBatchSheet =
  | { readonly type: 'batch'; readonly batch: SheetBatch }
  /** Only the cells that have changed. */
  | {
      readonly type: 'cells';
      readonly cells: readonly SheetCell[];
      readonly state: SheetState;
      readonly message: string;
    }
  /** No such batch is known in this window. */
  | { readonly type: 'unknown' };

const axis = z.int().min(0).optional();

export const sheetMessages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action }),
  z.object({ type: z.literal('open'), row: z.int().min(0) }),
  /** The axes count from 0. */
  z.object({ type: z.literal('exportMarkdown'), across: axis, down: axis }),
  z.object({ type: z.literal('exportPicture'), png: z.instanceof(Uint8Array<ArrayBuffer>).refine(isPng) }),
]);
export type FromBatchSheet = z.infer<typeof sheetMessages>;

function isPng(bytes: Uint8Array): boolean {
  const mark = [137, 80, 78, 71, 13, 10, 26, 10];
  return bytes.length <= largestPicture && mark.every((byte, index) => bytes[index] === byte);
}
