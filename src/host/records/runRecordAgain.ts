import * as vscode from 'vscode';
import type { RunRecord } from '../../core/records/runRecord';
import { changeValues, type ValueChange } from '../../core/runs/changeValues';
import type { RunChoices } from '../../core/runs/runChoices';
import { hiddenText } from '../../core/safety/secrets';
import { shown } from '../../core/safety/shownText';
import { serverForAgain } from '../jobs/runJobsAgain';
import { UserProblem } from '../platform/problems';
import { isSourceGone, sentMedia, tellSourceGone } from '../runs/goneSource';
import { requireTrust } from '../platform/requireTrust';
import type { Runs } from '../runs/runs';
import { sourceOfRecord } from '../outputs/outputPlace';

export interface AgainChoices {
  readonly seeds: RunChoices['seeds'];
  /** Other values; none for the prompt as it was. */
  readonly changes?: readonly ValueChange[] | undefined;
}

/** Returns the ID of the job if it was sent. */
export async function runRecordAgain(
  uri: vscode.Uri,
  record: RunRecord,
  { seeds, changes = [] }: AgainChoices,
  runs: Runs,
): Promise<string | undefined> {
  requireTrust();
  const { label, server, targets, inputs } = record;
  const promptText = changedPrompt(record, changes);
  const isSandbox = record.serverKind === 'sandbox';
  const on = await serverForAgain(runs.servers, { server, label, isSandbox });
  if (on === 'declined') return undefined;
  const source = sourceOfRecord(uri, record);
  if (await isSourceGone(source)) tellSourceGone(label, record.workflowText ?? promptText);
  const { WorkflowDocument } = await import('../../core/workflow/workflowDocument');
  const workflow = WorkflowDocument.of(promptText);
  const localMedia = inputs && sentMedia(source, inputs, vscode.Uri.joinPath(uri, '..'));
  // A graph with the old values would be wrong in the pictures: they carry the prompt.
  const workflowText = changes.length === 0 ? record.workflowText : undefined;
  return runs.run(
    { uri: source, workflow, workflowText, label, localMedia },
    { seeds, targets },
    on === 'selected' ? undefined : on,
  );
}

/** @throws UserProblem when there is no prompt, or none that may be sent */
function changedPrompt(record: RunRecord, changes: readonly ValueChange[]): string {
  const { label } = record;
  let { promptText } = record;
  if (record.music) {
    throw new UserProblem(
      shown`${label} is music, which was made without a workflow.`,
      shown`Use its prompt again in the Music panel.`,
    );
  }
  if (promptText === undefined) {
    throw new UserProblem(
      shown`The record doesn't contain the workflow, because the job was submitted elsewhere.`,
      shown`Open its workflow file and run it instead.`,
    );
  }
  if (changes.length > 0) {
    const changed = changeValues(promptText, changes);
    if (changed.kind === 'problem') {
      throw new UserProblem(shown`${changed.message}`, shown`${changed.nextAction}`);
    }
    promptText = changed.promptText;
  }
  if (promptText.includes(hiddenText) || record.promptText?.includes(hiddenText) === true) {
    throw new UserProblem(
      shown`The workflow of ${label} contained a key, which is hidden in its run record.`,
      shown`Open its workflow file and run it instead.`,
    );
  }
  return promptText;
}
