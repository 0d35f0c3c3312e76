import type * as vscode from 'vscode';
import { strictJson } from '../../core/json/strictJson';
import { textOfBytes } from '../../core/json/textOfBytes';

/** The text of a document as strict JSON, with everything at its place; in JSON with Comments those are blanks. */
export function strictTextOf(document: vscode.TextDocument): string {
  const text = document.getText();
  return mayHoldComments(document) ? strictJson(text) : text;
}

/** The same of a file on the disk. */
export function strictTextIn(uri: vscode.Uri, bytes: Uint8Array): string {
  const text = textOfBytes(bytes);
  return uri.path.endsWith('.jsonc') ? strictJson(text) : text;
}

function mayHoldComments({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === 'jsonc' || (languageId !== 'json' && uri.path.endsWith('.jsonc'));
}
