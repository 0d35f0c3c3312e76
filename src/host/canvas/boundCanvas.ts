import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import type { Catalog } from '../../core/catalog/catalog';
import type { RunSession } from '../../core/runLife/runSession';
import { safeFileName, splitExtension } from '../../core/outputs/outputNames';
import { type Shown, shown } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { CanvasAction } from '../../webview/contract/canvasPanel';
import { commands, customEditors } from '../platform/contributions';
import { applyChange, workspaceEdit } from '../platform/editorRanges';
import { fileStat, openFileIn, openPage } from '../platform/openFile';
import type { Platform } from '../platform/platform';
import { isCancellation, problemText } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { askModalQuestion, showWarning } from '../platform/show';
import { keepPendingEdits, uriName } from '../platform/workflowSource';
import type { Runs } from '../runs/runs';
import { CanvasBinding, isEditable } from './canvasBinding';
import type { Answer, CanvasFile } from './canvasFile';
import type { CanvasServers, OpenedCanvas, PagePlace } from './canvasServers';
import {
  adoptionQuestion,
  type CanvasWords,
  keptWords,
  notGraphWords,
  pageServerWords,
  storedElsewhereWords,
  unopenedWords,
  type WordsSubject,
} from './canvasWords';
import { runPagePrompt } from './pageRun';
import { overriddenSettings, type PageSettings } from './pageSettings';

/** Where the ComfyUI page of a file is shown. */
export interface CanvasPlace {
  readonly kind: PagePlace;
  /** Whether someone may be working in the page: its scripts can ask for the same. */
  isActive(): boolean;
  /** Undefined: there is nothing to say any more. */
  showWords(words: CanvasWords | undefined): void;
  load(): Promise<void>;
}

/** A workflow file that a ComfyUI page edits, wherever the page is shown. */
export class BoundCanvas implements CanvasFile, vscode.Disposable {
  readonly #id = randomUUID();
  readonly #binding: CanvasBinding;
  readonly #said = new Map<WordsSubject, CanvasWords>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #opened: OpenedCanvas | undefined;
  /** Of the server, once the page has run something there, of which the page gets the events. */
  #session: RunSession | undefined;
  #catalog: Catalog | undefined;
  #isClosed = false;
  #isOpening = false;
  #isSaving = false;
  /** Files are made one after the other, so that none takes the name of another. */
  #making: Promise<unknown> = Promise.resolve();
  name = '';
  modified = Date.now();

