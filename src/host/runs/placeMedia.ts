import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { FreeNames } from '../../core/outputs/freeNames';
import { safeFileName } from '../../core/outputs/safeName';
import { isNameOfKind, isOfKind, kindWords } from '../../core/runs/uploadKinds';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { nameOf } from '../platform/workflowSource';
import { localNameOf } from './findLocalMedia';

/** A file that somebody dropped, pasted or chose: its address, or its name and content. */
export type GivenMedia = vscode.Uri | { readonly name: string; readonly read: () => Promise<Uint8Array> };

/** What an input calls a file; with what is to be written first. */
export interface PlacedMedia {
  readonly name: string;
  readonly copy?: { readonly file: vscode.Uri; readonly bytes: Uint8Array };
}

/** Larger ones are not copied (bytes). */
const largestPlaced = 256 * 2 ** 20;

/**
 * Finds the name for a given file, and the place beside the workflow for one that isn't in the workspace. Nothing is
 * written, and nothing is sent to a server.
 * @returns undefined outside a workspace, from where nothing is uploaded
 * @throws UserProblem for a file that the input doesn't take
 */
export async function placeMedia(
  workflow: vscode.Uri,
  given: GivenMedia,
  kind: UploadKind,
): Promise<PlacedMedia | undefined> {
  if (!vscode.workspace.getWorkspaceFolder(workflow)) return undefined;
  const isUri = given instanceof vscode.Uri;
  const label = isUri ? nameOf(given) : given.name;
  if (!isNameOfKind(kind, label)) throw wrongKind(label, kind);
  const known = isUri ? await localNameOf(workflow, given) : undefined;
  if (known !== undefined) return { name: known };
  if (isUri && (await vscode.workspace.fs.stat(given)).size > largestPlaced) throw tooLarge(label);
  const bytes = isUri ? await vscode.workspace.fs.readFile(given) : await given.read();
  if (bytes.length > largestPlaced) throw tooLarge(label);
  if (!isOfKind(kind, label, bytes)) throw wrongKind(label, kind);
  const folder = vscode.Uri.joinPath(workflow, '..');
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const safe = safeFileName(label, kind);
  const same = vscode.Uri.joinPath(folder, safe);
  const present = entries.some(([name]) => name === safe) ? await readOrNothing(same) : undefined;
  if (present && Buffer.from(present).equals(bytes)) return { name: safe };
  const name = new FreeNames(entries.map(([each]) => each)).take(safe);
  return { name, copy: { file: vscode.Uri.joinPath(folder, name), bytes } };
}

async function readOrNothing(file: vscode.Uri): Promise<Uint8Array | undefined> {
  return Promise.resolve(vscode.workspace.fs.readFile(file)).catch(() => undefined);
}

function wrongKind(label: string, kind: UploadKind): UserProblem {
  return new UserProblem(
    shown`The input takes ${kindWords()[kind]}, but ${label} is another kind of file.`,
    shown`Choose another file.`,
  );
}

function tooLarge(label: string): UserProblem {
  return new UserProblem(
    shown`${label} is too large to be copied into the workspace.`,
    shown`Copy the file into the workspace yourself, or select a smaller one.`,
  );
}
