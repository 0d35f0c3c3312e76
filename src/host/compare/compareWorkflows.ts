import * as vscode from 'vscode';
import { Catalog } from '../../core/catalog/catalog';
import { layoutShown } from '../../core/diff/differenceWords';
import { type Meaning, meaningOf } from '../../core/diff/meaning';
import { workflowDifferences } from '../../core/diff/workflowDifferences';
import { Shown, shown } from '../../core/safety/shownText';
import { GraphRefusal } from '../../core/workflow/graph/graphProblem';
import { customEditors } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { showInformation } from '../platform/show';
import { nameOf } from '../platform/workflowSource';
import { type ComparedSide, fileSide, pickSides, type RunWorkflows } from './comparedSide';
import type { SideMeaning } from './comparison';
import { listDifferences, type ListParts } from './differenceList';
import { isSameUri } from '../platform/sameUri';

export interface CompareParts extends Omit<ListParts, 'catalog'> {
  readonly runs: RunWorkflows;
  /** The workflow files of a menu, the active one, or one to select. */
  readonly sources: (args: readonly unknown[]) => Promise<readonly vscode.Uri[]>;
  /** The node definitions of the selected server, as far as they are known: they name the values of graphs. */
  readonly catalog: () => Promise<Catalog | undefined>;
}

/** Compares two files or runs, or one with another or a version of it that the user selects. */
export async function compareWorkflows(args: readonly unknown[], parts: CompareParts): Promise<void> {
  const { runs } = parts;
  const [file, other, third] = (await runs.recordsOf(args)) ?? (await filesOf(args, parts));
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
  if (sides) await compareSides(...sides, parts);
}

/** The files of a menu: of the Explorer, of an editor, or of Source Control; or the active ones, also of a record or a diff editor. */
async function filesOf(
  args: readonly unknown[],
  { runs, sources }: CompareParts,
): Promise<readonly vscode.Uri[]> {
  const changed = args.flatMap((arg) =>
    typeof arg === 'object' && arg !== null && 'resourceUri' in arg && arg.resourceUri instanceof vscode.Uri
      ? [arg.resourceUri]
      : [],
  );
  // The menu of Source Control is the same for all files.
  const wrong = changed.find((uri) => !/\.jsonc?$/i.test(uri.path) && !runs.isOfRun(uri));
  if (wrong) throw noWorkflow(nameOf(wrong));
  if (changed.length > 0) return changed;
  const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const ofDiff = active instanceof vscode.TabInputTextDiff ? [active.original, active.modified] : [];
  const [first, all] = args;
  const isOther = first instanceof vscode.Uri && !ofDiff.some((each) => isSameUri(each, first));
  if (ofDiff.length > 0 && !isOther && !Array.isArray(all)) return ofDiff;
  const isRecord = active instanceof vscode.TabInputCustom && active.viewType === customEditors.runRecord;
  return isRecord && !(first instanceof vscode.Uri) ? [active.uri] : sources(args);
}

async function compareSides(before: ComparedSide, after: ComparedSide, parts: CompareParts): Promise<void> {
  const catalog = (await parts.catalog()) ?? Catalog.fromDefinitions({});
  const asPrompt = [before, after].some(({ document }) => document?.isWorkflow && !document.graph);
  const comparison = {
    before: meaningOfSide(before, catalog, asPrompt),
    after: meaningOfSide(after, catalog, asPrompt),
  };
  const differences = workflowDifferences(comparison.before.compared, comparison.after.compared);
  if (differences.changes.length > 0) {
    listDifferences({ ...comparison, differences }, { ...parts, catalog });
    return;
  }
  const layout = layoutShown(differences);
  void showInformation(Shown.join([shown`Both workflows do the same thing.`, layout]));
}

function noWorkflow(name: string): UserProblem {
  return new UserProblem(shown`${name} contains no workflow.`, shown`Select a workflow file.`);
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
      return meaningOf(document, catalog, compiled);
    } catch (error) {
      if (!(error instanceof GraphRefusal)) throw error;
      throw new UserProblem(
        shown`${label} can't be read: ${error.problem.message}`,
        shown`Fix the workflow and try again.`,
      );
    }
  };
  const compared = meaning(asPrompt);
  // What a graph compiles to has no places in the file.
  return { side, compared, own: () => (asPrompt && document.graph ? meaning(false) : compared) };
}
