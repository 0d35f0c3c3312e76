import path from 'node:path';
import * as vscode from 'vscode';
import { contactSheet, type SheetAxes, type SheetCell } from '../../core/batch/contactSheet';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import { isOwed } from '../../core/records/runRecord';
import { t } from '../../core/safety/localize';
import type { ShownBatch } from './batch';

/** Saves the sheet as a Markdown table with links to the outputs, where the user wants it. */
export async function exportMarkdown(batch: ShownBatch, axes?: SheetAxes): Promise<void> {
  const target = await askWhere(batch, '.md', 'Markdown');
  if (!target) return;
  const from = path.dirname(target.fsPath);
  const cells = new Map<number, SheetCell>();
  for (const { index, record, message } of batch.rows)
    cells.set(index, record === undefined ? { files: [], message } : await cellOf(batch, record, from));
  const text = contactSheet(batch.label, batch.axes, (row) => cells.get(row) ?? { files: [] }, axes);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

/** Saves the picture of the sheet that the page has drawn. */
export async function exportPicture(batch: ShownBatch, png: Uint8Array): Promise<void> {
  const target = await askWhere(batch, '.png', 'PNG');
  if (target) await vscode.workspace.fs.writeFile(target, png);
}

/** Links are relative to the sheet. */
async function cellOf({ folder }: ShownBatch, record: string, from: string): Promise<SheetCell> {
  const outputs = new NodeFolder(folder.fsPath);
  const known = (await recordNamed(outputs, record).catch(() => undefined))?.record;
  return {
    files: (known?.files ?? []).map(({ name }) =>
      path.relative(from, outputs.location(name)).split(path.sep).join('/'),
    ),
    message: known && (isOwed(known) ? t`not saved yet` : known.trouble),
  };
}

async function askWhere(
  { folder, label }: ShownBatch,
  ending: string,
  format: string,
): Promise<vscode.Uri | undefined> {
  const name = `${label.replace(/\.jsonc?$/i, '')}${ending}`;
  return vscode.window.showSaveDialog({
    title: t`Export Contact Sheet`,
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [format]: [ending.slice(1)] },
  });
}
