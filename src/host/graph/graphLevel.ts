import type * as vscode from 'vscode';
import { Catalog } from '../../core/catalog/catalog';
import type { Drawing } from '../../core/drawing/drawing';
import {
  drawInside,
  drawnInputPlace,
  instancesWith,
  type LoadedDrawing,
  loadDrawing,
  outerId,
  outerInstances,
  subgraphInside,
} from '../../core/drawing/drawWorkflow';
import { findInLevels, type SearchedLevel, searchedLevels } from '../../core/drawing/findNodes';
import type { Room } from '../../core/drawing/layOutPrompt';
import type { JsonRange } from '../../core/json/node';
import { nodeAt } from '../../core/language/places/nodeAt';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { GraphRefusal } from '../../core/workflow/graph/graphProblem';
import { nodePlaceInText } from '../../core/workflow/promptPlaces';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { FromGraph, GraphCrumb, GraphFound } from '../../webview/contract/graphPanel';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { missingDefinitionsText } from '../catalogs/missingDefinitions';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import type { DrawnWorkflow } from './rowEdits';

export interface DrawnLevel extends DrawnWorkflow {
  readonly drawing: Drawing;
  /** Why something of it can't be drawn as in the ComfyUI editor. */
  readonly hint?: string | undefined;
}

/** The page that shows it. */
export interface LevelPanel {
  readonly isReady: () => boolean;
  /** Called when {@link ShownGraphLevel.draw} should be called soon. */
  readonly changed: () => void;
  /** @param isOther the page showed another level, or a problem */
  readonly show: (drawn: DrawnLevel, isOther: boolean) => void;
  readonly refuse: (message: string) => void;
}

const withoutDefinitions = Catalog.fromDefinitions({});

/** The level of a file's graph that a page shows: the root, or the inside of an instance. */
export class ShownGraphLevel {
  /** The ID of the instance; empty for the root. */
  #inside = '';
  #room: Room | undefined;
  #drawn: DrawnLevel | undefined;
  #last: DrawnLevel | undefined;
  #searched: { readonly loaded: LoadedDrawing; readonly levels: readonly SearchedLevel[] } | undefined;
  /** Counts what is drawn: what is ready after a newer one is dropped. */
  #turn = 0;
  /** The page is to show another level, where the node at the cursor isn't selected yet, or no problem any longer. */
  #isOther = false;
  /** The selected server was asked for its node definitions. */
  #isAsked = false;

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly definitions: Pick<NodeDefinitions, 'rules' | 'state' | 'ready'>,
    private readonly panel: LevelPanel,
  ) {
    const asked = (): void => {
      this.#isAsked = true;
      panel.changed();
    };
    void definitions.ready().then(asked, asked);
  }

  get drawn(): DrawnLevel | undefined {
    return this.#drawn;
  }

  /** The path from the root to what is drawn. @param name of the root */
  crumbs(name: string): readonly GraphCrumb[] {
    const outer = this.#drawn ? outerInstances(this.#drawn.loaded, this.#drawn.inside) : [];
    const inner = outer.map(({ inside, title }) => ({ inside, title: plainText(title) }));
    return [{ inside: '', title: name }, ...inner];
  }

  open(inside: string, room = this.#room): Promise<void> {
    [this.#inside, this.#room, this.#isOther] = [inside, room, true];
    return this.draw();
  }

  /** @param isAhead while the page loads, which then needs most of it only to be sent */
  async draw(isAhead = false): Promise<void> {
    const isWanted = (): boolean => this.panel.isReady() || isAhead;
    if (!isWanted()) return;
    const turn = ++this.#turn;
    const isLatest = (): boolean => turn === this.#turn && isWanted();
    try {
      const workflow = workflowIn(this.document);
      const problem = whyNotDrawn(workflow);
      if (problem !== undefined) {
        this.#refuse(problem);
        return;
      }
      const catalog = this.definitions.rules.catalog ?? withoutDefinitions;
      // A file that was merely saved.
      if (this.#isDrawn(workflow, catalog)) return;
      const loaded = loadDrawing(workflow, catalog);
      if (!loaded) return;
      const drawing = await drawInside(loaded, this.#inside, this.#last, this.#room);
      if (!isLatest()) return;
      if (!drawing) {
        // The instance is gone.
        this.#inside = '';
        await this.draw();
        return;
      }
      this.#last = { workflow, loaded, catalog, inside: this.#inside, drawing };
      if (this.panel.isReady()) this.#show(this.#last);
    } catch (error) {
      if (!isLatest() || !this.panel.isReady()) return;
      if (!(error instanceof GraphRefusal || error instanceof UserProblem)) throw error;
      this.#refuse(error.message);
    }
  }

  /** The nodes that an offset belongs to: several if it is in the subgraph of several. */
  nodesAt(offset: number): string[] {
    const at = this.#drawn && nodeAt(this.#drawn.workflow, offset);
    if (!at || !this.#drawn) return [];
    const { loaded, inside } = this.#drawn;
    if (at.subgraph === subgraphInside(loaded, inside)) return [outerId(inside, at.id)];
    if (at.subgraph === undefined) return [];
    return instancesWith(loaded, inside, at.subgraph).map((id) => outerId(inside, id));
  }

  placeOf(node: string, input: string | undefined): JsonRange | undefined {
    if (!this.#drawn) return undefined;
    const { workflow, loaded, inside } = this.#drawn;
    const place = input === undefined ? undefined : drawnInputPlace(loaded, workflow, inside, node, input);
    return place ?? nodePlaceInText(workflow, node);
  }

  /** Searches all levels, and opens that of what is found. */
  async find(
    { loaded, inside, drawing }: DrawnLevel,
    { text, from, by }: Extract<FromGraph, { readonly type: 'find' }>,
  ): Promise<GraphFound | undefined> {
    if (this.#searched?.loaded !== loaded) {
      const levels = await searchedLevels(loaded, async (each) =>
        each === inside ? drawing : drawInside(loaded, each),
      );
      this.#searched = { loaded, levels };
    }
    const found = findInLevels(this.#searched.levels, text, { inside: this.#inside, node: from }, by);
    if (found) await this.enter(found.inside);
    return found;
  }

  async enter(inside: string): Promise<void> {
    if (inside !== this.#inside) await this.open(inside);
  }

  #isDrawn(workflow: WorkflowDocument, catalog: Catalog): boolean {
    const last = this.#drawn;
    const isSame = !this.#isOther && last?.workflow === workflow && last.catalog === catalog;
    return isSame && this.#hintOf(last) === last.hint;
  }

  #hintOf({ loaded }: DrawnLevel): string | undefined {
    if (loaded.knowsTypes || !this.#isAsked) return undefined;
    return missingDefinitionsText(this.definitions.state);
  }

  #show(drawn: DrawnLevel): void {
    const isOther = this.#isOther;
    this.#isOther = false;
    this.#drawn = { ...drawn, hint: this.#hintOf(drawn) };
    this.panel.show(this.#drawn, isOther);
  }

  /** The page shows it until something is drawn again. */
  #refuse(message: string): void {
    this.#isOther = true;
    this.panel.refuse(message);
  }
}

/** Why a text has no graph to draw, in one sentence. */
function whyNotDrawn({ format, isWorkflow }: WorkflowDocument): string | undefined {
  if (format.kind === 'none') return format.message;
  return isWorkflow ? undefined : t`The file contains node definitions, not a workflow.`;
}
