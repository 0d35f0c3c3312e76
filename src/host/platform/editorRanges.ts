import * as vscode from 'vscode';
import type { JsonRange } from '../../core/json/node';
import type { Position, PositionIndex } from '../../core/json/position';
import type { TextEdit } from '../../core/json/textEdit';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from './problems';
import { nameOf } from './workflowSource';

/** Converts between core's offsets and the editor's positions. Both count UTF-16 units. */
export function rangeIn(document: vscode.TextDocument, { offset, length }: JsonRange): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** The same for thousands of positions, using the lines of that document version. */
export function rangeAt(positions: PositionIndex, { offset, length }: JsonRange): vscode.Range {
  return new vscode.Range(
    positionOf(positions.positionAt(offset)),
    positionOf(positions.positionAt(offset + length)),
  );
}

function positionOf({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
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

/** Changes a file as an edit says, without saving it. */
export async function applyChange(change: vscode.WorkspaceEdit, file: vscode.Uri): Promise<void> {
  if (await vscode.workspace.applyEdit(change)) return;
  throw new UserProblem(
    shown`${nameOf(file)} couldn't be changed.`,
    shown`Check whether the file is read-only.`,
  );
}
