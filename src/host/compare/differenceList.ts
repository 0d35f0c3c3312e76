import * as vscode from 'vscode';
import { changeWords, differencesByNode, layoutShown, nodeName } from '../../core/diff/differenceWords';
import { normalForm } from '../../core/diff/normalForm';
import type { WorkflowChange } from '../../core/diff/workflowDifferences';
import { plural } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { defined } from '../platform/defined';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import { type ListRow, LivePick } from '../platform/show';
import { ChangedPlaces } from './changedPlaces';
import type { ComparedTexts } from './comparedTexts';
import { type Comparison, titleOf } from './comparison';
import type { DifferenceGraphParts } from './differenceGraph';

/** Changes that the list shows; all of them are in the diff editor. */
const mostListed = 1_000;

interface Row extends ListRow {
  readonly change?: WorkflowChange;
  readonly open?: () => Promise<void>;
}

export interface ListParts extends Omit<DifferenceGraphParts, 'onError'> {
  readonly log: Log;
}

/**
 * Lists what differs, node by node. The active entry is shown in both texts, as *Go to Node* shows its node; the first
 * ones open the diff editor and the graph.
 */
export function listDifferences(comparison: Comparison, { log, ...parts }: ListParts): void {
  const pick = new LivePick<Row>(titleOf(comparison), shown`Select a change to see it in both files`, '');
  const failed = (error: unknown): void => tellProblem(error, log);
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const places = new ChangedPlaces(comparison, parts.texts, () => viewColumn);
  pick.picks = [
    {
      ...diffRow(comparison),
      open: () => openDiff(comparison, parts.texts),
    },
    {
      label: shown`$(type-hierarchy) Show Graph`,
      description: shown`Both workflows in one graph, with the changes in color.`,
      open: async () => {
        const { showDifferenceGraph } = await import('./differenceGraph');
        showDifferenceGraph(comparison, { ...parts, onError: failed });
      },
    },
    ...changeRows(comparison),
  ];
  pick.onDidMove((row) => {
    if (row?.change) places.show(row.change, true).catch(failed);
  });
  pick.onDidAccept((row) => {
    pick.dispose();
    if (row?.change) places.show(row.change, false).catch(failed);
    else row?.open?.().catch(failed);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function diffRow({ differences }: Comparison): Row {
  const rest = differences.changes.length - mostListed;
  const unlisted = rest > 0 ? plural(rest, shown`1 more change.`, shown`${rest} more changes.`) : undefined;
  return {
    label: shown`$(diff) Open Diff Editor`,
    description: Shown.join([shown`One value per line.`, unlisted, layoutShown(differences)]),
  };
}

function changeRows({ before, after, differences }: Comparison): Row[] {
  const workflows = { before: before.compared, after: after.compared };
  return differencesByNode(differences.changes.slice(0, mostListed)).flatMap(
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
}

function of(change: WorkflowChange | undefined): { readonly change?: WorkflowChange } {
  return defined({ change });
}

/** VS Code's diff editor, with both workflows in normal form. */
async function openDiff(comparison: Comparison, texts: ComparedTexts): Promise<void> {
  const { before, after } = comparison;
  const [left, right] = [before, after].map(({ side, compared }) =>
    texts.show(undefined, `${side.label}.txt`, normalForm(compared)),
  );
  await vscode.commands.executeCommand('vscode.diff', left, right, titleOf(comparison).line());
}
