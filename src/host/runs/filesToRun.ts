import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { documentsInSight, fileOfTab } from '../platform/activeDocument';
import { pickOne } from '../platform/show';
import { hasSource, isWorkflowDocument, uriName, commandSources } from '../platform/workflowSource';

/** From the walkthrough, no file is active, so an open one is meant, or else a sample. */
export async function filesToRun(
  args: readonly unknown[],
  extensionUri: vscode.Uri,
): Promise<readonly vscode.Uri[]> {
  if (hasSource(args)) return commandSources(args);
  const open = await pickOpenWorkflow();
  const file = open === 'none' ? await (await import('./sample')).openSample(extensionUri) : open;
  return file ? [file] : [];
}

async function pickOpenWorkflow(): Promise<vscode.Uri | 'none' | undefined> {
  const open = await openWorkflows();
  if (open.length === 0) return 'none';
  if (open.length === 1) return open[0];
  const rows = open.map((uri) => ({
    label: shown`${uriName(uri)}`,
    description: shown`${vscode.workspace.asRelativePath(uri)}`,
    uri,
  }));
  const picked = await pickOne(rows, {
    placeHolder: shown`Select one of the open workflow files`,
  });
  return picked?.uri;
}

async function openWorkflows(): Promise<readonly vscode.Uri[]> {
  const visible = documentsInSight().filter(isWorkflowDocument);
  if (visible.length > 0) return unique(visible.map(({ uri }) => uri));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const files = tabs.map(({ input }) => fileOfTab(input)).filter((uri) => uri !== undefined);
  const found: vscode.Uri[] = [];
  for (const uri of unique(files)) if (await isWorkflow(uri)) found.push(uri);
  return found;
}

async function isWorkflow(uri: vscode.Uri): Promise<boolean> {
  if (!/\.json$|^Untitled-/i.test(uriName(uri))) return false;
  try {
    return isWorkflowDocument(await vscode.workspace.openTextDocument(uri));
  } catch {
    return false;
  }
}

function unique(uris: readonly vscode.Uri[]): vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
