import type * as vscode from 'vscode';
import { strictJson } from '../../core/json/strictJson';
import { textOfBytes } from '../../core/json/textOfBytes';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';

const read = new WeakMap<vscode.TextDocument, WorkflowDocument>();

/**
 * What a document holds as it stands now: one reading per version, for whoever asks. JSON with Comments is read as strict
 * JSON with everything at its place.
 */
export function workflowIn(document: vscode.TextDocument): WorkflowDocument {
  const known = read.get(document);
  if (known?.version === document.version) return known;
  const text = document.getText();
  const workflow = WorkflowDocument.of(mayHoldComments(document) ? strictJson(text) : text, document.version);
  read.set(document, workflow);
  return workflow;
}

/** The same of a file on the disk. */
export function workflowInFile(uri: vscode.Uri, bytes: Uint8Array): WorkflowDocument {
  const text = textOfBytes(bytes);
  return WorkflowDocument.of(uri.path.endsWith('.jsonc') ? strictJson(text) : text);
}

function mayHoldComments({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === 'jsonc' || (languageId !== 'json' && uri.path.endsWith('.jsonc'));
}
