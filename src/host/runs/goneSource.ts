import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { type Shown, shown } from '../../core/safety/shownText';
import { jobSourceUri } from '../outputs/savingShown';
import { fileOfTab } from '../platform/activeDocument';
import { openText } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { showInformation, showWarning } from '../platform/show';
import { isSameUri } from '../platform/sameUri';
import type { RecordedInput } from '../../core/records/runRecord';
import type { WorkflowSource } from '../platform/workflowSource';

/** Whether a workflow file was deleted or moved; an editor that still contains its text counts as the file. */
export async function isSourceGone(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  // Not `textDocuments`, where a document stays for a while after its tab was closed.
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOpen = tabs.some(({ input }) => {
    const file = fileOfTab(input);
    return file !== undefined && isSameUri(file, uri);
  });
  if (isOpen) return false;
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}

/** The workflow file of a job. @throws UserProblem if it wasn't run from a file on this machine */
export function requireSource(job: Job): vscode.Uri {
  const source = jobSourceUri(job);
  if (source) return source;
  throw new UserProblem(
    shown`This job wasn't run from a file on this machine.`,
    shown`Open its workflow file where it is now.`,
  );
}

export function sourceGone(label: string, cause?: unknown): UserProblem {
  const nextAction = shown`Open its workflow file where it is now.`;
  return new UserProblem(shown`${label} has been moved or deleted.`, nextAction, [], { cause });
}

/** Says that a run continues without its file, and offers the text, which can't be seen elsewhere. */
export function tellSourceGone(label: string, text: string): void {
  const open = { label: shown`Open Workflow` };
  void showInformation(usedAsSent(label), open).then((chosen) => chosen && openText(text));
}

export function usedAsSent(label: string): Shown {
  return shown`${label} has been moved or deleted. Comfy Deck uses the workflow as it was sent.`;
}

/** The files that a recorded run used: their copies in the record's folder, or files of the workspace. */
export function sentMedia(
  workflow: vscode.Uri,
  inputs: readonly RecordedInput[],
  folder: vscode.Uri,
): NonNullable<WorkflowSource['localMedia']> {
  return async (name) => {
    const { findLocalMedia } = await import('./findLocalMedia');
    const { recordedMedia } = await import('../../core/runs/recordedMedia');
    return recordedMedia({
      inputs,
      folder: folder.fsPath,
      find: (each) => findLocalMedia(workflow, each),
      changed: (each) =>
        void showWarning(
          shown`${each} has changed since that run, and no copy was kept. The run uses the file as it is now.`,
        ),
    })(name);
  };
}
