import type { BatchCounts, BatchRowState } from '../core/batch/batchRow';
import type { EndEvent, FailureFields } from './endEvent';
import type { SavedEvent } from './jsonEvents';
import type { UploadsEvent } from './uploadWords';

/** The values of one row: input -> JSON text, since many JSON readers cannot represent all numbers. */
type RowValues = Readonly<Record<string, string>>;

/**
 * What `comfy-deck batch --json`, and `run --json` with several rows, prints: one of these objects per line on standard
 * output. Rows count from 1. Fields may be added; readers skip kinds they do not know.
 *
 * | event   | when                                                                |
 * |---------|---------------------------------------------------------------------|
 * | plan    | first: how many rows there are, and what they may take              |
 * | values  | with --dry-run: a row                                               |
 * | uploads | files are about to be uploaded, or would have to be                 |
 * | server  | a server does not respond, is away, back, or left out               |
 * | row     | a row changed                                                       |
 * | saved   | an output is on disk                                                |
 * | summary | the batch has ended: where its record is, and how many rows are saved |
 * | error   | why the batch ended, and what to do                                 |
 * | end     | last: how it ended, and the exit code                               |
 */
export type BatchEvent =
  | {
      readonly event: 'plan';
      readonly rows: number;
      /** The addresses they are sent to. */
      readonly servers: readonly string[];
      /** Text files that values come from, relative to the folder of the batch file. */
      readonly textFiles: readonly string[];
      readonly axes: readonly { readonly inputs: readonly string[]; readonly steps: number }[];
      /** Seconds on these servers, by the median of earlier runs. */
      readonly estimatedSeconds?: number | undefined;
      /** `price`: the server's estimate for one run, in words. */
      readonly partners: readonly { readonly classType: string; readonly price?: string | undefined }[];
    }
  | { readonly event: 'values'; readonly row: number; readonly values: RowValues }
  | {
      readonly event: 'server';
      readonly server: string;
      readonly state: 'ready' | 'silent' | 'away' | 'out';
      readonly message: string;
    }
  | {
      readonly event: 'row';
      readonly row: number;
      readonly state: BatchRowState;
      readonly server?: string | undefined;
      readonly job?: string | undefined;
      /** The run record. */
      readonly record?: string | undefined;
      readonly message?: string | undefined;
      /** What its jobs cost so far, as the servers told it. */
      readonly credits?: number | undefined;
      readonly failure?: FailureFields | undefined;
    }
  | (SavedEvent & { readonly job: string })
  | {
      readonly event: 'summary';
      readonly batch: string;
      readonly counts: BatchCounts;
      /** What all rows cost, as the servers told it. */
      readonly credits?: number | undefined;
      /** Continues it; missing if everything is saved. */
      readonly command?: string | undefined;
    }
  | UploadsEvent
  | EndEvent;
