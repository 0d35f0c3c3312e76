import type * as vscode from 'vscode';
import type { GalleryRow } from '../../core/gallery/galleryRow';

/** A listed output and where it is. */
export interface PlacedOutput {
  readonly row: GalleryRow;
  readonly file: vscode.Uri;
  readonly record: vscode.Uri;
}
