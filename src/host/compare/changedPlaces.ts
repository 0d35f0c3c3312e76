import * as vscode from 'vscode';
import type { WorkflowChange } from '../../core/diff/workflowDifferences';
import { rangeAt } from '../platform/editorRanges';
import { changedPlace } from './changedPlace';
import type { ComparedTexts } from './comparedTexts';
import type { Comparison } from './comparison';

/** Both texts side by side, in the same two editor groups for all changes. */
export class ChangedPlaces {
  readonly #columns: { before?: vscode.ViewColumn | undefined; after?: vscode.ViewColumn | undefined } = {};
  #wanted: WorkflowChange | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param start the first editor group for them */
  constructor(
    private readonly comparison: Comparison,
    private readonly texts: ComparedTexts,
    private readonly start: () => vscode.ViewColumn = () => vscode.ViewColumn.Active,
  ) {}

  /** One after the other; those that were passed by are left out. */
  show(change: WorkflowChange, preserveFocus: boolean): Promise<void> {
    this.#wanted = change;
    this.#last = this.#last
      .catch(() => undefined)
      .then(async () => {
        if (this.#wanted !== change) return;
        await this.#showSide('before', change, true);
        await this.#showSide('after', change, preserveFocus);
      });
    return this.#last;
  }

  async #showSide(which: 'before' | 'after', change: WorkflowChange, preserveFocus: boolean): Promise<void> {
    const { side, own } = this.comparison[which];
    const uri = side.uri(this.texts);
    if (!uri || !side.document) return;
    const place = changedPlace(change, which, side.document, own());
    const { before } = this.#columns;
    const beside = which === 'after' && before !== undefined ? rightOf(before) : undefined;
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: this.#columns[which] ?? beside ?? this.start(),
      preserveFocus,
      preview: true,
    });
    this.#columns[which] = editor.viewColumn;
    if (!place) return;
    // Lines and columns: an editor may hold the text with other line ends.
    const range = rangeAt(side.document.positions, place);
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The editor group after this one, if VS Code has so many. */
export function rightOf(column: vscode.ViewColumn): vscode.ViewColumn {
  const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
  const columns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];
  return columns[columns.indexOf(column) + 1] ?? column;
}
