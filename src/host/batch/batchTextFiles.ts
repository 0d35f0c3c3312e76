import path from 'node:path';
import * as vscode from 'vscode';
import { isPathBelow } from '../../core/safety/paths';
import { BatchProblem } from '../../core/batch/batchProblem';
import { csvColumns } from '../../core/batch/csvColumn';
import type { ReadText } from '../../core/batch/axisSource';
import { textOfBytes } from '../../core/json/textOfBytes';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { staysBelow } from './batchSource';

/** A file that a batch reads its values from: its path below the folder of the batch. */
export interface PickedFile {
  readonly file: string;
  /** The first one of a CSV file; empty for a text file. */
  readonly column: string;
}

/** Reads the text and CSV files of a batch, as they are on disk. They must be below its folder. */
export function textFilesIn(folder: vscode.Uri): ReadText {
  return async (file) => {
    const uri = vscode.Uri.joinPath(folder, file);
    if (!isPathBelow(file) || !(await staysBelow(folder, uri)))
      throw new BatchProblem(t`${file} is outside the folder of the batch file.`, t`Move it to that folder.`);
    const text = await textIn(uri, budgets.batchFile);
    if (text === undefined) throw new BatchProblem(t`${file} can't be read.`, t`Check the path.`);
    return text;
  };
}

/** The text of a file on disk; undefined if there is none, or it can't be read, or is too large. */
export async function textIn(uri: vscode.Uri, limit: number): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // A pipe may never end.
    const isFile = (type & vscode.FileType.File) !== 0;
    return !isFile || size > limit ? undefined : textOfBytes(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** Asks for a file of values; undefined when cancelled. */
export async function pickTextFile(folder: vscode.Uri): Promise<PickedFile | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t`Select a text file or a CSV file`,
      defaultUri: folder,
      filters: { [t`Text and CSV files`]: ['txt', 'csv', 'md'] },
    })) ?? [];
  if (!uri) return undefined;
  const file = path.posix.relative(folder.path, uri.path);
  if (uri.scheme !== folder.scheme || !isPathBelow(file)) {
    throw new UserProblem(
      shown`The file must be in the workflow's folder.`,
      shown`Move it to that folder, then choose it again.`,
    );
  }
  if (!/\.csv$/i.test(file)) return { file, column: '' };
  const [column = ''] = csvColumns((await textIn(uri, budgets.batchFile)) ?? '');
  return { file, column };
}
