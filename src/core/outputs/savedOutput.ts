import type { OutputFile } from '../protocol/outputFile';

/** An output that is on disk. */
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
