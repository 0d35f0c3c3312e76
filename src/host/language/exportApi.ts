import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { uriName } from '../platform/workflowSource';
import { mayLose, type PromptDocuments } from './promptDocuments';
import { openFile, openText } from '../platform/openFile';
import { showInformation } from '../platform/show';

/** Saves the prompt of a workflow file where the user chooses. */
export async function exportApi(prompts: PromptDocuments, source: vscode.Uri): Promise<void> {
  const { text, losses } = await prompts.promptOf(source);
  if (!(await mayLose(uriName(source), losses, shown`Export Anyway`))) return;
  const name = uriName(source).replace(/\.jsonc?$/i, '');
  const folder = source.scheme === 'untitled' ? vscode.workspace.workspaceFolders?.[0]?.uri : undefined;
  const beside = folder ?? vscode.Uri.joinPath(source, '..');
  const target = await vscode.window.showSaveDialog({
    title: t`Export in API Format`,
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(beside, `${name}-api.json`),
    filters: { JSON: ['json'] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = { label: shown`Open` };
  void showInformation(shown`Exported to ${uriName(target)}.`, open).then((chosen) => {
    if (chosen) void openFile(target);
  });
}

/** Opens the prompt of a graph file as a new document. */
export async function openConvertedPrompt(prompts: PromptDocuments, source: vscode.Uri): Promise<void> {
  const { text: content, losses } = await prompts.promptOf(source);
  if (!(await mayLose(uriName(source), losses, shown`Convert Anyway`))) return;
  await openText(content);
}
