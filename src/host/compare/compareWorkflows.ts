import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Catalog } from '../../core/catalog/catalog';
import {
  layoutShown,
  workflowChangeText,
  differencesByNode,
  meantNodeName,
} from '../../core/diff/differenceWords';
import { type Meaning, workflowMeaning } from '../../core/diff/meaning';
import { workflowDifferences, type WorkflowChange } from '../../core/diff/workflowDifferences';
import { t } from '../../core/safety/localize';
import { startOfSentence } from '../../core/safety/endSentence';
import { Shown, shown } from '../../core/safety/shownText';
import { GraphRefusal } from '../../core/workflow/graph/graphProblem';
import { customEditors } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { showInformation, type ListRow, LivePick } from '../platform/show';
import { uriName } from '../platform/workflowSource';
import { type ComparedSide, fileSide, pickSides, type RunWorkflows } from './comparedSide';
import { type SideMeaning, type WorkflowComparison, comparisonTitle } from './comparison';
import { isSameUri } from '../platform/sameUri';
import { normalForm } from '../../core/diff/normalForm';
import { definedFields } from '../platform/defined';
import { missingDefinitionsText } from '../catalogs/missingDefinitions';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { ChangedPlaces } from './changedPlaces';
import type { ComparedTexts } from './comparedTexts';

/** Changes that the list shows; all of them are in the diff editor. */
const mostListed = 1_000;

interface Row extends ListRow {
  readonly change?: WorkflowChange;
  readonly open?: () => Promise<void>;
}

/** A comparison waits this long for node definitions (ms). */
const longestCatalogWait = 1_500;

/** Compares two files or runs, or one with another or a version of it that the user selects. */
export class CompareCommand {
  constructor(
    private readonly platform: Platform,
    private readonly definitions: NodeDefinitions,
    private readonly texts: ComparedTexts,
    private readonly runs: RunWorkflows,
  ) {}

  async compare(args: readonly unknown[]): Promise<void> {
    const { runs } = this;
    const [file, other, third] = (await runs.recordsOf(args)) ?? (await this.#filesOf(args));
    if (!file) return;
    if (third) {
      throw new UserProblem(
        shown`More than two files are selected.`,
        shown`Select one or two workflow files, then try again.`,
      );
    }
    const sides = other
      ? ([await fileSide(file, runs), await fileSide(other, runs)] as const)
      : await pickSides(file, runs);
    if (sides) await this.#compareSides(...sides);
  }

  /** The files of a menu: of the Explorer, of an editor, or of Source Control; or the active ones, also of a record or a diff editor. */
  async #filesOf(args: readonly unknown[]): Promise<readonly vscode.Uri[]> {
    const changed = args.flatMap((arg) =>
      typeof arg === 'object' && arg !== null && 'resourceUri' in arg && arg.resourceUri instanceof vscode.Uri
        ? [arg.resourceUri]
        : [],
    );
    // The menu of Source Control is the same for all files.
    const wrong = changed.find((uri) => !/\.jsonc?$/i.test(uri.path) && !this.runs.isOfRun(uri));
    if (wrong) throw noWorkflow(uriName(wrong));
    if (changed.length > 0) return changed;
    const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const ofDiff = active instanceof vscode.TabInputTextDiff ? [active.original, active.modified] : [];
    const [first, all] = args;
    const isOther = first instanceof vscode.Uri && !ofDiff.some((each) => isSameUri(each, first));
    if (ofDiff.length > 0 && !isOther && !Array.isArray(all)) return ofDiff;
    const isRecord = active instanceof vscode.TabInputCustom && active.viewType === customEditors.runRecord;
    if (isRecord && !(first instanceof vscode.Uri)) return [active.uri];
    return (await import('../runs/filesToRun')).filesToRun(args, this.platform.extensionUri);
  }

