import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { resolveRealPath } from '../../core/outputs/changeFile';
import { safeFileName } from '../../core/outputs/outputNames';
import type { RunRecord } from '../../core/records/runRecord';
import { isGitFolder, leadsOutside, pathBelow, unusableName } from '../../core/safety/paths';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { errorCode } from '../../core/safety/errorWords';
import { pathInFolder } from '../platform/sameUri';

export class OutputPlaces {
  /** The user selects a folder, once per window, if the workspace has none. */
  #chosen: vscode.Uri | undefined;
  /** Paths of folders with outputs that the settings may not name. */
  readonly #remembered = new Set<string>();

  /** Asks for a folder if the file has no workspace folder. Undefined if the user cancels. */
  async ask(source: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
    const own = await workspaceFolderOf(source);
    if (own === 'declined') return undefined;
    const isInside = own?.uri.scheme === 'file';
    const folder = isInside ? await folderInside(own) : (this.#chosen ??= await askForFolder());
    if (folder) this.remember(folder.fsPath);
    return folder;
  }

  /** Whether `ask` would open a dialog. */
  wouldAsk(source: vscode.Uri): boolean {
    const folder = knownFolderOf(source);
    return folder === 'several' || (folder?.uri.scheme !== 'file' && this.#chosen === undefined);
  }

  /** The output folders known from settings and answers. They need not exist yet. */
  expected(): vscode.Uri[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
      const wanted = readFolderSetting(settingIn(uri));
      return uri.scheme === 'file' && wanted.kind === 'folder' ? [vscode.Uri.joinPath(uri, wanted.path)] : [];
    });
    return this.#chosen ? [...folders, this.#chosen] : folders;
  }

