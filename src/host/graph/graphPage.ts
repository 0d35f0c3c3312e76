import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Catalog } from '../../core/catalog/catalog';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { changedDrawing } from '../../core/drawing/changedDrawing';
import {
  type DrawnBefore,
  drawInside,
  inputPlace,
  instancesWith,
  type LoadedDrawing,
  loadDrawing,
  outerId,
  outerOf,
  subgraphInside,
} from '../../core/drawing/drawWorkflow';
import { findInLevels, type SearchedLevel, searchedLevels } from '../../core/drawing/findNodes';
import type { Room } from '../../core/drawing/layOutPrompt';
import { type Drawing, emptyDrawing } from '../../core/drawing/drawing';
import { placedRow, type RowOrigin } from '../../core/drawing/placedRow';
import { nodeAt } from '../../core/language/places/nodeAt';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { shown } from '../../core/safety/shownText';
import { GraphRefusal } from '../../core/workflow/graph/graphProblem';
import { nodePlace } from '../../core/workflow/nodePlace';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import {
  type FromGraph,
  type GraphAct,
  graphActs,
  largestGiven,
  type GraphSeverity,
  type PageAct,
  pageActs,
  type ToGraph,
} from '../../webview/contract/graphPanel';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { missingDefinitionsText } from '../catalogs/missingDefinitions';
import { commands } from '../platform/contributions';
import { columnOfText, keepSelectedPlace } from '../platform/activeDocument';
import { rangeAt } from '../platform/editorRanges';
import { openFile, revealFile } from '../platform/openFile';
import { Panel, type PanelParts } from '../platform/panel';
import { problemWords, UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { versionedName } from '../platform/versionedName';
import { listLocalMedia } from '../runs/findLocalMedia';
import { pickMedia } from '../runs/pickMedia';
import { type GivenMedia, placeMedia } from '../runs/placeMedia';
import { FindingFixes, type FoundFinding } from './findingFixes';
import { mediaRowOf, NodeImages } from './nodeImages';
import { type ChosenRun, type RunServices, ShownRun } from './shownRun';
import { type DrawnWorkflow, ElsewhereProblem, RowEdits, type RowOfNode } from './rowEdits';

/** The graph is drawn again at most this often (ms). */
const redrawEvery = 100;

export interface GraphPageParts extends PanelParts {
  readonly definitions: Pick<
    NodeDefinitions,
    'rules' | 'state' | 'ready' | 'onDidChange' | 'onDidChangeRules'
  >;
  readonly services: RunServices;
}

/** Of the IDs that lead to an instance, in characters. */
const longestPath = 1_000;

/** Of a value that is entered, in characters. */
const longestValue = 1_000_000;

const row = { node: z.string().max(longestPath), input: z.string().max(longestPath) };

const messages: z.ZodType<FromGraph> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['openRun', 'hideRun', 'run', 'save', 'goToOrigin']) }),
  z.object({ type: z.literal('selected'), node: z.string().max(longestPath).optional() }),
  z.object({ type: z.literal('framePainted'), serial: z.number() }),
  z.object({
    type: z.literal('act'),
    act: z.enum(graphActs),
    node: z.string().max(longestPath),
    row: z.string().max(longestPath).optional(),
  }),
  z.object({
    type: z.literal('ready'),
    inside: z.string().max(longestPath),
    room: z.object({ width: z.number(), height: z.number() }).optional(),
  }),
  z.object({ type: z.literal('open'), inside: z.string().max(longestPath) }),
  z.object({
    type: z.literal('find'),
    text: z.string().max(longestPath),
    from: z.string().max(longestPath).optional(),
    by: z.literal([1, 0, -1]),
  }),
  z.object({
    type: z.literal('goTo'),
    node: z.string(),
    input: z.string().optional(),
    takesFocus: z.boolean(),
  }),
  z.object({ type: z.literal('findFixes'), node: z.string().max(longestPath) }),
  z.object({ type: z.literal('findImage'), node: z.string().max(longestPath) }),
  z.object({
    type: z.literal('useImage'),
    node: z.string().max(longestPath),
    file: z.union([
      z.string().max(longestValue),
      z.object({
        name: z.string().max(longestPath),
        content: z.instanceof(Uint8Array).refine(({ length }) => length <= largestGiven),
      }),
    ]),
  }),
  z.object({ type: z.literal('fix'), id: z.int().nonnegative() }),
  z.object({ type: z.literal('edit'), ...row }),
  z.object({
    type: z.literal('change'),
    ...row,
    from: z.string().max(longestValue),
    to: z.string().max(longestValue),
  }),
  z.object({ type: z.literal('step'), ...row, by: z.literal([1, -1]) }),
]);

