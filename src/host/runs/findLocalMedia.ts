import path from 'node:path';
import * as vscode from 'vscode';
import { findLocalFile, inputFolders, localMediaOf } from '../../core/runs/localFile';
import type { LocalMedia, UploadMark } from '../../core/runs/localMedia';
import { isHidden, isStrange, leadsOutside, pathBelow } from '../../core/safety/paths';

/** The workspace file that an input names, ready to upload but not read yet. */
export async function findLocalMedia(workflow: vscode.Uri, name: string): Promise<LocalMedia | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!folder) return undefined;
  if (folder.scheme !== 'file') return virtualMedia(folder, workflow, name);
  const query = { root: folder.fsPath, folder: path.dirname(workflow.fsPath), name };
  const file = await findLocalFile(query);
  return file && localMediaOf(file, query, vscode.workspace.asRelativePath(file.path, true));
}

/**
 * The path of the workspace file that an input names. Never a file outside the workspace, not even through a symbolic
 * link.
 */
export async function findMediaUri(workflow: vscode.Uri, name: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!folder) return undefined;
  if (folder.scheme !== 'file') return (await virtualFile(folder, workflow, name))?.uri;
  const file = await findLocalFile({ root: folder.fsPath, folder: path.dirname(workflow.fsPath), name });
  return file && vscode.Uri.file(file.path);
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
  for (const top of [vscode.Uri.joinPath(workflow, '..'), folder]) {
    for (const place of inputFolders) {
      const uri = vscode.Uri.joinPath(top, place, ...segments);
      if (!isBelow(folder, uri)) continue;
      const found = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
      // A link has both flags: link and file.
      if (found?.type === vscode.FileType.File) return { uri, size: found.size };
    }
  }
  return undefined;
}

function isBelow(folder: vscode.Uri, uri: vscode.Uri): boolean {
  return pathBelow(folder.path, uri.path, path.posix) !== undefined;
}
