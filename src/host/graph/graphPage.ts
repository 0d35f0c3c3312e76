import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { changedDrawing } from '../../core/drawing/changedDrawing';
import { type Drawing, emptyDrawing } from '../../core/drawing/drawing';
import type { DrawnNode } from '../../core/drawing/drawnNode';
import type { RowOrigin } from '../../core/drawing/placedRow';
import { t } from '../../core/safety/localize';
import { nodePlaceInText } from '../../core/workflow/promptPlaces';
import { pageActs } from '../../webview/contract/constants';
import {
  type FromGraph,
  type GraphAct,
  graphMessages,
  menuPlace,
  type PageAct,
  type ToGraph,
} from '../../webview/contract/graphPanel';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands } from '../platform/contributions';
import { keepSelectedPlace } from '../platform/activeDocument';
import { showBesideGraph } from '../platform/editorRanges';
import { openFile, revealFile } from '../platform/openFile';
import { Panel, type PanelPlatform } from '../platform/panel';
import { problemText, UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { versionedName } from '../platform/versionedName';
import { listLocalMedia } from '../runs/findLocalMedia';
import type { WindowRuns } from '../runs/windowRuns';
import { FindingFixes, documentFindings, type FoundFinding } from './findingFixes';
import { type DrawnLevel, ShownGraphLevel } from './graphLevel';
import { type MediaRow, findMediaRow, NodeImages } from './nodeImages';
import { type ChosenRun, ShownRun } from './shownRun';
import { type DrawnWorkflow, ElsewhereProblem, RowEdits, type RowOfNode } from './rowEdits';

/** The graph is drawn again at most this often (ms). */
const redrawEvery = 100;

export type GraphDefinitions = Pick<
  NodeDefinitions,
  'rules' | 'state' | 'ready' | 'onDidChange' | 'onDidChangeRules'
>;

function isPageAct(act: GraphAct | PageAct): act is PageAct {
  return pageActs.some((each) => each === act);
}

const modes = { mute: 'muted', bypass: 'bypassed', unmute: 'always', removeBypass: 'always' } as const;

/** The graph of a workflow's text, in an editor. It follows the text, the node definitions, the findings and the runs. */
export class GraphPage extends Panel<FromGraph, ToGraph> {
  readonly #fixes: FindingFixes;
  readonly #edits: RowEdits;
  readonly #images: NodeImages;
  readonly #level: ShownGraphLevel;
  #sent: Drawing = emptyDrawing;
  readonly #run: ShownRun;
  readonly #showRun: () => void;
  readonly #column: () => vscode.ViewColumn | undefined;
  #selected: string | undefined;
  /** The place where the last refused change can be made. */
  #origin: RowOrigin | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    private readonly document: vscode.TextDocument,
    platform: PanelPlatform,
    definitions: GraphDefinitions,
    runs: WindowRuns,
  ) {
    const { uri: file } = document;
    const { cspSource } = panel.webview;
    const workspace = vscode.workspace.getWorkspaceFolder(file);
    // Includes the images that its inputs name.
    const own = workspace ? [workspace.uri] : [];
    const run = new ShownRun(file, runs, {
      isVisible: () => this.isVisible,
      post: (message) => this.post(message),
      address: (output) => this.address(output),
      allow: (folders) => this.allow([...folders, ...own]),
      changed: () => this.#showRun(),
    });
    super(panel, platform, {
      title: t`Graph`,
      name: 'graph',
      // Images are read to be copied.
      allows: { 'font-src': cspSource, 'img-src': `${cspSource} blob:`, 'connect-src': cspSource },
      messages: graphMessages,
      folders: [...run.folders, ...own],
      bodyClass: 'graph-page',
    });
    this.#column = () => panel.viewColumn;
    this.#fixes = new FindingFixes(document);
    this.#run = run;
    this.#images = new NodeImages(file, runs.servers, definitions);
    this.#edits = new RowEdits(document, async (kind) => [...(await listLocalMedia(file, kind)).keys()]);
    const isOurs = (uri: vscode.Uri): boolean => uri.toString() === file.toString();
    const draw = this.paced(redrawEvery, () => this.#level.draw());
    this.#level = new ShownGraphLevel(document, definitions, {
      isReady: () => this.isReady,
      changed: draw,
      show: (drawn, isOther) => this.#show(drawn, isOther),
      refuse: (message) => this.post({ type: 'problem', message }),
    });
    const find = this.paced(redrawEvery, () => this.#showFindings());
    const select = this.paced(redrawEvery, () => this.#select());
    this.#showRun = this.paced(redrawEvery, () => run.show());
    this.own(
      keepSelectedPlace(document, () => this.#selectedPlace()),
      run,
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) draw();
      }),
      // A document whose language changed is read in another way.
      vscode.workspace.onDidOpenTextDocument((opened) => {
        if (opened === document) draw();
      }),
      definitions.onDidChangeRules(draw),
      definitions.onDidChange(() => {
        // The page says why definitions are missing.
        if (this.#level.drawn?.loaded.knowsTypes === false) draw();
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some(isOurs)) find();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document === document) select();
      }),
    );
    void this.#level.draw(true);
  }

  protected override receive(message: FromGraph): unknown {
    switch (message.type) {
      case 'ready':
        this.#sent = emptyDrawing;
        this.#run.restart();
        return this.#level.open(message.inside, message.room);
      case 'open':
        this.#run.restart();
        return this.#level.open(message.inside);
      case 'act':
        return this.#act(message.act, message.node, message.row);
      case 'goTo':
        return this.#goTo(message.node, message.input, message.takesFocus);
      case 'find':
        return this.#find(message);
      case 'findFixes':
        return this.#findFixes(message.node);
      case 'fix':
        return this.#fixes.apply(message.id);
      case 'findImage':
        return this.#images.fetch(message.node).then((found) => found && this.post(found));
      case 'useImage':
        return this.#setFile(message.node, (row) => this.#images.nameGiven(message.file, row));
      case 'selected':
        this.#selected = message.node;
        return;
      case 'save':
        return this.#edits.made().then(() => this.document.save());
      case 'goToOrigin':
        return this.#origin && this.#bring(this.#origin);
      case 'run':
        return this.#edits.made().then(() => vscode.commands.executeCommand(commands.run, this.document.uri));
      case 'framePainted':
        this.#run.painted(message.serial);
        return;
      case 'openRun':
        return this.#run.open();
      case 'hideRun':
        this.#run.hide();
        return;
      case 'change':
        return this.#orRefusal(
          message,
          this.#level.drawn && this.#edits.change(this.#level.drawn, message, message.from, message.to),
        );
      case 'step':
        return this.#orRefusal(message, this.#step(message, message.by));
    }
  }

  /** Does what a menu says. @param context what the page says of the place of the menu */
  act(act: GraphAct | PageAct, context: unknown): unknown {
    const { node = this.#selected, row } = menuPlace.parse(context ?? {});
    if (!isPageAct(act)) return node === undefined ? undefined : this.#act(act, node, row);
    this.post({ type: 'act', act, node });
    return undefined;
  }

  #act(act: GraphAct, node: string, row: string | undefined): unknown {
    const drawn = this.#level.drawn;
    if (!drawn) return undefined;
    const at = { node, input: row ?? '' };
    switch (act) {
      case 'edit':
        return this.#orRefusal(at, this.#edit(at));
      case 'resetValue':
        return this.#orRefusal(at, this.#edits.reset(drawn, at));
      case 'goToText':
        return this.#goTo(node, row, true);
      case 'mute':
      case 'bypass':
      case 'unmute':
      case 'removeBypass':
        return this.#edits.setMode(drawn, node, modes[act]);
      case 'newSeed':
        return this.#edits.newSeeds(drawn, node);
      case 'openSubgraph':
        return this.#level.open(node);
      case 'openImage':
      case 'revealImage': {
        const file = this.#run.pictureFile(node) ?? this.#images.fileOf(node);
        return file && (act === 'openImage' ? openFile(file) : revealFile(file));
      }
    }
  }

  shows(jobId: string): boolean {
    return this.isVisible && this.#run.jobId === jobId;
  }

  showRun(run: ChosenRun | undefined): void {
    this.#run.choose(run);
  }

  #show({ drawing, workflow, hint }: DrawnLevel, isOther: boolean): void {
    this.post({
      type: 'draw',
      drawing: changedDrawing(drawing, this.#sent),
      crumbs: this.#level.crumbs(versionedName(this.document.uri)),
      hint,
      hasModes: workflow.graph !== undefined,
      at: isOther ? this.#nodeAtCursor() : undefined,
    });
    this.#sent = drawing;
    this.guard(() => this.#showImages(drawing));
    this.#showFindings();
    let hash: string | undefined;
    this.#run.show({
      nodes: new Set(drawing.nodes.map(({ id }) => id)),
      hash: () => (hash ??= createHash('sha256').update(workflow.text).digest('hex')),
    });
  }

  async #showImages(drawing: Drawing): Promise<void> {
    const { isEmpty: wasEmpty } = this.#images;
    const images = await this.#images.of(drawing, (file) => this.address(file));
    if (drawing === this.#sent && !(wasEmpty && images.length === 0)) this.post({ type: 'images', images });
  }

  async #setFile(
    node: string,
    nameOf: (row: MediaRow, drawn: DrawnWorkflow) => Promise<string | undefined>,
  ): Promise<void> {
    const drawn = this.#level.drawn;
    const row = findMediaRow(this.#nodeSent(node));
    if (!drawn || !row) return;
    const at = { node, input: row.name };
    const set = async (): Promise<void> => {
      const name = await nameOf(row, drawn);
      if (name !== undefined) await this.#edits.setFile(drawn, at, name);
    };
    await this.#orRefusal(at, set());
  }

  #nodeSent(node: string): DrawnNode | undefined {
    return this.#sent.nodes.find(({ id }) => id === node);
  }

  #showFindings(): void {
    this.post({ type: 'findings', findings: this.#found().map(({ finding }) => finding) });
  }

  async #findFixes(node: string): Promise<void> {
    const problems = await this.#fixes.find(this.#found().filter(({ finding }) => finding.node === node));
    this.post({ type: 'fixes', node, problems });
  }

  #found(): FoundFinding[] {
    return documentFindings(this.document, (offset) => this.#level.nodesAt(offset));
  }

  #select(): void {
    const node = this.#nodeAtCursor();
    if (node !== undefined) this.post({ type: 'select', node });
  }

  #nodeAtCursor(): string | undefined {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
    return editor && this.#level.nodesAt(this.document.offsetAt(editor.selection.active))[0];
  }

  async #find(message: Extract<FromGraph, { readonly type: 'find' }>): Promise<void> {
    const { drawn } = this.#level;
    if (!drawn) return;
    const found = await this.#level.find(drawn, message);
    this.post({ type: 'found', text: message.text, found: found ?? null });
  }

  async #edit(row: RowOfNode): Promise<void> {
    const node = this.#nodeSent(row.node);
    const isButton = node?.rows.some(({ name, kind }) => name === row.input && kind === 'button') === true;
    if (isButton && findMediaRow(node)) {
      await this.#setFile(row.node, (media, drawn) => this.#images.nameChosen(drawn, row.node, media));
      return;
    }
    const editor = this.#level.drawn && (await this.#edits.editor(this.#level.drawn, row));
    if (editor) this.post({ type: 'editor', editor });
    else await this.#goTo(row.node, row.input, true);
  }

  async #step(row: RowOfNode, by: 1 | -1): Promise<void> {
    const isValue = this.#level.drawn && (await this.#edits.step(this.#level.drawn, row, by));
    if (isValue === false) await this.#goTo(row.node, row.input, false);
  }

  /** Says beside a row why it can't be changed, and leads to where it can. */
  async #orRefusal({ node, input }: RowOfNode, edit: Promise<unknown> | undefined): Promise<void> {
    try {
      await edit;
    } catch (error) {
      if (!(error instanceof UserProblem) || !this.isVisible) throw error;
      const isElsewhere = error instanceof ElsewhereProblem;
      this.#origin = isElsewhere ? error.origin : undefined;
      const leadsTo = this.#origin ? 'node' : isElsewhere ? 'text' : undefined;
      this.post({ type: 'refused', node, input, words: problemText(error).line(), leadsTo });
    }
  }

  async #bring({ inside, node }: RowOrigin): Promise<void> {
    await this.#level.enter(inside);
    this.post({ type: 'select', node });
  }

  async #goTo(node: string, input: string | undefined, takesFocus: boolean): Promise<void> {
    const { drawn } = this.#level;
    const place = this.#level.placeOf(node, input);
    const graph = this.#column();
    if (drawn && place) await showBesideGraph(this.document, drawn.workflow, place, { graph, takesFocus });
  }

  #selectedPlace(): number | undefined {
    return this.#selected === undefined
      ? undefined
      : nodePlaceInText(workflowIn(this.document), this.#selected)?.offset;
  }
}