  constructor(
    private document: vscode.TextDocument,
    platform: Platform,
    private readonly servers: CanvasServers,
    private readonly runs: Runs,
    private readonly place: CanvasPlace,
  ) {
    const guard = (action: () => Promise<unknown>): void => void action().catch(platform.onError);
    this.#binding = new CanvasBinding(
      () => ({
        text: this.document.getText(),
        workflow: workflowIn(this.document),
        lineEnd: this.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
        isDirty: this.document.isDirty,
        catalog: this.#catalog,
      }),
      {
        change: (edits) => applyChange(workspaceEdit(this.document, edits), document.uri),
        say: (subject, words) => this.#say(subject, words),
        followLink: (address) => guard(async () => place.isActive() && openPage(address)),
        saveOther: (name, state) => guard(() => this.#saveOther(name, state)),
        mayAdopt: async (names, length) => {
          const replace = { label: shown`Replace` };
          return (await askModalQuestion({ message: adoptionQuestion(names, length) }, replace)) === replace;
        },
      },
    );
    const isOurs = (changed: vscode.TextDocument): boolean => changed === this.document;
    this.#subscriptions = [
      keepPendingEdits(document.uri, () => this.settle()),
      // VS Code closes what no editor shows.
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (!isOurs(closed) || this.#isClosed) return;
        guard(async () => {
          const opening = vscode.workspace.openTextDocument(closed.uri);
          // Without its file, it can't tell where an edit would go.
          opening.then(undefined, () => this.close());
          this.document = await opening;
          // Changes may have been discarded.
          if (this.document.getText() !== closed.getText()) this.#binding.documentChanged();
          this.#binding.showDirty();
        });
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (!isOurs(change.document)) return;
        if (change.contentChanges.length > 0) this.#binding.documentChanged();
        // A save is such a change, too.
        this.#binding.showDirty();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        // What the page saves is written already.
        if (isOurs(event.document) && !this.#isSaving) event.waitUntil(this.settle());
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        const id = 'Comfy.ColorPalette';
        this.#binding.send({ type: 'setting', id, value: String(this.settings[id]) });
      }),
    ];
  }

  get settings(): PageSettings {
    const { Light, HighContrastLight } = vscode.ColorThemeKind;
    const { kind } = vscode.window.activeColorTheme;
    return overriddenSettings(kind === Light || kind === HighContrastLight, vscode.env.language);
  }

  get isLoaded(): boolean {
    return this.#isOpening || this.#opened !== undefined;
  }

  /** Whether the page shows another workflow, which is nowhere else. */
  get showsOther(): boolean {
    return this.#said.has('other');
  }

  get address(): string | undefined {
    return this.#opened?.address;
  }

  /** Opens the file on the selected server. If its page can't be shown, it says why, and has no address. */
  async open(): Promise<void> {
    if (this.#isOpening) return;
    this.close();
    this.#said.clear();
    this.place.showWords(undefined);
    this.#isOpening = true;
    try {
      const workflow = workflowIn(this.document);
      if (workflow.format.kind === 'api') {
        const session = await this.runs.servers.sessionOf(this.servers.selected().origin);
        const [before, now] = [this.#catalog, (await session?.freshDefinitions())?.catalog];
        const isOther = (type = ''): boolean => before?.toText(type) !== now?.toText(type);
        // Another server may know nodes that the one before couldn't show.
        if (workflow.prompt?.nodes.some(({ classType }) => isOther(classType))) this.#binding.forgetGraphs();
        this.#catalog = now;
      }
      if (!isEditable({ workflow, catalog: this.#catalog })) {
        this.#say('page', notGraphWords);
        return;
      }
      this.name = pageName(uriName(this.document.uri), this.document.getText());
      const opened = await this.servers.open(this.#id, this, this.place.kind);
      if (this.#isClosed) {
        opened.close();
        return;
      }
      this.#opened = opened;
      this.#binding.begin();
    } catch (error) {
      if (!isCancellation(error)) this.#say('page', unopenedWords(problemText(error)));
    } finally {
      this.#isOpening = false;
    }
  }

  /** Says if another server is selected than the one whose page this is. */
  serverChanged(current: string | undefined): void {
    if (!this.#opened) return;
    const { name, origin } = this.#opened.server;
    this.#say('server', origin === current ? undefined : pageServerWords(name));
  }

  async settle(isRun = false): Promise<void> {
    if (await this.#binding.settle(isRun)) return;
    const name = uriName(this.document.uri);
    void showWarning(shown`${`ComfyUI (${name})`} didn't respond in time.`);
  }

  read(): string {
    return this.#binding.read();
  }

  async save(state: string): Promise<void> {
    await this.#binding.take(state);
    this.#isSaving = true;
    try {
      if (!(await this.document.save())) throw new Error('not saved');
    } finally {
      this.#isSaving = false;
    }
    this.modified = Date.now();
  }

  saveAs(name: string, state: string): Promise<string> {
    const made = this.#making.then(async () => {
      if (!this.place.isActive()) throw new Error('not in sight');
      const file = await freeWorkflowFile(vscode.Uri.joinPath(this.document.uri, '..'), name);
      await writeWorkflow(file, state);
      return uriName(file);
    });
    this.#making = made.catch(() => undefined);
    return made;
  }

  async run(body: string): Promise<Answer> {
    const answer = this.#send(body);
    if (this.showsOther) return answer;
    // From before its edits are written: what then saves the file runs nothing else.
    const sent = answer.then((each) => (each.status === undefined ? each : undefined));
    await this.runs.underWayUntil(this.document.uri, sent);
    return answer;
  }

  async #send(body: string): Promise<Answer> {
    const server = this.#opened?.server;
    if (!server) throw new Error('closed');
    // The record names the text that ran.
    await this.settle(true);
    this.#session = await this.runs.servers.sessionOf(server.origin);
    const isOther = this.showsOther || !this.#binding.isInStep;
    return runPagePrompt(this.runs, body, this.#session, this.document, isOther);
  }

  heard(frame: Uint8Array): void {
    this.#session?.hear(frame);
  }

  listShown(): void {
    if (this.#opened) this.#say('edit', storedElsewhereWords(this.#opened.server.name));
  }

  refuse(): void {
    this.#say('edit', keptWords);
  }

  connect(page: WebSocket): void {
    this.#binding.connect(page);
  }

  showInPage(words: Shown): void {
    this.#binding.send({ type: 'say', words: words.line() });
  }

  act(action: CanvasAction): unknown {
    const { uri } = this.document;
    switch (action) {
      case 'load':
        return this.settle().then(() => this.place.load());
      case 'showGraph':
        return vscode.commands.executeCommand(commands.showGraph, uri);
      case 'openText':
        return openFileIn(uri, 'default');
      case 'newWorkflow':
        return vscode.commands.executeCommand(commands.newWorkflow);
      case 'saveOther':
        this.#binding.askOther();
        return undefined;
    }
  }

  close(): void {
    this.#binding.end();
    this.#opened?.close();
    this.#opened = undefined;
  }

  dispose(): void {
    this.#isClosed = true;
    void this.#binding.close().then(() => {
      this.close();
      for (const subscription of this.#subscriptions) subscription.dispose();
    });
  }

  #say(subject: WordsSubject, words: CanvasWords | undefined): void {
    const before = [...this.#said.values()].at(-1);
    this.#said.delete(subject);
    // What was said of an edit is over by then.
    if (subject === 'other' && words) this.#said.delete('edit');
    if (words) this.#said.set(subject, words);
    const last = [...this.#said.values()].at(-1);
    if (words || last !== before) this.place.showWords(last);
  }

  async #saveOther(name: string, state: string): Promise<void> {
    const file = await vscode.window.showSaveDialog({
      defaultUri: await freeWorkflowFile(vscode.Uri.joinPath(this.document.uri, '..'), name),
      filters: { JSON: ['json'] },
    });
    if (file) await writeWorkflow(file, state);
  }
}

/** A file that isn't there yet, whose name no other program reads. */
export async function freeWorkflowFile(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  const wanted = safeFileName(name, 'workflow').replace(/(?:\.app)?\.json$/i, '');
  const stem = readByPrograms.test(wanted) ? `${wanted}-workflow` : wanted;
  for (let count = 1; ; count++) {
    const file = vscode.Uri.joinPath(folder, `${stem}${count === 1 ? '' : `-${count}`}.json`);
    if (!(await fileStat(file))) return file;
  }
}

async function writeWorkflow(file: vscode.Uri, state: string): Promise<void> {
  if (WorkflowDocument.of(state).format.kind !== 'graph') throw new Error('no workflow');
  const text = `${JSON.stringify(JSON.parse(state), null, 2)}\n`;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  await openFileIn(file, customEditors.canvas, { preview: false });
}

/** Files of these names, ending in `.json`, tell a program what to do. */
const readByPrograms =
  /^(?:\..*|package(?:-lock)?|npm-shrinkwrap|composer|[jt]sconfig.*|settings|launch|tasks|extensions|keybindings|manifest|.*\.(?:run|batch|batch-run))$/i;

/** The page renames a workflow that opens as an app, and one that doesn't, unless its name says so. */
function pageName(name: string, text: string): string {
  const { stem } = splitExtension(name.replace(/\.app\.json$/i, '.json'));
  const isApp = /"linearMode"\s*:\s*true\b/.test(text);
  // The proxy decodes names, as the server does.
  return `${safeFileName(stem, 'workflow').replaceAll('%', '_')}${isApp ? '.app' : ''}.json`;
}
