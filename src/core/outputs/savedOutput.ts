import type { OutputFile } from '../protocol/outputFile';
import type { Fingerprint } from './outputFolder';

export interface SavedOutput extends Fingerprint {
  readonly file: OutputFile;
  readonly name: string;
  readonly location: string;
}
