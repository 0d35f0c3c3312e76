import * as vscode from 'vscode';
import { outputsText } from '../../core/safety/countText';
import { shown } from '../../core/safety/shownText';
import type { GalleryAction } from '../../webview/contract/gallery';
import { commands, customEditors } from '../platform/contributions';
import { deleteFile, openFileIn, openOutputFiles, revealFile } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { askToGoOn } from '../platform/show';
import { uriName } from '../platform/workflowSource';
import type { PlacedOutput } from './ratings';

/** @returns whether files are gone */
export async function actOnOutputs(
  action: GalleryAction,
  outputs: readonly PlacedOutput[],
): Promise<boolean> {
  const [first] = outputs;
  if (!first) return false;
  const files = outputs.map(({ file }) => file);
  switch (action) {
    case 'open':
      await openOutputFiles(files);
      return false;
    case 'openToSide':
      await openOutputFiles(files, { viewColumn: vscode.ViewColumn.Beside });
      return false;
    case 'showRun':
      await openFileIn(first.record, customEditors.runRecord);
      return false;
    case 'useSeed':
      await vscode.commands.executeCommand(commands.useSeed, first.record);
      return false;
    case 'useValues':
      await vscode.commands.executeCommand(commands.useValues, first.record);
      return false;
    case 'reveal':
      await revealFile(first.file);
      return false;
    case 'copyPath':
      await vscode.env.clipboard.writeText(files.map(({ fsPath }) => fsPath).join('\n'));
      return false;
    case 'export':
      await (await import('./exportOutputs')).exportOutputs(outputs);
      return false;
    case 'delete':
      return deleteFiles(files);
  }
}

async function deleteFiles(files: readonly vscode.Uri[]): Promise<boolean> {
  const [first] = files;
  if (!first) return false;
  const count = files.length;
  const message = shown`Delete ${count === 1 ? uriName(first) : outputsText(count)}?`;
  const detail = shown`Files are moved to the trash if possible. Run records stay.`;
  if (!(await askToGoOn({ message, detail, goOn: shown`Delete` }))) return false;
  let kept: vscode.Uri | undefined;
  for (const file of files) if (!(await deleteFile(file))) kept ??= file;
  if (kept) {
    throw new UserProblem(
      shown`${uriName(kept)} couldn't be deleted.`,
      shown`Make sure no other program is using the files, then try again.`,
    );
  }
  return true;
}
