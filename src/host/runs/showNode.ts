import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { jobLabel } from '../../core/jobs/jobWords';
import { shown } from '../../core/safety/shownText';
import { definedFields } from '../platform/defined';
import { UserProblem } from '../platform/problems';
import { requireSource, sourceGone } from './goneSource';

/** The workflow file of a job. @throws UserProblem if there is none on this machine */
export async function openSource(job: Job): Promise<vscode.TextDocument> {
  const source = requireSource(job);
  try {
    return await vscode.workspace.openTextDocument(source);
  } catch (error) {
    throw sourceGone(jobLabel(job), error);
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
