import * as vscode from 'vscode';
import type { JsonRange } from '../../core/json/node';
import type { Position, PositionIndex } from '../../core/json/position';
import type { TextEdit } from '../../core/json/textEdit';
import { shown } from '../../core/safety/shownText';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { columnOfText } from './activeDocument';
import { UserProblem } from './problems';
import { uriName } from './workflowSource';

/** Converts between core's offsets and the editor's positions. Both count UTF-16 units. */
export function rangeIn(document: vscode.TextDocument, { offset, length }: JsonRange): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Converts thousands of ranges, by the lines of that document version. */
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

export function workspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  change.set(
    document.uri,
    edits.map((edit) => editIn(document, edit)),
  );
  return change;
}

export async function applyChange(change: vscode.WorkspaceEdit, file: vscode.Uri): Promise<void> {
  if (!(await isReadonly(file)) && (await vscode.workspace.applyEdit(change))) return;
  throw new UserProblem(
    shown`${uriName(file)} couldn't be changed.`,
    shown`Check whether the file is read-only.`,
  );
}

/** VS Code refuses what is typed into such a file, but not an edit, which it even saves. */
async function isReadonly(file: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.fs.isWritableFileSystem(file.scheme) === false) return true;
  const document = await vscode.workspace.openTextDocument(file);
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const files = vscode.workspace.getConfiguration('files', file);
  const isIn = (setting: string): boolean =>
    Object.entries(files.get<Record<string, boolean>>(setting, {})).some(([glob, isOn]) => {
      const patterns = folder ? [glob, new vscode.RelativePattern(folder, glob)] : [glob];
      return isOn && patterns.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
    });
  return isIn('readonlyInclude') && !isIn('readonlyExclude');
}

const mostColumns = 60;

/** Shows a place in the text of a graph, beside the graph; unasked, only where that text is open already. */
export async function showBesideGraph(
  document: vscode.TextDocument,
  { positions, text }: Pick<WorkflowDocument, 'positions' | 'text'>,
  place: JsonRange,
  { graph, takesFocus }: { readonly graph: vscode.ViewColumn | undefined; readonly takesFocus: boolean },
): Promise<void> {
  const column = columnOfText(document.uri);
  const isBehind = column === undefined || column === graph;
  if (isBehind && !takesFocus) return;
  const { start, end } = rangeAt(positions, place);
  // Inside the quotes of a text: what is typed there doesn't break the file.
  const cursor = start.translate(0, takesFocus && text[place.offset] === '"' ? 1 : 0);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: isBehind ? vscode.ViewColumn.Beside : column,
    preserveFocus: !takesFocus,
    selection: new vscode.Range(cursor, cursor),
  });
  if (!takesFocus) editor.selection = new vscode.Selection(end, start);
  // The start of its line stays in view, unless the place is too far right.
  const from = start.character > mostColumns ? cursor : start.with({ character: 0 });
  editor.revealRange(new vscode.Range(from, cursor), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