/** What the menus of the page tell of their place. */
const menuPlace = z.object({ node: z.string().max(longestPath).optional(), row: z.string().optional() });

function isPageAct(act: GraphAct | PageAct): act is PageAct {
  return pageActs.some((each) => each === act);
}

/** What half a window shows of a line. */
const mostColumns = 60;

const withoutDefinitions = Catalog.fromDefinitions({});

/** The graph of a workflow's text, in an editor. It follows the text, the node definitions, the findings and the runs. */
export class GraphPage extends Panel<FromGraph, ToGraph> {
  readonly #document: vscode.TextDocument;
  readonly #parts: GraphPageParts;
  readonly #fixes: FindingFixes;
  readonly #edits: RowEdits;
  readonly #images: NodeImages;
  /** The ID of the instance whose inside is shown; empty for the root. */
  #inside = '';
  #shown: DrawnWorkflow | undefined;
  /** What the page has. */
  #sent: Drawing = emptyDrawing;
  #last: DrawnBefore | undefined;
  /** What a prompt is laid out for. */
  #room: Room | undefined;
  #searched: { readonly loaded: LoadedDrawing; readonly levels: readonly SearchedLevel[] } | undefined;
  /** Counts what is drawn: what is ready after a newer one is dropped. */
  #turn = 0;
  /** The page is to show another level, where the node at the cursor isn't selected yet, or no problem any longer. */
  #isOther = false;
  /** What was said last of missing node definitions. */
  #hinted: string | undefined;
  /** The selected server was asked for its node definitions. */
  #isAsked = false;
  readonly #run: ShownRun;
  readonly #showRun: () => void;
  readonly #column: () => vscode.ViewColumn | undefined;
  #selected: string | undefined;
  /** Where what was refused last can be done. */
  #origin: RowOrigin | undefined;

  constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPageParts) {
    const { uri: file } = document;
    const { cspSource } = panel.webview;
    const workspace = vscode.workspace.getWorkspaceFolder(file);
    // With the images that its inputs name.
    const own = workspace ? [workspace.uri] : [];
    const run = new ShownRun(file, parts.services, {
      isVisible: () => this.isVisible,
      post: (message) => this.post(message),
      address: (output) => this.address(output),
      allow: (folders) => this.allow([...folders, ...own]),
      changed: () => this.#showRun(),
    });
    super(panel, parts, {
      title: t`Graph`,
      name: 'graph',
      // Images are read to be copied.
      allows: { 'font-src': cspSource, 'img-src': `${cspSource} blob:`, 'connect-src': cspSource },
      messages,
      folders: [...run.folders, ...own],
      bodyClass: 'graph-page',
    });
    this.#document = document;
    this.#column = () => panel.viewColumn;
    this.#parts = parts;
    this.#fixes = new FindingFixes(document);
    this.#run = run;
    this.#images = new NodeImages(file, parts.services.servers);
    this.#edits = new RowEdits(document, async (kind) => [...(await listLocalMedia(file, kind)).keys()]);
    const isOurs = (uri: vscode.Uri): boolean => uri.toString() === file.toString();
    const draw = this.paced(redrawEvery, () => this.#drawNow());
    const asked = (): void => {
      this.#isAsked = true;
      draw();
    };
    void parts.definitions.ready().then(asked, asked);
    const find = this.paced(redrawEvery, () => this.#showFindings());
    const select = this.paced(redrawEvery, () => this.#select());
    this.#showRun = this.paced(redrawEvery, () => run.show());
    this.own(
      keepSelectedPlace(document, () => this.#selectedPlace()),
      run,
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) draw();
      }),
      // In another language, it is read in another way.
      vscode.workspace.onDidOpenTextDocument((opened) => {
        if (opened === document) draw();
      }),
      parts.definitions.onDidChangeRules(draw),
      parts.definitions.onDidChange(() => {
        // What is said of their absence.
        if (this.#shown?.loaded.knowsTypes === false) draw();
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some(isOurs)) find();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document === document) select();
      }),
    );
    void this.#drawNow(true);
  }

  protected override receive(message: FromGraph): unknown {
    switch (message.type) {
      case 'ready':
      case 'open':
        if (message.type === 'ready') [this.#sent, this.#room] = [emptyDrawing, message.room];
        this.#run.restart();
        return this.#open(message.inside);
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
        return this.#useImage(message.node, message.file);
      case 'selected':
        this.#selected = message.node;
        return;
      case 'save':
        return this.#edits.made().then(() => this.#document.save());
      case 'goToOrigin':
        return this.#origin && this.#bring(this.#origin);
      case 'run':
        return this.#edits
          .made()
          .then(() => vscode.commands.executeCommand(commands.run, this.#document.uri));
      case 'framePainted':
      case 'openRun':
      case 'hideRun':
        return this.#run.receive(message);
      case 'edit':
        return this.#orRefusal(message, this.#edit(message));
      case 'change':
        return this.#orRefusal(
          message,
          this.#shown && this.#edits.change(this.#shown, message, message.from, message.to),
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
    const drawn = this.#shown;
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
        return this.#edits.setMode(drawn, node, 'muted');
      case 'bypass':
        return this.#edits.setMode(drawn, node, 'bypassed');
      case 'unmute':
      case 'removeBypass':
        return this.#edits.setMode(drawn, node, 'always');
      case 'newSeed':
        return this.#edits.newSeeds(drawn, node);
      case 'openSubgraph':
        return this.#open(node);
      case 'openImage':
      case 'revealImage': {
        const file = this.#run.pictureFile(node) ?? this.#images.fileOf(node);
        return file && (act === 'openImage' ? openFile(file) : revealFile(file));
      }
    }
  }

  #open(inside: string): Promise<void> {
    this.#inside = inside;
    this.#isOther = true;
    return this.#drawNow();
  }

  /** Whether this run is in sight. */
  shows(jobId: string): boolean {
    return this.isVisible && this.#run.jobId === jobId;
  }

  /** Shows this run, or the newest of the file. */
  showRun(run: ChosenRun | undefined): void {
    this.#run.choose(run);
  }

  /** @param isAhead while the page loads, which then needs most of it only to be sent */
  async #drawNow(isAhead = false): Promise<void> {
    const isWanted = (): boolean => this.isReady || isAhead;
    if (!isWanted()) return;
    const turn = ++this.#turn;
    const isLatest = (): boolean => turn === this.#turn && isWanted();
    try {
      const workflow = workflowIn(this.#document);
      const problem = whyNotDrawn(workflow);
      if (problem !== undefined) {
        this.#refuse(problem);
        return;
      }
      const catalog = this.#parts.definitions.rules.catalog ?? withoutDefinitions;
      // A file that was merely saved.
      if (this.#isDrawn(workflow, catalog)) return;
      const loaded = loadDrawing(workflow, catalog);
      if (!loaded) return;
      const drawing = await drawInside(loaded, this.#inside, this.#last, this.#room);
      if (!isLatest()) return;
      if (!drawing) {
        // The instance is gone.
        this.#inside = '';
        await this.#drawNow();
        return;
      }
      this.#last = { loaded, inside: this.#inside, drawing };
      if (this.isReady) this.#show(drawing, { workflow, loaded, catalog, inside: this.#inside });
    } catch (error) {
      if (!isLatest() || !this.isReady) return;
      if (!(error instanceof GraphRefusal || error instanceof UserProblem)) throw error;
      this.#refuse(error.message);
    }
  }

  #isDrawn(workflow: WorkflowDocument, catalog: Catalog): boolean {
    const last = this.#shown;
    const isSame = !this.#isOther && last?.workflow === workflow && last.catalog === catalog;
    return isSame && this.#hint(last.loaded) === this.#hinted;
  }

  /** The page shows it until something is drawn again. */
  #refuse(message: string): void {
    this.#isOther = true;
    this.post({ type: 'problem', message });
  }

  #show(drawing: Drawing, drawn: DrawnWorkflow): void {
    const { loaded, workflow } = drawn;
    this.#shown = drawn;
    this.#hinted = this.#hint(loaded);
    const crumbs = outerOf(loaded, this.#inside).map(({ inside, title }) => ({
      inside,
      title: plainText(title),
    }));
    this.post({
      type: 'draw',
      drawing: changedDrawing(drawing, this.#sent),
      crumbs: [{ inside: '', title: versionedName(this.#document.uri) }, ...crumbs],
      hint: this.#hinted,
      hasModes: workflow.graph !== undefined,
      at: this.#isOther ? this.#nodeAtCursor() : undefined,
    });
    this.#isOther = false;
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

  /** Names a file that was given for a node. One that isn't in the workspace is put beside the workflow. */
  async #useImage(node: string, given: Extract<FromGraph, { type: 'useImage' }>['file']): Promise<void> {
    const row = mediaRowOf(this.#sent.nodes.find(({ id }) => id === node));
    if (!row) return;
    if (typeof given !== 'string') {
      const { name, content } = given;
      await this.#useMedia({ node, input: row.name }, { name, read: () => Promise.resolve(content) });
      return;
    }
    const uri = vscode.Uri.parse(given);
    // A page can name any file, and only those of the workspace are read at its word.
    if (vscode.workspace.getWorkspaceFolder(uri)) await this.#useMedia({ node, input: row.name }, uri);
  }

  async #useMedia(at: RowOfNode, given: GivenMedia): Promise<void> {
    const drawn = this.#shown;
    const row = mediaRowOf(this.#sent.nodes.find(({ id }) => id === at.node));
    if (!drawn || !row) return;
    await this.#orRefusal(
      at,
      this.#place(given, row.takes).then((name) => this.#edits.setFile(drawn, at, name)),
    );
  }

  async #place(given: GivenMedia, kind: UploadKind): Promise<string> {
    const placed = await placeMedia(this.#document.uri, given, kind);
    if (!placed) {
      throw new UserProblem(
        shown`Runs upload only files of the workspace.`,
        shown`Open the folder of the workflow, then try again.`,
      );
    }
    const { name, copy } = placed;
    if (copy) await vscode.workspace.fs.writeFile(copy.file, copy.bytes);
    return name;
  }

  /** Lets the user choose the file that a node loads. */
  async #chooseMedia(node: string): Promise<void> {
    const drawn = this.#shown;
    const row = mediaRowOf(this.#sent.nodes.find(({ id }) => id === node));
    if (!drawn || !row) return;
    const { loaded, inside, workflow, catalog } = drawn;
    const { definitions } = this.#parts;
    const spec = placedRow(loaded, workflow, inside, node, row.name)?.row.spec;
    const choices = spec?.kind === 'combo' ? spec.choices : [];
    const chosen = await pickMedia({
      workflow: this.#document.uri,
      kind: row.takes,
      remote: choices.filter((each) => typeof each === 'string'),
      server: catalog.size > 0 ? definitions.state.server?.name : undefined,
      title: shown`Select a File for ${row.label}`,
      canBrowse: true,
    });
    const at = { node, input: row.name };
    if (typeof chosen === 'string') await this.#orRefusal(at, this.#edits.setFile(drawn, at, chosen));
    else if (chosen) await this.#useMedia(at, chosen);
  }

  #hint({ knowsTypes }: LoadedDrawing): string | undefined {
    if (knowsTypes || !this.#isAsked) return undefined;
    return missingDefinitionsText(this.#parts.definitions.state);
  }

  /** The nodes of the shown level that an offset belongs to: several if it is in the subgraph of several. */
  #nodesAt(offset: number): string[] {
    const at = this.#shown && nodeAt(this.#shown.workflow, offset);
    if (!at || !this.#shown) return [];
    const { loaded } = this.#shown;
    const outer = (id: string): string => outerId(this.#inside, id);
    if (at.subgraph === subgraphInside(loaded, this.#inside)) return [outer(at.id)];
    if (at.subgraph === undefined) return [];
    return instancesWith(loaded, this.#inside, at.subgraph).map(outer);
  }

  #showFindings(): void {
    this.post({ type: 'findings', findings: this.#found().map(({ finding }) => finding) });
  }

  async #findFixes(node: string): Promise<void> {
    const problems = await this.#fixes.find(this.#found().filter(({ finding }) => finding.node === node));
    this.post({ type: 'fixes', node, problems });
  }

  /** The findings at the nodes of the shown level, worst first. */
  #found(): FoundFinding[] {
    const found = vscode.languages
      .getDiagnostics(this.#document.uri)
      .flatMap(({ severity: level, range, message }): FoundFinding[] => {
        const severity = severities[level];
        if (!severity) return [];
        const nodes = this.#nodesAt(this.#document.offsetAt(range.start));
        return nodes.map((node) => ({ finding: { node, severity, text: message }, range }));
      });
    const order = Object.values(severities);
    return found.sort((a, b) => order.indexOf(a.finding.severity) - order.indexOf(b.finding.severity));
  }

  #select(): void {
    const node = this.#nodeAtCursor();
    if (node !== undefined) this.post({ type: 'select', node });
  }

  #nodeAtCursor(): string | undefined {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === this.#document);
    return editor && this.#nodesAt(this.#document.offsetAt(editor.selection.active))[0];
  }

  async #find({ text, from, by }: Extract<FromGraph, { readonly type: 'find' }>): Promise<void> {
    const drawn = this.#shown;
    if (!drawn) return;
    const { loaded } = drawn;
    if (this.#searched?.loaded !== loaded) {
      const levels = await searchedLevels(loaded, async (inside) =>
        inside === this.#inside ? this.#sent : drawInside(loaded, inside),
      );
      this.#searched = { loaded, levels };
    }
    const found = findInLevels(this.#searched.levels, text, { inside: this.#inside, node: from }, by);
    if (found && found.inside !== this.#inside) await this.#open(found.inside);
    this.post({ type: 'found', text, found: found ?? null });
  }

  async #edit(row: RowOfNode): Promise<void> {
    const node = this.#sent.nodes.find(({ id }) => id === row.node);
    const isButton = node?.rows.some(({ name, kind }) => name === row.input && kind === 'button') === true;
    if (isButton && mediaRowOf(node)) {
      await this.#chooseMedia(row.node);
      return;
    }
    const editor = this.#shown && (await this.#edits.editor(this.#shown, row));
    if (editor) this.post({ type: 'editor', editor });
    else await this.#goTo(row.node, row.input, true);
  }

  async #step(row: RowOfNode, by: 1 | -1): Promise<void> {
    const isValue = this.#shown && (await this.#edits.step(this.#shown, row, by));
    if (isValue === false) await this.#goTo(row.node, row.input, false);
  }

  /** Says beside a row why it can't be changed, and leads to where it can. */
  async #orRefusal({ node, input }: RowOfNode, edit: Promise<void> | undefined): Promise<void> {
    try {
      await edit;
    } catch (error) {
      if (!(error instanceof UserProblem) || !this.isVisible) throw error;
      const isElsewhere = error instanceof ElsewhereProblem;
      this.#origin = isElsewhere ? error.origin : undefined;
      const leadsTo = this.#origin ? 'node' : isElsewhere ? 'text' : undefined;
      this.post({ type: 'refused', node, input, words: problemWords(error).line(), leadsTo });
    }
  }

  async #bring({ inside, node }: RowOrigin): Promise<void> {
    if (inside !== this.#inside) await this.#open(inside);
    this.post({ type: 'select', node });
  }

  async #goTo(node: string, input: string | undefined, takesFocus: boolean): Promise<void> {
    if (!this.#shown) return;
    const { workflow, loaded, inside } = this.#shown;
    const place =
      (input === undefined ? undefined : inputPlace(loaded, workflow, inside, node, input)) ??
      nodePlace(workflow, node);
    if (!place) return;
    const column = columnOfText(this.#document.uri);
    // Neither over the graph, nor unasked.
    const isBehind = column === undefined || column === this.#column();
    if (isBehind && !takesFocus) return;
    const { start, end } = rangeAt(workflow.positions, place);
    // Inside the quotes of a text: what is typed there doesn't break the file.
    const cursor = start.translate(0, takesFocus && workflow.text[place.offset] === '"' ? 1 : 0);
    const editor = await vscode.window.showTextDocument(this.#document, {
      viewColumn: isBehind ? vscode.ViewColumn.Beside : column,
      preserveFocus: !takesFocus,
      selection: new vscode.Range(cursor, cursor),
    });
    if (!takesFocus) editor.selection = new vscode.Selection(end, start);
    // With the start of its line, so that a place is not scrolled sideways that is seen without.
    const from = start.character > mostColumns ? cursor : start.with({ character: 0 });
    editor.revealRange(new vscode.Range(from, cursor), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #selectedPlace(): number | undefined {
    return this.#selected === undefined
      ? undefined
      : nodePlace(workflowIn(this.#document), this.#selected)?.offset;
  }
}

/** Hints are no findings. */
const severities: Readonly<Partial<Record<vscode.DiagnosticSeverity, GraphSeverity>>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
};

/** Why a text has no graph to draw, in one sentence. */
function whyNotDrawn({ format, isWorkflow }: WorkflowDocument): string | undefined {
  if (format.kind === 'none') return format.message;
  return isWorkflow ? undefined : t`The file contains node definitions, not a workflow.`;
}
