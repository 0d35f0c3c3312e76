import type { Event, Uri } from 'vscode';
import type { BatchRow } from '../../core/batch/batchRow';
import type { BatchAxis } from '../../core/batch/batchTable';

/** A batch of this window, running or ended, or one found again after a reload. */
export interface ShownBatch {
  readonly id: string;
  /** Name of the workflow file. */
  readonly label: string;
  /** Of the records and outputs. */
  readonly folder: Uri;
  readonly axes: readonly BatchAxis[];
  readonly rows: readonly BatchRow[];
  readonly state: 'running' | 'paused' | 'stopped' | 'done';
  readonly isCancelling: boolean;
  /** Why it stopped. */
  readonly message: string | undefined;
}

export interface Batches {
  /**
   * Runs a `*.batch.json` file after asking what has to be asked; resolves with its id once it runs, undefined if the
   * person declined.
   * @param refuseUnheard see `RunChoices`
   * @param text what the file would contain: it is not read, and need not exist
   */
  start(
    file: Uri,
    servers?: readonly string[],
    refuseUnheard?: boolean,
    text?: string,
  ): Promise<string | undefined>;
  readonly shown: readonly ShownBatch[];
  /** Coalesced, at most 10 per second and batch. */
  readonly onDidChange: Event<ShownBatch>;
  pause(id: string): void;
  resume(id: string): Promise<void>;
  cancel(id: string): void;
  retryFailed(id: string): Promise<void>;
}
