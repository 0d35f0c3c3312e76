import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { jobLabel } from '../../core/jobs/jobWords';
import { shown } from '../../core/safety/shownText';
import { definedFields } from '../platform/defined';
import { UserProblem } from '../platform/problems';

/** The workflow file of a job. @throws UserProblem if there is none on this machine */
export async function openSource({ origin }: Job): Promise<vscode.TextDocument> {
  if (origin?.sourceUri === undefined) {
    throw new UserProblem(
      shown`This job wasn't run from a file on this machine.`,
      shown`Open its workflow file instead.`,
    );
  }
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(origin.sourceUri));
  } catch (error) {
    throw new UserProblem(
      shown`${origin.label} has been moved or deleted.`,
      shown`Open its workflow file instead.`,
      [],
      { cause: error },
    );
  }
}

/** Opens the workflow file of a job with the cursor at a node. */
export async function showNode(job: Job, nodeId: string): Promise<void> {
  const document = await openSource(job);
  const [{ nodeRange }, { workflowIn }] = await Promise.all([
    import('./nodeRange'),
    import('../platform/readWorkflow'),
  ]);
  const range = nodeRange(workflowIn(document), nodeId);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    ...definedFields({ selection: range }),
  });
  if (!range) {
    throw new UserProblem(
      shown`${jobLabel(job)} no longer has node ${nodeId}, because the file changed after the run.`,
      shown`Look for the node under its new ID.`,
    );
  }
}
