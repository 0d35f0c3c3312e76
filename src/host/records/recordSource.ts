import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { RunRecord } from '../../core/records/runRecord';
import { shown } from '../../core/safety/shownText';
import { sourceOfRecord } from '../outputs/outputPlace';
import { UserProblem } from '../platform/problems';
import { showInformation } from '../platform/show';
import { isGone } from '../runs/goneSource';

/** Opens the workflow file of a record, or what was sent if that is gone. */
export async function openRecordWorkflow(uri: vscode.Uri, record: RunRecord): Promise<void> {
  const source = sourceOfRecord(uri, record);
  const text = textOfRecord(record);
  if (await isGone(source)) {
    if (text === undefined) {
      throw new UserProblem(
        shown`${record.label} has been moved or deleted, and the record doesn't contain the workflow.`,
        shown`Open the workflow file from its new location.`,
      );
    }
    await openText(text);
    void showInformation(
      shown`${record.label} has been moved or deleted, so this is the workflow as it was sent.`,
    );
    return;
  }
  const { document } = await vscode.window.showTextDocument(source);
  const { workflowIn, workflowInFile } = await import('../platform/readWorkflow');
  // An editor that has just opened may not know yet that its file has changed; its own may be gone.
  const file = document.isDirty ? undefined : vscode.workspace.fs.readFile(source);
  const bytes = await Promise.resolve(file).catch(() => undefined);
  const workflow = bytes ? workflowInFile(source, bytes) : workflowIn(document);
  const hash = createHash('sha256').update(workflow.text).digest('hex');
  if (record.sourceHash === undefined || record.sourceHash === hash || text === undefined) return;
  const open = { label: shown`Open Submitted Version` };
  void showInformation(shown`${record.label} has changed since this run.`, open).then(async (chosen) => {
    if (chosen) await openText(text);
  });
}

function textOfRecord(record: RunRecord): string | undefined {
  return record.workflowText ?? record.promptText;
}

async function openText(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document);
}
