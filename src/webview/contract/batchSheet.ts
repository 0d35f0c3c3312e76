import type { BatchRowState } from '../../core/batch/batchRow';

/**
 * The messages between a contact sheet and the extension host. The page speaks first (`ready`); the host answers with
 * the batch and all its cells, and then sends what changes.
 */

export type SheetState = 'running' | 'paused' | 'stopped' | 'done';

/** The actions on a batch. */
export const sheetActions = ['pause', 'resume', 'cancel', 'retryFailed'] as const;
export type SheetAction = (typeof sheetActions)[number];

/** `notRun`: it waits in a batch that has stopped. */
export type CellState = BatchRowState | 'notRun';

export interface SheetCell {
  /** From 0, in the order of the table. */
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
        /** Address that the page may load. */
        readonly source: string;
      }
    | undefined;
}

export interface SheetBatch {
  readonly id: string;
  readonly label: string;
  /** With the values along each. The last one changes fastest. */
  readonly axes: readonly { readonly name: string; readonly steps: readonly string[] }[];
}

export type ToBatchSheet =
  | { readonly type: 'batch'; readonly batch: SheetBatch }
  /** Only those that have changed. */
  | {
      readonly type: 'cells';
      readonly cells: readonly SheetCell[];
      readonly state: SheetState;
      /** Why it stopped. */
      readonly message: string;
    }
  /** No such batch is known in this window. */
  | { readonly type: 'unknown' };

export type FromBatchSheet =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly action: SheetAction }
  | { readonly type: 'open'; readonly row: number }
  /** With these axes, which count from 0. */
  | {
      readonly type: 'exportMarkdown';
      readonly across?: number | undefined;
      readonly down?: number | undefined;
    }
  | { readonly type: 'exportPicture'; readonly png: Uint8Array<ArrayBuffer> };

/** Bytes of an exported picture. */
export const largestPicture = 256 * 1024 * 1024;
