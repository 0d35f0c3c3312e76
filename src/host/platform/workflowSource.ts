import * as vscode from 'vscode';
import { NotUnicode, decodeSentText } from '../../core/json/textOfBytes';
import { looksLikeWorkflow } from '../../core/workflow/format';
import type { LocalMedia } from '../../core/runs/localFile';
import type { RunSource } from '../../core/runs/runChoices';
import { shown } from '../../core/safety/shownText';
import { activeDocument, openDocument } from './activeDocument';
import { UserProblem } from './problems';
import { isSameUri } from './sameUri';

export interface WorkflowSource extends RunSource {
  readonly uri: vscode.Uri;
  /** The file that an input names; by default the one in the workspace. */
  readonly localMedia?: ((name: string) => Promise<LocalMedia | undefined>) | undefined;
}

/** Larger than any text that a server accepts: such a file is refused unread. */
const largestFile = 100 * 1024 * 1024;

/** The language IDs of workflow files; whether a file is one depends on its text. */
export const workflowLanguages: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];

function isJsonDocument(document: vscode.TextDocument): boolean {
  return (
    document.languageId === 'json' || document.languageId === 'jsonc' || /\.jsonc?$/.test(document.uri.path)
  );
}

export function isWorkflowDocument(document: vscode.TextDocument): boolean {
  return isJsonDocument(document) && looksLikeWorkflow(document.getText());
}

export function hasSource([first]: readonly unknown[]): boolean {
  return first instanceof vscode.Uri || activeDocument() !== undefined;
}

/** The files of a command: those of its menu, or the active one. @throws UserProblem if there is none */
export function commandSources(
  args: readonly unknown[],
): readonly [first: vscode.Uri, ...others: vscode.Uri[]] {
  const [first, all] = args;
  const [one = first, ...others] = Array.isArray(all) ? all.filter((each) => each instanceof vscode.Uri) : [];
  if (first instanceof vscode.Uri && one instanceof vscode.Uri) return [one, ...others];
  const active = activeDocument();
  if (active && isJsonDocument(active)) return [active.uri];
  throw noWorkflowOpen();
}

export function noWorkflowOpen(): UserProblem {
  return new UserProblem(
    shown`No workflow file is open.`,
    shown`Open a workflow file (.json), then try again.`,
  );
}

const pendingEdits = new Set<{ readonly uri: vscode.Uri; readonly settle: () => Promise<void> }>();

/** An editor has edits that aren't in the document of a file yet. @param settle resolves when they are */
export function keepPendingEdits(uri: vscode.Uri, settle: () => Promise<void>): vscode.Disposable {
  const pending = { uri, settle };
  pendingEdits.add(pending);
  return new vscode.Disposable(() => pendingEdits.delete(pending));
}

/** Reads a file as the user sees it, including unsaved changes. */
export async function readSource(uri: vscode.Uri): Promise<WorkflowSource> {
  const label = uriName(uri);
  const pending = [...pendingEdits].filter((each) => isSameUri(each.uri, uri));
  await Promise.all(pending.map(({ settle }) => settle()));
  const open = openDocument(uri);
  // Not at startup: the scanner for JSON with Comments is large.
  const { workflowIn, workflowInFile } = await import('./readWorkflow');
  if (open) {
    const workflow = workflowIn(open);
    // Letters that the editor couldn't decode, or that are in the file.
    const file = workflow.text.includes('\uFFFD') ? vscode.workspace.fs.readFile(uri) : undefined;
    const bytes = await Promise.resolve(file).catch(() => undefined);
    if (bytes) readSentText(label, bytes);
    return { uri, workflow, label };
  }
  let bytes: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > largestFile) throw tooLarge(label);
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof UserProblem) throw error;
    throw unreadable(label, error);
  }
  readSentText(label, bytes);
  return { uri, workflow: workflowInFile(uri, bytes), label };
}

/**
 * The text of a file in any Unicode encoding. @throws UserProblem for another encoding, whose letters an editor shows
 * as U+FFFD
 */
export function readSentText(label: string, bytes: Uint8Array): string {
  try {
    return decodeSentText(bytes);
  } catch (error) {
    const { encoding } = error instanceof NotUnicode ? error : {};
    if (encoding === undefined)
      throw new UserProblem(shown`${label} is not a text file.`, shown`Choose another file.`);
    throw new UserProblem(
      shown`${label} is not encoded in UTF-8, but probably in ${encoding}.`,
      shown`Reopen the file with this encoding, or save it as UTF-8.`,
    );
  }
}

export function tooLarge(label: string, nextAction = shown`Choose another file.`): UserProblem {
  return new UserProblem(shown`${label} is too large.`, nextAction);
}

export function unreadable(label: string, cause?: unknown): UserProblem {
  return new UserProblem(shown`${label} can't be read.`, shown`Check that the file exists.`, [], { cause });
}

export function uriName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}
