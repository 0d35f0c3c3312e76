import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { leadsOutside } from '../../core/runs/mediaUploads';
import type { LocalMedia } from '../../core/runs/runWorkflow';
import { isInside } from '../jobs/outputPlace';

/** The file of the workspace that an input of a workflow names, ready to be uploaded. */
export async function findLocalMedia(workflow: vscode.Uri, name: string): Promise<LocalMedia | undefined> {
  const uri = await findLocalFile(workflow, name);
  return uri && mediaAt(uri);
}

/**
 * Where the file of the workspace lies that an input of a workflow names: beside the workflow, in an `input` or `inputs` folder
 * beside it, or the same at the top of its workspace folder. Never a file outside the workspace, also not through a
 * symbolic link.
 */
export async function findLocalFile(workflow: vscode.Uri, name: string): Promise<vscode.Uri | undefined> {
  if (leadsOutside(name)) return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  if (!folder) return undefined;
  const beside = vscode.Uri.joinPath(workflow, '..');
  const places = [beside, folder].flatMap((top) => [
    top,
    vscode.Uri.joinPath(top, 'input'),
    vscode.Uri.joinPath(top, 'inputs'),
  ]);
  const segments = name.split(/[/\\]/);
  for (const place of places) {
    const uri = vscode.Uri.joinPath(place, ...segments);
    if (await isFileInside(folder, uri)) return uri;
  }
  return undefined;
}

async function isFileInside(folder: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return false;
    if (uri.scheme !== 'file') return uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`);
    return isInside(await realpath(folder.fsPath), await realpath(uri.fsPath));
  } catch {
    return false;
  }
}

async function mediaAt(uri: vscode.Uri): Promise<LocalMedia> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  return {
    bytes: () => Promise.resolve(bytes),
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.byteLength,
    description: vscode.workspace.asRelativePath(uri, true),
  };
}
