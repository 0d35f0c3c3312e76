import path from 'node:path';
import type * as vscode from 'vscode';
import { captionValues, captionWords } from '../../core/diff/captionWords';
import { runsBeside } from '../../core/gallery/galleryFilter';
import type { GalleryRow } from '../../core/gallery/galleryRow';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/outputs/recordFile';
import type { GalleryCaption } from '../../webview/contract/gallery';

/** What tells outputs from those of the runs of their workflow beside them: read from the records when they are seen. */
export async function captionsOf(
  ids: readonly number[],
  rows: readonly GalleryRow[],
  recordOf: (row: GalleryRow) => vscode.Uri | undefined,
): Promise<readonly GalleryCaption[]> {
  const found: GalleryCaption[] = [];
  for (const runs of runsBeside(rows, new Set(ids))) {
    const values = await Promise.all(runs.map(([row]) => valuesOf(row && recordOf(row))));
    const known = values.flatMap((value, index) =>
      value === undefined ? [] : [{ value, rows: runs[index] ?? [] }],
    );
    const words = captionWords(known.map(({ value }) => value));
    for (const [index, run] of known.entries())
      for (const { id } of run.rows) found.push({ id, words: words[index] ?? [] });
  }
  return found;
}

async function valuesOf(record: vscode.Uri | undefined): Promise<string | undefined> {
  if (!record) return undefined;
  const folder = new NodeFolder(path.dirname(record.fsPath));
  const found = await recordNamed(folder, path.basename(record.fsPath)).catch(() => undefined);
  return found && captionValues(found.record);
}
