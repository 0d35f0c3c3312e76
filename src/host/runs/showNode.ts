import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { shown } from '../../core/safety/shownText';
import { defined } from '../platform/defined';
import { UserProblem } from '../platform/problems';

/** Opens the workflow file of a job with the cursor at a node. */
export async function showNode(job: Job, nodeId: string): Promise<void> {
  if (job.origin?.sourceUri === undefined) {
    throw new UserProblem(
      shown`This job wasn't run from a file on this machine.`,
      shown`Open its workflow file instead.`,
    );
  }
  const uri = vscode.Uri.parse(job.origin.sourceUri);
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserProblem(
      shown`${job.origin.label} has been moved or deleted.`,
      shown`Open its workflow file instead.`,
      [],
      { cause: error },
    );
  }
  const [{ nodeRange }, { workflowIn }] = await Promise.all([
    import('./nodeRange'),
    import('../platform/readWorkflow'),
  ]);
  const range = nodeRange(workflowIn(document), nodeId);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    ...defined({ selection: range }),
  });
  if (!range) {
    throw new UserProblem(
      shown`${job.origin.label} no longer has node ${nodeId}, because the file changed after the run.`,
      shown`Look for the node under its new ID.`,
    );
  }
}
