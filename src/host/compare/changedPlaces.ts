import * as vscode from 'vscode';
import type { WorkflowChange } from '../../core/diff/workflowDifferences';
import { rangeAt } from '../platform/editorRanges';
import { changedPlace } from './changedPlace';
import type { ComparedTexts } from './comparedTexts';
import type { WorkflowComparison } from './comparison';

/** Both texts side by side, in the same two editor groups for all changes. */
export class ChangedPlaces {
  #wanted: WorkflowChange | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param start the first editor group for them, by its number: what an editor says of its own comes late */
  constructor(
    private readonly comparison: WorkflowComparison,
    private readonly texts: ComparedTexts,
    private readonly start: () => vscode.ViewColumn,
  ) {}

  /** One after the other; requests that were overtaken are skipped. */
  show(change: WorkflowChange, preserveFocus: boolean): Promise<void> {
    this.#wanted = change;
    this.#last = this.#last
      .catch(() => undefined)
      .then(async () => {
        if (this.#wanted !== change) return;
        const column = this.start();
        const isShown = await this.#showSide('before', change, column, true);
        await this.#showSide('after', change, isShown ? columnToTheRight(column) : column, preserveFocus);
      });
    return this.#last;
  }

  /** @returns whether there is such a text */
  async #showSide(
    which: 'before' | 'after',
    change: WorkflowChange,
    viewColumn: vscode.ViewColumn,
    preserveFocus: boolean,
  ): Promise<boolean> {
    const { side, own } = this.comparison[which];
    const uri = side.uri(this.texts);
    if (!uri || !side.document) return false;
    const place = changedPlace(change, which, side.document, own());
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn,
      preserveFocus,
      preview: true,
    });
    if (!place) return true;
    // Lines and columns: an editor may hold the text with other line ends.
    const range = rangeAt(side.document.positions, place);
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }
}

/** The editor group after this one, if VS Code has so many. */
export function columnToTheRight(column: vscode.ViewColumn): vscode.ViewColumn {
  const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
  const columns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];
  return columns[columns.indexOf(column) + 1] ?? column;
}
