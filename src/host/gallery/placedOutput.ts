import type { GalleryRow } from '../../core/gallery/galleryRow';
import type * as vscode from 'vscode';
import type { RatedOutput } from './ratings';

/** A listed output and where it is. */
export interface PlacedOutput extends RatedOutput {
  readonly row: GalleryRow;
  readonly record: vscode.Uri;
}
