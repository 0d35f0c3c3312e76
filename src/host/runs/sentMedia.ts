import type * as vscode from 'vscode';
import type { RecordedInput } from '../../core/records/runRecord';
import { shown } from '../../core/safety/shownText';
import { showWarning } from '../platform/show';
import type { WorkflowSource } from '../platform/workflowSource';

/** The files that a recorded run used: their copies in the record's folder, or files of the workspace. */
export function sentMedia(
  workflow: vscode.Uri,
  inputs: readonly RecordedInput[],
  folder: vscode.Uri,
): NonNullable<WorkflowSource['localMedia']> {
  return async (name) => {
    const { findLocalMedia } = await import('./findLocalMedia');
    const { recordedMedia } = await import('../../core/runs/recordedMedia');
    const look = recordedMedia({
      inputs,
      folder: folder.fsPath,
      find: (each) => findLocalMedia(workflow, each),
      changed: (each) =>
        void showWarning(
          shown`${each} has changed since that run, and no copy was kept. The run uses the file as it is now.`,
        ),
    });
    return look(name);
  };
}