  all(): vscode.Uri[] {
    const folders = [...this.expected(), ...Array.from(this.#remembered, (path) => vscode.Uri.file(path))];
    return [...new Map(folders.map((folder) => [folder.fsPath, folder])).values()];
  }

  remembered(): readonly string[] {
    return [...this.#remembered];
  }

  remember(folder: string): void {
    this.#remembered.add(folder);
  }
}

function knownFolderOf(source: vscode.Uri | undefined): vscode.WorkspaceFolder | 'several' | undefined {
  const own = source && vscode.workspace.getWorkspaceFolder(source);
  const folders = vscode.workspace.workspaceFolders;
  return own ?? (folders && folders.length > 1 ? 'several' : folders?.[0]);
}

async function workspaceFolderOf(
  source: vscode.Uri | undefined,
): Promise<vscode.WorkspaceFolder | 'declined' | undefined> {
  const known = knownFolderOf(source);
  if (known !== 'several') return known;
  const picked = await vscode.window.showWorkspaceFolderPick({
    placeHolder: t`Select the workspace folder for the outputs`,
    ignoreFocusOut: true,
  });
  return picked ?? 'declined';
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: t`Select an output folder`,
    openLabel: t`Save Outputs Here`,
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  const folder = chosen?.[0];
  if (folder && folder.scheme !== 'file') {
    throw new UserProblem(
      shown`Outputs can only be saved to a folder on disk.`,
      shown`Choose a folder on disk.`,
    );
  }
  return folder;
}

/** @throws UserProblem when the setting does not name a usable folder */
async function folderInside({ uri }: vscode.WorkspaceFolder): Promise<vscode.Uri> {
  const wanted = readFolderSetting(settingIn(uri));
  if (wanted.kind === 'problem') throw notUsable(shown`${wanted.problem}`);
  const folder = path.resolve(uri.fsPath, wanted.path);
  const quoted = JSON.stringify(wanted.path);
  try {
    if (!(await staysInside(uri.fsPath, folder))) throw notUsable(shown`${outside(quoted)}`);
    const isFile = await stat(folder).then(
      (entry) => !entry.isDirectory(),
      () => false,
    );
    if (isFile) throw notUsable(shown`The output folder ${quoted} is a file or inside one, not a folder.`);
  } catch (error) {
    throw error instanceof UserProblem ? error : notUsable(whyUnusable(quoted, error), error);
  }
  return vscode.Uri.file(folder);
}

function notUsable(problem: Shown, cause?: unknown): UserProblem {
  const nextAction = shown`Choose a folder inside the workspace in the ${settings.outputFolder} setting.`;
  return new UserProblem(problem, nextAction, [], { cause });
}

function whyUnusable(folder: string, error: unknown): Shown {
  const code = errorCode(error);
  switch (code) {
    case 'ENOTDIR':
      return shown`The output folder ${folder} is a file or inside one, not a folder.`;
    case 'ENAMETOOLONG':
      return shown`The name ${folder} is too long for the output folder's disk.`;
    case 'ELOOP':
      return shown`The output folder ${folder} contains a symbolic link loop.`;
    case 'EACCES':
    case 'EPERM':
      return shown`The output folder ${folder} is not accessible.`;
    default:
      return shown`The output folder ${folder} can't be used (${code || t`unknown reason`}).`;
  }
}

function settingIn(scope: vscode.Uri): string {
  return readSetting(settings.outputFolder, scope) ?? '';
}

async function staysInside(root: string, folder: string): Promise<boolean> {
  const realRoot = await resolveRealPath(root);
  for (let part = folder; ; part = path.dirname(part)) {
    try {
      return pathBelow(realRoot, await resolveRealPath(part), path) !== undefined;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || part === path.dirname(part)) throw error;
    }
  }
}

/** Larger input files are not copied, bytes. */
export function largestKeptInput(sourceUri: string | undefined): number {
  const scope = sourceUri === undefined ? undefined : vscode.Uri.parse(sourceUri);
  return (readSetting(settings.keepInputs, scope) ?? 0) * 1_000_000;
}

/** The workflow's path in its workspace folder, or else only its name: records contain no absolute paths. */
export function workspaceSourcePath(
  sourceUri: string | undefined,
  outputFolder: vscode.Uri,
): string | undefined {
  if (sourceUri === undefined) return undefined;
  const source = vscode.Uri.parse(sourceUri);
  const folder = vscode.workspace.getWorkspaceFolder(source)?.uri ?? vscode.Uri.joinPath(outputFolder, '..');
  return pathInFolder(folder, source) ?? path.posix.basename(source.path);
}

/** The workflow file of a record. Its path comes from the record, so it never leads out of the workspace. */
export function sourceOfRecord(
  uri: vscode.Uri,
  { sourceUri, label }: Pick<RunRecord, 'sourceUri' | 'label'>,
): vscode.Uri {
  const path =
    sourceUri === undefined || leadsOutside(sourceUri) ? safeFileName(label, 'workflow.json') : sourceUri;
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..', '..');
  return vscode.Uri.joinPath(root, ...path.split(/[/\\]/));
}

type FolderSetting =
  | { readonly kind: 'folder'; /** Relative to the workspace folder. */ readonly path: string }
  | { readonly kind: 'problem'; readonly problem: string };

const fallback = 'outputs';

export function readFolderSetting(setting: string): FolderSetting {
  const wanted = setting.trim().replace(/^\$\{workspaceFolder\}(?:[/\\]+|$)/, '');
  if (setting.trim() === '') return { kind: 'folder', path: fallback };
  const named = JSON.stringify(setting);
  if (/\p{Cc}/u.test(wanted)) return problem(t`The output folder ${named} contains a control character.`);
  if (/\$\{[^}]*\}/.test(wanted))
    return problem(
      t`The output folder ${named} contains a variable other than a leading \${workspaceFolder}.`,
    );
  if (/^~(?:[/\\]|$)/.test(wanted) || path.isAbsolute(wanted) || path.win32.isAbsolute(wanted)) {
    return problem(outside(named));
  }
  const segments = path.normalize(wanted).split(/[/\\]/);
  if (segments[0] === '..') return problem(outside(named));
  if (segments.some(isGitFolder)) return problem(t`The output folder ${named} is inside a .git folder.`);
  const name = unusableName(wanted);
  if (name !== undefined)
    return problem(t`The output folder ${named} has a name that Windows can't use: ${JSON.stringify(name)}.`);
  return { kind: 'folder', path: wanted === '' ? '.' : wanted };
}

function outside(named: string): string {
  return t`The output folder ${named} is outside the workspace folder.`;
}

function problem(sentence: string): FolderSetting {
  return { kind: 'problem', problem: sentence };
}
