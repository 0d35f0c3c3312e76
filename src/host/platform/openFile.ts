import * as vscode from 'vscode';
import { removeFile } from '../../core/outputs/changeFile';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { openDocument } from './activeDocument';
import type { CustomEditorId } from './contributions';
import { showInformation } from './show';

/** SVG, HTML and notebooks: what can contain a program. */
const active = /\.(svgz?|html?|xhtml|xht|shtml|xml|xslt?|mhtml?|ipynb)$/i;

export function isActiveContent(name: string): boolean {
  return active.test(name);
}

/** What the file system knows of a file; undefined if it isn't there. */
export async function fileStat(file: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return Promise.resolve(vscode.workspace.fs.stat(file)).catch(() => undefined);
}

/** Whether a file is there, or a document that is open has its text. */
export async function isThereOrOpen(file: vscode.Uri): Promise<boolean> {
  return openDocument(file) !== undefined || (await fileStat(file)) !== undefined;
}

/** The system might run a file. What can contain a program opens as text. */
export async function openFile(
  file: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  if (isActiveContent(file.path))
    await vscode.commands.executeCommand('vscode.openWith', file, 'default', options);
  else await vscode.commands.executeCommand('vscode.open', file, options);
}

export async function openFileIn(
  file: vscode.Uri,
  editor: 'default' | CustomEditorId,
  options?: vscode.TextDocumentShowOptions,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', file, editor, options);
}

const openedAtOnce = 10;

/** Opens the first of these outputs, and says so if there are more. */
export async function openOutputFiles(
  files: readonly vscode.Uri[],
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const preview = files.length === 1;
  for (const file of files.slice(0, openedAtOnce)) await openFile(file, { preview, ...options });
  if (files.length <= openedAtOnce) return;
  void showInformation(
    shown`Opened the first ${openedAtOnce} of ${files.length} outputs. Reveal them to see the others.`,
  );
}

/** Opens a text as a new JSON file. */
export async function openText(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document);
  return document;
}

/** Copies a file to where the user chooses. */
export async function saveFileAs(file: vscode.Uri): Promise<void> {
  const target = await vscode.window.showSaveDialog({ defaultUri: file, title: t`Save As` });
  if (target !== undefined && target.toString() !== file.toString())
    await vscode.workspace.fs.copy(file, target, { overwrite: true });
}

/** Follows the files in a folder: those that are made, changed or deleted. */
export function watchFolder(folder: vscode.Uri, touched: (file: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(touched),
    watcher.onDidChange(touched),
    watcher.onDidDelete(touched),
  );
}

/** Moves a file to the trash, or deletes it where there is none. @returns whether it is gone */
export async function deleteFile(file: vscode.Uri): Promise<boolean> {
  const moved = Promise.resolve(vscode.workspace.fs.delete(file, { useTrash: true }));
  return moved
    .catch(() => removeFile(file.fsPath))
    .then(
      () => true,
      () => false,
    );
}

/** Reveals a file in the Explorer or the system's file manager without opening it. */
export async function revealFile(file: vscode.Uri): Promise<void> {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  await vscode.commands.executeCommand(isInWorkspace ? 'revealInExplorer' : 'revealFileInOS', file);
}

/** Opens a page that this window serves in the browser. */
export async function openServedPage(address: string): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(address));
}

/** Opens an https page in the browser; VS Code asks first, unless the user trusts the domain. */
export async function openPage(address: string): Promise<void> {
  const page = vscode.Uri.parse(address, true);
  if (page.scheme === 'https') await vscode.env.openExternal(page);
}
