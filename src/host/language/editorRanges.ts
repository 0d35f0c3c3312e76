import * as vscode from 'vscode';
import type { JsonRange } from '../../core/json/node';
import type { TextEdit } from '../../core/json/textEdit';

/** The one place where offsets of the core and positions of the editor meet. Both count UTF-16 units. */
export function rangeIn(document: vscode.TextDocument, { offset, length }: JsonRange): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

export function offsetsIn(document: vscode.TextDocument, range: vscode.Range): JsonRange {
  const offset = document.offsetAt(range.start);
  return { offset, length: document.offsetAt(range.end) - offset };
}

export function editIn(document: vscode.TextDocument, edit: TextEdit): vscode.TextEdit {
  return vscode.TextEdit.replace(rangeIn(document, edit), edit.newText);
}

export function changeOf(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  change.set(
    document.uri,
    edits.map((edit) => editIn(document, edit)),
  );
  return change;
}
