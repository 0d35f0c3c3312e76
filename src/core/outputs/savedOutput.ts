import type { OutputFile } from '../protocol/outputFile';
import type { Fingerprint } from './outputFolder';

/** An output that is on disk. */
export interface SavedOutput extends Fingerprint {
  readonly file: OutputFile;
  /** Name in the folder. */
  readonly name: string;
  /** Path or URI text. */
  readonly location: string;
}
