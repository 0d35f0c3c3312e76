import type * as vscode from 'vscode';
import { textOfBytes } from '../../core/json/textOfBytes';
import { strictJson } from '../../core/json/tree';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';

const read = new WeakMap<vscode.TextDocument, WorkflowDocument>();

/** Parses each version once. JSON with Comments is read as strict JSON with the same offsets. */
export function workflowIn(document: vscode.TextDocument): WorkflowDocument {
  const known = read.get(document);
  if (known?.version === document.version) return known;
  const text = document.getText();
  const workflow = WorkflowDocument.of(mayHoldComments(document) ? strictJson(text) : text, document.version);
  read.set(document, workflow);
  return workflow;
}

export function workflowInFile(uri: vscode.Uri, bytes: Uint8Array): WorkflowDocument {
  const text = textOfBytes(bytes);
  return WorkflowDocument.of(uri.path.endsWith('.jsonc') ? strictJson(text) : text);
}

function mayHoldComments({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === 'jsonc' || (languageId !== 'json' && uri.path.endsWith('.jsonc'));
}
