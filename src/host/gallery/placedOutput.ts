import type { EntryFile } from '../../core/runLife/runEntry';
import type * as vscode from 'vscode';
import type { RatedOutput } from './ratings';

/** A listed output and where it is. */
export interface PlacedOutput extends RatedOutput {
  readonly row: EntryFile;
  readonly record: vscode.Uri;
}
