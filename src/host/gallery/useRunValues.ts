import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { recordedEdits } from '../../core/language/edits/recordedValues';
import { recordAt } from '../../core/records/findRun';
import type { RunRecord } from '../../core/records/runRecord';
import { promptFromText } from '../../core/workflow/prompt';
import { type Shown, shown, shownList } from '../../core/safety/shownText';
import { applyChange, workspaceEdit, rangeIn } from '../platform/editorRanges';
import { documentsInSight } from '../platform/activeDocument';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { showInformation, showWarning } from '../platform/show';
import { isWorkflowDocument, uriName } from '../platform/workflowSource';

/** How many of the values that do not fit are named. */
const mostNamed = 4;

/**
 * Puts the seeds or all values of a recorded run into the workflow that it was made from, or else into the one that is
 * open: one edit, which can be undone.
 * @param definitions called for a graph only
 */
export async function useRunValues(
  recordUri: unknown,
  which: 'seeds' | 'values',
  definitions: () => Promise<Catalog | undefined>,
): Promise<void> {
  if (!(recordUri instanceof vscode.Uri)) return;
  const record = await recordWithPrompt(recordUri);
  const document = await workflowFor(record, recordUri);
  const label = uriName(document.uri);
  const catalog = workflowIn(document).graph ? await definitions() : undefined;
  const uploaded = new Set(record.inputs?.map(({ node, input }) => `${node}.${input}`));
  const isWanted = (node: string, input: string): boolean =>
    which === 'seeds'
      ? Object.hasOwn(record.seeds, `${node}.${input}`)
      : // The file has its path in the workspace, the record its name on the server.
        !uploaded.has(`${node}.${input}`);
  const prompt = promptFromText(record.promptText);
  // Shown first: from here on nothing is awaited that could let the text change.
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const found = recordedEdits(workflowIn(document), { prompt, isWanted }, catalog);
  if (found.kind === 'needsDefinitions') {
    throw new UserProblem(
      shown`To change values in ${label}, Comfy Deck needs a server's node definitions.`,
      shown`Select a server. The sandbox needs no account.`,
      [{ label: shown`Select Server`, command: commands.selectServer }],
    );
  }
  if (found.kind === 'problem')
    throw new UserProblem(shown`The values can't be applied to ${label}: ${found.message}`, shown``);
  const { edits, left } = found;
  const [first] = edits;
  if (first) {
    const range = rangeIn(document, first);
    await applyChange(workspaceEdit(document, edits), document.uri);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  showValueChanges(edits.length, left, label);
}

function showValueChanges(count: number, left: readonly string[], label: string): void {
  const done: Shown =
    count === 0 ? shown`${label} wasn't changed.` : shown`Values changed in ${label}: ${count}.`;
  if (left.length > 0) void showWarning(shown`${done} Skipped: ${shownList(left, mostNamed)}`);
  else if (count === 0) void showInformation(shown`${label} has these values already.`);
  else void showInformation(done);
}

async function recordWithPrompt(uri: vscode.Uri): Promise<RunRecord & { readonly promptText: string }> {
  const found = await recordAt(uri.fsPath);
  const promptText = found?.record.promptText;
  if (!found || promptText === undefined) {
    throw new UserProblem(
      shown`${uriName(uri)} contains no workflow.`,
      shown`Choose an output of a run started by Comfy Deck.`,
    );
  }
  return { ...found.record, promptText };
}

/** The workflow that a run was made from; if that is gone, one that is in sight. */
async function workflowFor({ sourceUri }: RunRecord, record: vscode.Uri): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.getWorkspaceFolder(record) ?? vscode.workspace.workspaceFolders?.[0];
  // Anyone may have written the record: only files of the workspace.
  if (folder && sourceUri !== undefined && !sourceUri.split(/[/\\]/).includes('..')) {
    const source = vscode.Uri.joinPath(folder.uri, sourceUri);
    const document = await Promise.resolve(vscode.workspace.openTextDocument(source)).catch(() => undefined);
    if (document && isWorkflowDocument(document)) return document;
  }
  const found = documentsInSight().find(
    (document) => document.uri.scheme !== 'output' && isWorkflowDocument(document),
  );
  if (found) return found;
  throw new UserProblem(
    shown`The workflow of this run is not in the workspace.`,
    shown`Open the workflow beside the gallery, then try again.`,
  );
}
