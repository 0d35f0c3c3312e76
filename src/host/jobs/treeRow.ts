import type { OutputFile } from '../../core/protocol/outputFile';

/** A row of the tree. Rows are created once per ID: VS Code compares them by identity. */
export type TreeRow =
  | { readonly kind: 'group'; readonly id: string }
  /** A run whose outputs are not on disk, and why. */
  | { readonly kind: 'owed'; readonly id: string; readonly entryId: string }
  /** A batch, and below it a row of its table, or how many more there are. */
  | { readonly kind: 'batch'; readonly id: string; readonly batchId: string }
  | {
      readonly kind: 'batchRow';
      readonly id: string;
      readonly batchId: string;
      readonly index: number | undefined;
    }
  | { readonly kind: 'job'; readonly id: string; readonly jobId: string }
  | { readonly kind: 'node'; readonly id: string; readonly jobId: string; readonly nodeId: string }
  | { readonly kind: 'output'; readonly id: string; readonly jobId: string; readonly file: OutputFile };
