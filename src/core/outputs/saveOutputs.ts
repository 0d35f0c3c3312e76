import type { Job } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import type { OutputSource } from './download';
import type { OutputFolder } from './outputFolder';

export interface SavedOutput {
  readonly file: OutputFile;
  /** Name in the folder. */
  readonly name: string;
  /** Path or URI text. */
  readonly location: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface SaveProgress {
  readonly file: OutputFile;
  /** 1-based. */
  readonly index: number;
  readonly count: number;
  readonly bytes: number;
  /** Missing when the server does not say. */
  readonly size?: number | undefined;
}

export interface SaveRequest {
  readonly job: Job;
  readonly client: OutputSource;
  readonly folder: OutputFolder;
  /** What only the submitter knows for the run record. */
  readonly record: { readonly promptText?: string | undefined };
  /** Which files; by default those that `filesWorthSaving` names. */
  readonly files?: readonly OutputFile[] | undefined;
  readonly onProgress?: ((progress: SaveProgress) => void) | undefined;
  readonly signal: AbortSignal;
}
export declare function saveOutputs(request: SaveRequest): Promise<SavedOutput[]>;
