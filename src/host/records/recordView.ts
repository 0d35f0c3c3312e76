import * as vscode from 'vscode';
import type { RunRecord } from '../../core/records/runRecord';
import { type PageFile, runPage } from '../../core/records/runPage';
import { t } from '../../core/safety/localize';
import type { RecordOutput, RecordView } from '../../webview/contract/record';

export interface RecordLook {
  readonly view: RecordView;
  /** Names of the outputs in the view, in its order. */
  readonly names: readonly string[];
}

/**
 * What the page shows of a record.
 * @param address by which the page loads a file
 */
export async function lookOf(
  record: RunRecord,
  folder: vscode.Uri,
  address: (file: vscode.Uri) => string,
): Promise<RecordLook> {
  const page = runPage(record);
  const there = await filesIn(folder);
  const output = ({ name, label, node, media, facts, size, bytes }: PageFile): RecordOutput => {
    const known = { label, node, media, facts, size };
    if (there.has(name)) return { ...known, source: address(vscode.Uri.joinPath(folder, name)) };
    const missing = bytes === undefined ? t`This output wasn't saved.` : t`Deleted or moved`;
    return { ...known, missing };
  };
  const view = { ...page, files: page.files.map(output), canRun: record.promptText !== undefined };
  return { view, names: page.files.map(({ name }) => name) };
}

/** Names of the files in a folder; a link might lead elsewhere. */
async function filesIn(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return new Set(entries.flatMap(([name, type]) => (type === vscode.FileType.File ? [name] : [])));
  } catch {
    return new Set();
  }
}
