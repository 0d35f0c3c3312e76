import * as vscode from 'vscode';
import { prepareRename, renameNode } from '../../core/language/rename/rename';
import { workspaceEdit, rangeIn } from '../platform/editorRanges';
import type { WorkflowDocuments } from './workflowDocuments';

/** Renames node IDs with all their links. Why something can't be renamed is shown in the editor's own message. */
class RenameProvider implements vscode.RenameProvider {
  constructor(private readonly documents: WorkflowDocuments) {}

  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } | undefined {
    const workflow = this.documents.of(document);
    if (!workflow) return undefined;
    const target = prepareRename(workflow, document.offsetAt(position));
    return { range: rangeIn(document, target), placeholder: target.id };
  }

  provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): vscode.WorkspaceEdit | undefined {
    const workflow = this.documents.of(document);
    return workflow && workspaceEdit(document, renameNode(workflow, document.offsetAt(position), newName));
  }
}

/** The editor offers Rename in every file of a provider, so only open workflow files have one. */
export function registerRename(documents: WorkflowDocuments): vscode.Disposable {
  const provider = new RenameProvider(documents);
  let registered: vscode.Disposable | undefined;
  const register = (): void => {
    registered?.dispose();
    const filters = documents.filters();
    registered = filters.length > 0 ? vscode.languages.registerRenameProvider(filters, provider) : undefined;
  };
  register();
  const following = documents.onDidChangeSet(register);
  return new vscode.Disposable(() => {
    following.dispose();
    registered?.dispose();
  });
}
