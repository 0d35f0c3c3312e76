import * as vscode from 'vscode';
import type * as z from 'zod';
import { entryAt } from '../../core/safety/lists';
import type { Catalog } from '../../core/catalog/catalog';
import {
  drawDifferences,
  type LoadedVersions,
  placedSide,
  drawnSide,
} from '../../core/drawing/drawDifferences';
import { loadDrawing, outerInstances } from '../../core/drawing/drawWorkflow';
import type { Drawing } from '../../core/drawing/drawing';
import { findInLevels, type SearchedLevel, searchedLevels } from '../../core/drawing/findNodes';
import type { Room } from '../../core/drawing/layOutPrompt';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { lookMessages, type ToGraph } from '../../webview/contract/graphPanel';
import { webviewPanels } from '../platform/contributions';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import { ChangedPlaces, columnToTheRight } from './changedPlaces';
import type { ComparedTexts } from './comparedTexts';
import { type WorkflowComparison, comparisonTitle } from './comparison';

type FromPage = z.infer<typeof lookMessages>;

/**
 * Opens both versions in one drawing, which stays as it is.
 * @param whyMissing why names and sizes are missing where there is no definition
 */
export function showDifferenceGraph(
  comparison: WorkflowComparison,
  platform: Platform,
  texts: ComparedTexts,
  catalog: Catalog,
  whyMissing: string,
): void {
  const panel = vscode.window.createWebviewPanel(
    webviewPanels.differences,
    t`Graph`,
    { viewColumn: vscode.ViewColumn.Active },
    { enableScripts: true, localResourceRoots: [] },
  );
  new DifferenceGraph(panel, platform, comparison, texts, catalog, whyMissing);
}

class DifferenceGraph extends Panel<FromPage, ToGraph> {
  readonly #loaded: LoadedVersions;
  readonly #places: ChangedPlaces;
  /** Undefined if the names and sizes of node types are known. */
  readonly #hint: string | undefined;
  /** The ID of the instance whose inside is shown; empty for the root. */
  #inside = '';
  #room: Room | undefined;
  #levels: Promise<readonly SearchedLevel[]> | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    platform: Platform,
    private readonly comparison: WorkflowComparison,
    texts: ComparedTexts,
    catalog: Catalog,
    whyMissing: string,
  ) {
    super(panel, platform, {
      title: t`Graph`,
      name: 'graph',
      allows: { 'font-src': panel.webview.cspSource },
      messages: lookMessages,
      folders: [],
      bodyClass: 'graph-page differences',
    });
    const [before, after] = [comparison.before, comparison.after].map(
      ({ side: { document } }) => document && loadDrawing(document, catalog),
    );
    this.#loaded = { before, after };
    this.#hint = catalog.size > 0 ? undefined : whyMissing;
    // The texts must not cover the graph.
    this.#places = new ChangedPlaces(comparison, texts, () =>
      columnToTheRight(panel.viewColumn ?? vscode.ViewColumn.One),
    );
    this.setTitle(comparisonTitle(comparison));
  }

  protected override receive(message: FromPage): unknown {
    if (message.type === 'goTo') return this.#goTo(message.node, message.input, message.takesFocus);
    if (message.type === 'find') return this.#find(message);
    if (message.type === 'ready') this.#room = message.room;
    return this.#draw(message.inside);
  }

  #drawn(inside: string): Promise<Drawing | undefined> {
    const { before, after, differences } = this.comparison;
    const workflows = { before: before.compared, after: after.compared };
    return drawDifferences(this.#loaded, { differences, workflows }, inside, this.#room);
  }

  async #find({ text, from, by }: Extract<FromPage, { readonly type: 'find' }>): Promise<void> {
    const placed = this.#loaded[placedSide(this.#loaded)];
    if (!placed) return;
    const levels = await (this.#levels ??= searchedLevels(placed, (inside) => this.#drawn(inside)));
    const found = findInLevels(levels, text, { inside: this.#inside, node: from }, by);
    if (found && found.inside !== this.#inside) await this.#draw(found.inside);
    this.post({ type: 'found', text, found: found ?? null });
  }

  async #draw(inside: string): Promise<void> {
    this.#inside = inside;
    const drawing = await this.#drawn(inside);
    // Another level was asked for while this one was laid out.
    if (inside !== this.#inside || !drawing) return;
    const placed = this.#loaded[placedSide(this.#loaded)];
    const outer = placed ? outerInstances(placed, inside) : [];
    const crumbs = outer.map((each) => ({ ...each, title: plainText(each.title) }));
    const root = { inside: '', title: comparisonTitle(this.comparison).line() };
    this.post({ type: 'draw', drawing, crumbs: [root, ...crumbs], hint: this.#hint });
  }

  /** The place of a difference in both texts: of the first one inside an instance; of a node that is the same. */
  async #goTo(drawn: string, input: string | undefined, takesFocus: boolean): Promise<void> {
    const [side, id] = drawnSide(drawn, placedSide(this.#loaded));
    const { before, after, differences } = this.comparison;
    const own = differences.changes.filter(({ node }) => {
      const found = node[side]?.id;
      return found === id || found?.startsWith(`${id}:`) === true;
    });
    const wanted = own.find((change) => 'input' in change && change.input === input) ?? own[0];
    const { matches } = differences;
    const earlier = side === 'before' ? id : Array.from(matches).find(([, later]) => later === id)?.[0];
    const node = {
      before: entryAt(before.compared, earlier),
      after: after.compared.get(side === 'after' ? id : (matches.get(id) ?? '')),
    };
    if (!wanted && !node.before && !node.after) return;
    await this.#places.show(wanted ?? { kind: 'added', node }, !takesFocus);
  }
}
