import path from 'node:path';
import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { findLocalFile, inputFolders, describeLocalMedia } from '../../core/runs/localFile';
import type { LocalMedia, UploadMark } from '../../core/runs/localFile';
import { isNameOfKind } from '../../core/runs/uploadKinds';
import { isHidden, isStrange, leadsOutside, pathBelow } from '../../core/safety/paths';
import { fileStat } from '../platform/openFile';
import { isSameUri } from '../platform/sameUri';

/** The workspace file that an input names, ready to upload but not read yet. */
export async function findLocalMedia(workflow: vscode.Uri, name: string): Promise<LocalMedia | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!folder) return undefined;
  if (folder.scheme !== 'file') return virtualMedia(folder, workflow, name);
  const query = { root: folder.fsPath, folder: path.dirname(workflow.fsPath), name };
  const file = await findLocalFile(query);
  return file && describeLocalMedia(file, query, vscode.workspace.asRelativePath(file.path, true));
}

/** The workspace file that an input names: never one outside, not even through a symbolic link. */
export async function findMediaUri(workflow: vscode.Uri, name: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!folder) return undefined;
  if (folder.scheme !== 'file') return (await virtualFile(folder, workflow, name))?.uri;
  const file = await findLocalFile({ root: folder.fsPath, folder: path.dirname(workflow.fsPath), name });
  return file && vscode.Uri.file(file.path);
}

/** Larger ones aren't shown (bytes). */
const largestPicture = 32 * 1024 * 1024;

/** The picture of the workspace that an input names, if VS Code can show it. */
export async function findLocalPicture(workflow: vscode.Uri, name: string): Promise<vscode.Uri | undefined> {
  if (!/\.(?:png|apng|jpe?g|gif|webp|bmp|avif)$/i.test(name)) return undefined;
  const uri = await findMediaUri(workflow, name);
  if (!uri) return undefined;
  const stat = await fileStat(uri);
  return stat && stat.size <= largestPicture ? uri : undefined;
}

const mostListed = 500;

export async function listLocalMedia(
  workflow: vscode.Uri,
  kind: UploadKind,
): Promise<ReadonlyMap<string, vscode.Uri>> {
  const root = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  const found = new Map<string, vscode.Uri>();
  if (!root) return found;
  for (const place of inputPlaces(workflow, root)) {
    const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(place)).catch(() => []);
    for (const [name, type] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (found.size >= mostListed || found.has(name)) continue;
      if (type === vscode.FileType.File && isNameOfKind(kind, name))
        found.set(name, vscode.Uri.joinPath(place, name));
    }
  }
  return found;
}

export async function localMediaName(workflow: vscode.Uri, file: vscode.Uri): Promise<string | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!root || !isBelow(root, file)) return undefined;
  const names = inputPlaces(workflow, root)
    .map((folder) => pathBelow(folder.path, file.path, path.posix))
    .filter((name) => name !== undefined)
    .sort((one, other) => one.length - other.length);
  for (const name of names) {
    const found = await findMediaUri(workflow, name);
    if (found && isSameUri(found, file)) return name;
  }
  return undefined;
}

/** A workspace that is not on disk has neither symbolic links nor Git. */
async function virtualMedia(
  folder: vscode.Uri,
  workflow: vscode.Uri,
  name: string,
): Promise<LocalMedia | undefined> {
  const found = await virtualFile(folder, workflow, name);
  if (!found) return undefined;
  const { uri, size } = found;
  const marks: UploadMark[] = ['gitUnknown'];
  if (!isBelow(vscode.Uri.joinPath(workflow, '..'), uri)) marks.push('outsideFolder');
  if (isHidden(path.posix.relative(folder.path, uri.path))) marks.push('hidden');
  return {
    place: uri.toString(),
    description: vscode.workspace.asRelativePath(uri, true),
    relative: path.posix.relative(folder.path, uri.path),
    size,
    marks,
    bytes: () => Promise.resolve(vscode.workspace.fs.readFile(uri)),
  };
}

async function virtualFile(
  folder: vscode.Uri,
  workflow: vscode.Uri,
  name: string,
): Promise<{ readonly uri: vscode.Uri; readonly size: number } | undefined> {
  if (leadsOutside(name) || isStrange(name)) return undefined;
  const segments = name.split(/[/\\]/);
  for (const place of inputPlaces(workflow, folder)) {
    const uri = vscode.Uri.joinPath(place, ...segments);
    if (!isBelow(folder, uri)) continue;
    const found = await fileStat(uri);
    // A link has both flags: link and file.
    if (found?.type === vscode.FileType.File) return { uri, size: found.size };
  }
  return undefined;
}

function inputPlaces(workflow: vscode.Uri, root: vscode.Uri): readonly vscode.Uri[] {
  const tops = [vscode.Uri.joinPath(workflow, '..'), root];
  return tops.flatMap((top) => inputFolders.map((folder) => vscode.Uri.joinPath(top, folder)));
}

function isBelow(folder: vscode.Uri, uri: vscode.Uri): boolean {
  return pathBelow(folder.path, uri.path, path.posix) !== undefined;
}
