import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import { safeFileName, splitExtension } from '../../core/outputs/outputNames';
import { shown } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import {
  type CanvasAction,
  canvasMessages,
  type FromCanvas,
  type ToCanvas,
} from '../../webview/contract/canvasPanel';
import { commands, customEditors } from '../platform/contributions';
import { applyChange, workspaceEdit } from '../platform/editorRanges';
import { openFileIn, openPage } from '../platform/openFile';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import { isCancellation, problemText } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { askModalQuestion, showWarning } from '../platform/show';
import { keepPendingEdits, uriName } from '../platform/workflowSource';
import { CanvasBinding } from './canvasBinding';
import type { CanvasFile } from './canvasFile';
import type { CanvasServers, OpenedCanvas } from './canvasServers';
import {
  actionLabels,
  adoptionQuestion,
  type CanvasWords,
  keptWords,
  pageServerWords,
  notGraphWords,
  unopenedWords,
  unwrittenWords,
  type WordsSubject,
} from './canvasWords';
import { overriddenSettings, type PageSettings } from './pageSettings';

const design = { title: 'ComfyUI', name: 'canvas', bodyClass: 'canvas-page' };

/** The ComfyUI page as an editor of a workflow file. */
export class CanvasPage extends Panel<FromCanvas, ToCanvas> implements CanvasFile {
  readonly #id = randomUUID();
  readonly #binding: CanvasBinding;
  readonly #said = new Map<WordsSubject, CanvasWords>();
  #opened: OpenedCanvas | undefined;
  #isClosed = false;
  #isOpening = false;
  #isSaving = false;
  /** Files are made one after the other, so that none takes the name of another. */
  #making: Promise<unknown> = Promise.resolve();
  name = '';
  modified = Date.now();
  /** When it was last in sight, ms since the epoch. */
  seenAt = Date.now();

  constructor(
    private readonly editor: vscode.WebviewPanel,
    private readonly document: vscode.TextDocument,
    platform: Platform,
    private readonly servers: CanvasServers,
  ) {
    super(editor, platform, { ...design, allows: {}, messages: canvasMessages, folders: [] });
    this.#binding = new CanvasBinding(
      {
        get text() {
          return document.getText();
        },
        get workflow() {
          return workflowIn(document);
        },
        get lineEnd() {
          return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
        },
        get isDirty() {
          return document.isDirty;
        },
        change: (edits) => applyChange(workspaceEdit(document, edits), document.uri),
      },
      {
        say: (subject, words) => this.#say(subject, words),
        notWritten: (error) => this.#say('edit', unwrittenWords(problemText(error))),
        // Scripts may follow links, too; not while nobody looks.
        followLink: (address) => this.guard(() => editor.active && openPage(address)),
        saveOther: (name, state) => this.guard(() => this.#saveOther(name, state)),
        mayAdopt: async (names, length) => {
          const replace = { label: shown`Replace` };
          return (await askModalQuestion({ message: adoptionQuestion(names, length) }, replace)) === replace;
        },
      },
    );
    const isOurs = (changed: vscode.TextDocument): boolean => changed === document;
    this.own(
      keepPendingEdits(document, () => this.settle()),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (!isOurs(change.document)) return;
        if (change.contentChanges.length > 0) this.#binding.documentChanged();
        this.#binding.showDirty();
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (isOurs(saved)) this.#binding.showDirty();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        // What the page saves is written already.
        if (isOurs(event.document) && !this.#isSaving) event.waitUntil(this.settle());
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        const id = 'Comfy.ColorPalette';
        this.#binding.send({ type: 'setting', id, value: String(this.settings[id]) });
      }),
      { dispose: () => this.#dispose() },
    );
  }

  get settings(): PageSettings {
    const { Light, HighContrastLight } = vscode.ColorThemeKind;
    const { kind } = vscode.window.activeColorTheme;
    return overriddenSettings(kind === Light || kind === HighContrastLight, vscode.env.language);
  }

  get isLoaded(): boolean {
    return this.#isOpening || this.#opened !== undefined;
  }

  get isInSight(): boolean {
    return this.editor.visible;
  }