  async #compareSides(before: ComparedSide, after: ComparedSide): Promise<void> {
    const { definitions } = this;
    // They name the values of graphs, as far as they are known.
    await Promise.race([definitions.ready().catch(() => undefined), setTimeout(longestCatalogWait)]);
    const catalog = definitions.rules.catalog ?? Catalog.fromDefinitions({});
    const asPrompt = [before, after].some(({ document }) => document?.isWorkflow && !document.graph);
    const comparison = {
      before: meaningOfSide(before, catalog, asPrompt),
      after: meaningOfSide(after, catalog, asPrompt),
    };
    const differences = workflowDifferences(comparison.before.compared, comparison.after.compared);
    if (differences.changes.length > 0) {
      this.#listDifferences({ ...comparison, differences }, catalog);
      return;
    }
    const layout = layoutShown(differences);
    void showInformation(Shown.join([shown`Both workflows do the same thing.`, layout]));
  }

  /**
   * Lists what differs, node by node. The active entry is shown in both texts, as *Go to Node* shows its node; the first
   * ones open the diff editor and the graph.
   */
  #listDifferences(comparison: WorkflowComparison, catalog: Catalog): void {
    const { texts, platform } = this;
    const { onError } = platform;
    const whyMissing = missingDefinitionsText(this.definitions.state);
    const pick = new LivePick<Row>(
      comparisonTitle(comparison),
      shown`Select a change to see it in both files`,
      '',
    );
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    const places = new ChangedPlaces(comparison, texts, () => viewColumn);
    pick.picks = [
      { ...diffRow(comparison), open: () => openDiff(comparison, texts) },
      {
        label: shown`$(type-hierarchy) Show Graph`,
        description: shown`Both workflows in one graph, with the changes in color.`,
        open: async () => {
          const { showDifferenceGraph } = await import('./differenceGraph');
          showDifferenceGraph(comparison, platform, texts, catalog, whyMissing);
        },
      },
      ...changeRows(comparison),
    ];
    pick.onDidMove((row) => {
      if (row?.change) places.show(row.change, true).catch(onError);
    });
    pick.onDidAccept((row) => {
      pick.dispose();
      if (row?.change) places.show(row.change, false).catch(onError);
      else row?.open?.().catch(onError);
    });
    pick.onDidHide(() => pick.dispose());
    pick.show();
  }
}

function diffRow({ differences }: WorkflowComparison): Row {
  const rest = differences.changes.length - mostListed;
  const unlisted = rest > 0 ? shown`… and ${rest} more` : undefined;
  return {
    label: shown`$(diff) Open Diff Editor`,
    description: Shown.join([shown`One value per line.`, unlisted, layoutShown(differences)]),
  };
}

function changeRows({ before, after, differences }: WorkflowComparison): Row[] {
  const workflows = { before: before.compared, after: after.compared };
  return differencesByNode(differences.changes.slice(0, mostListed)).flatMap(
    ({ node, sign, changes }): Row[] => {
      const named = node.after ?? node.before;
      const name = shown`${named ? meantNodeName(named) : ''}`;
      const [first] = changes;
      const heading = { label: name, isSeparator: true };
      if (sign === '+')
        return [
          heading,
          { label: shown`$(diff-added) ${startOfSentence(t`added`)}`, description: name, ...of(first) },
        ];
      if (sign === '-')
        return [
          heading,
          { label: shown`$(diff-removed) ${startOfSentence(t`removed`)}`, description: name, ...of(first) },
        ];
      const rows = changes.map((change) => ({
        label: shown`$(diff-modified) ${workflowChangeText(change, workflows) ?? ''}`,
        change,
      }));
      return [heading, ...rows];
    },
  );
}

function of(change: WorkflowChange | undefined): { readonly change?: WorkflowChange } {
  return definedFields({ change });
}

/** VS Code's diff editor, with both workflows in normal form. */
async function openDiff(comparison: WorkflowComparison, texts: ComparedTexts): Promise<void> {
  const { before, after } = comparison;
  const [left, right] = [before, after].map(({ side, compared }) =>
    texts.show(undefined, `${side.label}.txt`, normalForm(compared)),
  );
  await vscode.commands.executeCommand('vscode.diff', left, right, comparisonTitle(comparison).line());
}

function noWorkflow(name: string): UserProblem {
  return new UserProblem(shown`${name} contains no workflow.`, shown`Choose another file.`);
}

/** @param asPrompt the other one is a prompt, which has no muted nodes, notes and groups */
function meaningOfSide(side: ComparedSide, catalog: Catalog, asPrompt: boolean): SideMeaning {
  const { document, label } = side;
  if (!document) return { side, compared: new Map(), own: () => new Map() };
  if (!document.isWorkflow || document.format.kind === 'none') {
    throw noWorkflow(label);
  }
  const meaning = (compiled: boolean): Meaning => {
    try {
      return workflowMeaning(document, catalog, compiled);
    } catch (error) {
      if (!(error instanceof GraphRefusal)) throw error;
      throw new UserProblem(
        shown`${label} can't be read: ${error.problem.message}`,
        shown`Fix the workflow, then run again.`,
      );
    }
  };
  const compared = meaning(asPrompt);
  // The prompt that a graph compiles to has no places in the file.
  return { side, compared, own: () => (asPrompt && document.graph ? meaning(false) : compared) };
}
