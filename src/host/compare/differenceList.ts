import * as vscode from 'vscode';
import { changeWords, differencesByNode, layoutShown, nodeName } from '../../core/diff/differenceWords';
import type { Meaning } from '../../core/diff/meaning';
import { normalForm } from '../../core/diff/normalForm';
import type { WorkflowChange, WorkflowDifferences } from '../../core/diff/workflowDifferences';
import { plural } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { defined } from '../platform/defined';
import { rangeAt } from '../platform/editorRanges';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import { type ListRow, LivePick } from '../platform/show';
import { changedPlace } from './changedPlace';
import type { ComparedSide } from './comparedSide';
import type { ComparedTexts } from './comparedTexts';

/** A side with what it means. */
export interface SideMeaning {
  readonly side: ComparedSide;
  readonly compared: Meaning;
  /** By itself, with the places in its text. */
  readonly own: () => Meaning;
}

export interface Comparison {
  readonly before: SideMeaning;
  readonly after: SideMeaning;
}

/** Changes that the list shows; all of them are in the diff editor. */
const mostListed = 1_000;

interface Row extends ListRow {
  readonly change?: WorkflowChange;
}

/**
 * Lists what differs, node by node. The active entry is shown in both texts, as *Go to Node* shows its node; the first
 * one opens the diff editor.
 */
export function listDifferences(
  comparison: Comparison,
  differences: WorkflowDifferences,
  { texts, log }: { readonly texts: ComparedTexts; readonly log: Log },
): void {
  const { before, after } = comparison;
  const title = shown`${before.side.label} ↔ ${after.side.label}`;
  const pick = new LivePick<Row>(title, shown`Select a change to see it in both files`, '');
  pick.picks = rowsOf(comparison, differences);
  const places = new ChangedPlaces(comparison, texts);
  const failed = (error: unknown): void => tellProblem(error, log);
  pick.onDidMove((row) => {
    if (row?.change) places.show(row.change, true).catch(failed);
  });
  pick.onDidAccept((row) => {
    pick.dispose();
    if (row?.change) places.show(row.change, false).catch(failed);
    else if (row) openDiff(comparison, title, texts).catch(failed);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function rowsOf({ before, after }: Comparison, differences: WorkflowDifferences): Row[] {
  const workflows = { before: before.compared, after: after.compared };
  const rest = differences.changes.length - mostListed;
  const unlisted = rest > 0 ? plural(rest, shown`1 more change.`, shown`${rest} more changes.`) : undefined;
  const diff = {
    label: shown`$(diff) Open Diff Editor`,
    description: Shown.join([shown`One value per line.`, unlisted, layoutShown(differences)]),
  };
  const byNode = differencesByNode(differences.changes.slice(0, mostListed)).flatMap(
    ({ node, sign, changes }): Row[] => {
      const named = node.after ?? node.before;
      const name = shown`${named ? nodeName(named) : ''}`;
      const [first] = changes;
      const heading = { label: name, isSeparator: true };
      if (sign === '+')
        return [heading, { label: shown`$(diff-added) Added`, description: name, ...of(first) }];
      if (sign === '-')
        return [heading, { label: shown`$(diff-removed) Removed`, description: name, ...of(first) }];
      const rows = changes.map((change) => ({
        label: shown`$(diff-modified) ${changeWords(change, workflows) ?? ''}`,
        change,
      }));
      return [heading, ...rows];
    },
  );
  return [diff, ...byNode];
}

function of(change: WorkflowChange | undefined): { readonly change?: WorkflowChange } {
  return defined({ change });
}

/** Both texts side by side, in the same two editor groups for all changes. */
class ChangedPlaces {
  readonly #comparison: Comparison;
  readonly #texts: ComparedTexts;
  readonly #columns: { before?: vscode.ViewColumn | undefined; after?: vscode.ViewColumn | undefined } = {};
  #wanted: WorkflowChange | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(comparison: Comparison, texts: ComparedTexts) {
    this.#comparison = comparison;
    this.#texts = texts;
  }

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
    const { side, own } = this.#comparison[which];
    const uri = side.uri(this.#texts);
    if (!uri || !side.document) return;
    const place = changedPlace(change, which, side.document, own());
    const hasOther = which === 'after' && this.#columns.before !== undefined;
    const viewColumn =
      this.#columns[which] ?? (hasOther ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn,
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

/** VS Code's diff editor, with both workflows in normal form. */
async function openDiff({ before, after }: Comparison, title: Shown, texts: ComparedTexts): Promise<void> {
  const [left, right] = [before, after].map(({ side, compared }) =>
    texts.show(undefined, `${side.label}.txt`, normalForm(compared)),
  );
  await vscode.commands.executeCommand('vscode.diff', left, right, title.line());
}
