import * as vscode from 'vscode';
import { findingLines } from '../../core/check/findingLines';
import { shown } from '../../core/safety/shownText';
import type { CheckedDocument } from '../language/languageFeature';
import { isWorkflowDocument } from '../platform/workflowSource';
import { taskExit, type TaskOutput } from './taskTerminal';

/** Checks files one after the other, with the text of their editors; other JSON files are skipped. */
export async function validateTask(
  files: readonly vscode.Uri[],
  check: (document: vscode.TextDocument) => Promise<CheckedDocument>,
  output: TaskOutput,
): Promise<number> {
  let workflows = 0;
  let faulty = 0;
  let unchecked = 0;
  for (const file of files) {
    output.signal.throwIfAborted();
    const document = await vscode.workspace.openTextDocument(file);
    if (!isWorkflowDocument(document)) continue;
    workflows++;
    const { findings, byDefinitions } = await check(document);
    if (!byDefinitions) unchecked++;
    for (const line of findingLines(file.fsPath, document.getText(), findings)) output.line(shown`${line}`);
    if (findings.some(({ severity }) => severity === 'error')) faulty++;
  }
  if (unchecked > 0) {
    output.line(
      shown`Only the structure was checked, because the server's node definitions aren't available.`,
    );
  }
  output.line(shown`Workflows checked: ${workflows}. With errors: ${faulty}.`);
  return faulty > 0 ? taskExit.failed : taskExit.done;
}