  /** Loads the page of the selected server. */
  async show(): Promise<void> {
    if (this.#isOpening) return;
    this.#close();
    this.#said.clear();
    this.#isOpening = true;
    try {
      if (workflowIn(this.document).format.kind !== 'graph') {
        this.#say('page', notGraphWords);
        return;
      }
      this.name = pageName(uriName(this.document.uri), this.document.getText());
      const opened = await this.servers.open(this.#id, this);
      if (this.#isClosed) {
        opened.close();
        return;
      }
      this.#opened = opened;
      this.#binding.begin();
      // It must not lead elsewhere: only this origin may be in the frame.
      this.setPage({ ...design, allows: { 'frame-src': new URL(opened.address).origin } });
    } catch (error) {
      if (isCancellation(error)) return;
      this.#say('page', unopenedWords(problemText(error)));
    } finally {
      this.#isOpening = false;
    }
  }

  /** Writes what is in the page, and takes the page out. */
  async clear(): Promise<void> {
    await this.settle();
    if (this.isInSight) return;
    this.#close();
    this.post({ type: 'clear' });
  }

  /** Says if another server is selected than the one whose page this is. */
  serverChanged(current: string | undefined): void {
    if (!this.#opened) return;
    const { name, origin } = this.#opened.server;
    this.#say('server', origin === current ? undefined : pageServerWords(name));
  }

  focus(): void {
    this.post({ type: 'focus' });
  }

  async settle(): Promise<void> {
    if (await this.#binding.settle()) return;
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
      // Scripts may save, too; not while nobody looks.
      if (!this.editor.active) throw new Error('not in sight');
      const file = await this.#newFile(vscode.Uri.joinPath(this.document.uri, '..'), name);
      await this.#write(file, state);
      return uriName(file);
    });
    this.#making = made.catch(() => undefined);
    return made;
  }

  refuse(): void {
    this.#say('edit', keptWords);
  }

  connect(page: WebSocket): void {
    this.#binding.connect(page);
  }

  protected override receive(message: FromCanvas): unknown {
    if (message.type === 'act') return this.#act(message.action);
    if (this.#opened) {
      // The name is the client ID of the page, and no two may have the same.
      this.post({ type: 'show', address: this.#opened.address, name: `comfy-deck-${randomUUID()}` });
    }
    this.#showWords();
    return undefined;
  }

  #act(action: CanvasAction): unknown {
    const { uri } = this.document;
    switch (action) {
      case 'load':
        return this.settle().then(() => this.show());
      case 'showGraph':
        return vscode.commands.executeCommand(commands.showGraph, uri);
      case 'openText':
        return openFileIn(uri, 'default');
      case 'saveOther':
        this.#binding.askOther();
        return undefined;
    }
  }

  async #saveOther(name: string, state: string): Promise<void> {
    const folder = vscode.Uri.joinPath(this.document.uri, '..');
    const file = await vscode.window.showSaveDialog({
      defaultUri: await this.#newFile(folder, name),
      filters: { JSON: ['json'] },
    });
    if (file) await this.#write(file, state);
  }

  /** The name of a file that isn't there yet. */
  async #newFile(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
    const wanted = safeFileName(name, 'workflow').replace(/(?:\.app)?\.json$/i, '');
    const stem = readByPrograms.test(wanted) ? `${wanted}-workflow` : wanted;
    for (let count = 1; ; count++) {
      const file = vscode.Uri.joinPath(folder, `${stem}${count === 1 ? '' : `-${count}`}.json`);
      const isFree = await vscode.workspace.fs.stat(file).then(
        () => false,
        () => true,
      );
      if (isFree) return file;
    }
  }

  async #write(file: vscode.Uri, state: string): Promise<void> {
    if (WorkflowDocument.of(state).format.kind !== 'graph') throw new Error('no workflow');
    const text = `${JSON.stringify(JSON.parse(state), null, 2)}\n`;
    await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    await openFileIn(file, customEditors.canvas, { preview: false });
  }

  #say(subject: WordsSubject, words: CanvasWords | undefined): void {
    this.#said.delete(subject);
    if (words) this.#said.set(subject, words);
    this.#showWords();
  }

  #showWords(): void {
    const { words, actions } = [...this.#said.values()].at(-1) ?? { words: shown``, actions: [] };
    const offered = actions.map((action) => ({ action, label: actionLabels[action].line() }));
    this.post({ type: 'say', words: words.line(), actions: offered });
  }

  #dispose(): void {
    this.#isClosed = true;
    this.#close();
  }

  #close(): void {
    this.#binding.end();
    this.#opened?.close();
    this.#opened = undefined;
  }
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
