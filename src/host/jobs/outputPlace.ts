import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';

/** Finds the folder on disk where the outputs of a workflow go. */
export class OutputPlaces {
  /** The folder that the user pointed at because his workspace has none: asked once per window. */
  #chosen: vscode.Uri | undefined;

  /**
   * The output folder of the workspace folder that holds the file, else one that the user is asked for. Undefined
   * when he does not answer.
   */
  async ask(source: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
    const folder = await workspaceFolderOf(source);
    if (folder === 'declined') return undefined;
    if (folder?.uri.scheme === 'file') return folderInside(folder);
    this.#chosen ??= await askForFolder();
    return this.#chosen;
  }

  /** The folders in which outputs of this window will lie, as far as that is known; they need not exist yet. */
  expected(): vscode.Uri[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
      uri.scheme === 'file' ? [vscode.Uri.joinPath(uri, wantedFolder(uri))] : [],
    );
    return this.#chosen ? [...folders, this.#chosen] : folders;
  }
}

async function workspaceFolderOf(
  source: vscode.Uri | undefined,
): Promise<vscode.WorkspaceFolder | 'declined' | undefined> {
  const own = source && vscode.workspace.getWorkspaceFolder(source);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (own || folders.length < 2) return own ?? folders[0];
  const picked = await vscode.window.showWorkspaceFolderPick({
    placeHolder: 'In which folder shall the outputs be kept?',
    ignoreFocusOut: true,
  });
  return picked ?? 'declined';
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: 'Where shall the outputs be kept?',
      openLabel: 'Keep Outputs Here',
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    })) ?? [];
  if (folder && folder.scheme !== 'file') {
    throw new UserProblem(
      shown`Outputs can be saved to a folder on disk only.`,
      shown`Choose a folder on disk.`,
    );
  }
  return folder;
}

async function folderInside({ uri, name }: vscode.WorkspaceFolder): Promise<vscode.Uri> {
  const wanted = wantedFolder(uri);
  const folder = path.resolve(uri.fsPath, wanted);
  if (path.isAbsolute(wanted) || !isInside(uri.fsPath, folder) || !(await staysInside(uri.fsPath, folder))) {
    throw new UserProblem(
      shown`The output folder ${JSON.stringify(wanted)} is outside ${name}.`,
      shown`Set ${settings.outputFolder} to a folder inside the workspace.`,
    );
  }
  return vscode.Uri.file(folder);
}

/** What the setting says, relative to the workspace folder. */
function wantedFolder(scope: vscode.Uri): string {
  const setting = (readSetting(settings.outputFolder, scope) ?? '').trim();
  return setting === '' ? 'outputs' : setting;
}

function isInside(root: string, candidate: string): boolean {
  const relative = path.relative(root, candidate);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** A symbolic link on the way can lead outside: the deepest part that exists decides. */
async function staysInside(root: string, folder: string): Promise<boolean> {
  const realRoot = await realpath(root);
  for (let part = folder; ; part = path.dirname(part)) {
    try {
      return isInside(realRoot, await realpath(part));
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!missing || part === path.dirname(part)) throw error;
    }
  }
}
