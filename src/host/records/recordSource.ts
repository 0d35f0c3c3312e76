import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { RunRecord } from '../../core/records/runRecord';
import { leadsOutside } from '../../core/safety/paths';
import { safeFileName } from '../../core/outputs/safeName';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { showInformation } from '../platform/show';
import { isGone } from '../runs/goneSource';

/** Where the paths in a record begin: its workspace folder or, outside of any, the folder above its own. */
function rootOfRecord(uri: vscode.Uri): vscode.Uri {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..', '..');
}

/**
 * Where the workflow file of a record is or would be. The path comes from the record, so it never leads out of there.
 */
export function sourceOfRecord(uri: vscode.Uri, { sourceUri, label }: RunRecord): vscode.Uri {
  const path =
    sourceUri === undefined || leadsOutside(sourceUri) ? safeFileName(label, 'workflow.json') : sourceUri;
  return vscode.Uri.joinPath(rootOfRecord(uri), ...path.split(/[/\\]/));
}

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
