import * as vscode from 'vscode';
import type { CustomEditorId } from './contributions';
import { isSameUri } from './sameUri';

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
  const isOpen = vscode.workspace.textDocuments.some((document) => isSameUri(document.uri, file));
  return isOpen || (await fileStat(file)) !== undefined;
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
