import type { WebSocket } from 'ws';
import { canvasChange, type CanvasChange } from '../../core/canvas/canvasChange';
import { importedPrompt, promptChange } from '../../core/canvas/promptChange';
import type { Catalog } from '../../core/catalog/catalog';
import { CanvasHistory, mergedChange } from '../../core/canvas/canvasHistory';
import { stateBeforeRun } from '../../core/canvas/canvasState';
import { applyEdits, textDifference, type TextEdit } from '../../core/json/textEdit';
import { budgets } from '../../core/safety/budgets';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { comfyPageMessages, type FromComfyPage, type ToComfyPage } from '../../webview/contract/canvasPanel';
import { replacedCode } from '../../webview/contract/constants';
import { problemText } from '../platform/problems';
import {
  type CanvasWords,
  pageFailureWords,
  notGraphWords,
  otherWords,
  refusalWords,
  unboundWords,
  unkeptWords,
  unwrittenWords,
  type WordsSubject,
} from './canvasWords';

/** The text of a document that the page loads, and what it makes of it. */
interface Served {
  readonly text: string;
  readonly workflow: WorkflowDocument;
}

/** The document of a canvas as it is now. */
interface CanvasDocument extends Served {
  /** To read what the page makes of a file in API format; undefined if it can't be edited. */
  readonly catalog: Catalog | undefined;
  readonly lineEnd: '\n' | '\r\n';
  readonly isDirty: boolean;
}

/** What a binding asks of the editor that shows it. */
export interface CanvasView {
  /** Undefined: there is nothing to say about it any more. */
  say(subject: WordsSubject, words: CanvasWords | undefined): void;
  followLink(address: string): void;
  saveOther(name: string, state: string): void;
  /** Whether these subgraphs may be written as the page has them. @param length in characters */
  mayAdopt(names: readonly string[], length: number): Promise<boolean>;
  /** Changes the document in one step for undo. @throws Error if it can't be changed */
  change(edits: readonly TextEdit[]): Promise<void>;
}

interface Base extends Served {
  readonly state: string;
}

type StateOfPage = Extract<FromComfyPage, { readonly type: 'state' }>;

/** States that wait to be written; more are steps that can be skipped. */
const mostWaiting = 4;
/** A document that changes elsewhere is loaded when it has been unchanged for this time, ms. */
const outsideDelay = 250;

/**
 * Keeps a document and a page in step: what changes in the page is written as the smallest edits, what changes
 * elsewhere is loaded by the page. Each state of the page belongs to a load of the file, so that none is compared with
 * the text of another.
 */
export class CanvasBinding {
  #page: WebSocket | undefined;
  #load = 0;
  #served: Served | undefined;
  /** Undefined while the page loads. */
  #base: Base | undefined;
  readonly #history = new CanvasHistory();
  /** The graphs that the page has made of prompts, by the text of the file. */
  readonly #graphs = new CanvasHistory((text) => text);
  #importing = '';
  #saidUnkept = false;
  #unknownTypes: ReadonlySet<string> = new Set();
  readonly #adopted = new Set<string>();
  /** The text that the document has after the change that is being made. */
  #writing: string | undefined;
  readonly #waiting: StateOfPage[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #asksOther = false;
  readonly #asks = new Map<number, () => void>();
  #outside: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(
    private readonly document: () => CanvasDocument,
    private readonly view: CanvasView,
  ) {}

  /** A page is about to be loaded. */
  begin(): void {
    this.end();
    this.#expectLoad();
  }

  #expectLoad(): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.view.say('page', pageFailureWords('late')), budgets.canvasStart);
  }

  /** Other definitions make other graphs of the file. */
  forgetGraphs(): void {
    this.#graphs.clear();
  }

  /** The page is gone. */
  end(): void {
    clearTimeout(this.#outside);
    this.#base = undefined;
    this.#connected(undefined);
  }

  /** Ends once what the page reports while it closes is written. */
  async close(): Promise<void> {
    await this.settle();
    await this.#turn;
    this.end();
  }

  /** Whether what the page shows is that of the document. */
  get isInStep(): boolean {
    return this.#base !== undefined;
  }

  /** The text that the page loads. */
  read(): string {
    const { text, workflow } = this.document();
    this.#served = { text, workflow };
    return this.#graphs.textOf(text) ?? workflow.text;
  }

  connect(page: WebSocket): void {
    this.#connected(page);
    page.on('message', (data: Buffer) => {
      if (page === this.#page) this.#receive(data.toString());
    });
    page.on('close', () => {
      if (page === this.#page) this.#connected(undefined);
    });
  }

  /** Resolves when what is in the page is in the document. False if the page doesn't answer in time. */
  settle(isRun = false): Promise<boolean> {
    if (!this.#page || !this.#base) return Promise.resolve(true);
    const ask = ++this.#asked;
    return new Promise((resolve) => {
      const end = (isDone: boolean): void => {
        clearTimeout(late);
        this.#asks.delete(ask);
        resolve(isDone);
      };
      const late = setTimeout(() => end(false), budgets.canvasWait);
      this.#asks.set(ask, () => void this.#turn.then(() => end(true)));
      this.send({ type: 'ask', ask, isRun });
    });
  }

  /** The page saves: `state` is what it would store. @throws Error while it loads */
  async take(state: string): Promise<void> {
    if (!this.#base) throw new Error('The page is loading.');
    this.#queue({ type: 'state', load: this.#load, state, by: 'user' });
    await this.#turn;
  }

  /** The text of the document has changed. */
  documentChanged(): void {
    if (this.document().text === this.#writing) return;
    clearTimeout(this.#outside);
    this.#outside = setTimeout(() => void this.#loadChanged(), outsideDelay);
  }

  showDirty(): void {
    this.send({ type: 'dirty', isDirty: this.document().isDirty });
  }

  /** Asks for the workflow that the page shows in place of ours. */
  askOther(): void {
    this.#asksOther = true;
    this.send({ type: 'askOther' });
  }

  send(message: ToComfyPage): void {
    this.#page?.send(JSON.stringify(message));
  }

  #connected(page: WebSocket | undefined): void {
    const gone = this.#page;
    this.#page = page;
    gone?.close(replacedCode);
    if (!page) clearTimeout(this.#late);
    // Nobody waits for a page that is gone.
    for (const answered of this.#asks.values()) answered();
  }

  async #loadChanged(): Promise<void> {
    const load = this.#load;
    // Edits in the page that were made before are written, if they can be; that may load it, too.
    await this.settle();
    await this.#inTurn(() => load === this.#load && this.#reload());
  }

  #reload(): void {
    this.#base = undefined;
    const { text, workflow, catalog } = this.document();
    this.view.say('text', isEditable(this.document()) ? undefined : notGraphWords);
    // One that connects says hello, and is told then. One that can't load the text takes no edits.
    if (!this.#page) return;
    this.#expectLoad();
    const hasNoGraph = workflow.format.kind === 'api' && catalog && this.#graphs.textOf(text) === undefined;
    const prompt = hasNoGraph ? { prompt: importedPrompt(workflow) } : {};
    this.#importing = text;
    this.send({ type: 'load', load: ++this.#load, unbound: unboundWords.line(), ...prompt });
  }

  #receive(text: string): void {
    const message = parsedMessage(text);
    switch (message?.type) {
      case 'hello':
        if (message.load === 0 || message.load !== this.#load || !this.#base) this.#reload();
        return;
      case 'imported':
        if (message.load !== this.#load || this.#base) return;
        this.#graphs.remember(this.#importing, message.state);
        this.#reload();
        return;
      case 'loaded':
        if (message.load === this.#load && this.#served) this.#loaded(message, this.#served);
        return;
      case 'state':
        if (message.load === this.#load) this.#queue(message);
        return;
      case 'answer':
        this.#asks.get(message.ask)?.();
        return;
      case 'active':
        this.view.say('other', message.isOurs ? undefined : otherWords);
        return;
      case 'other':
        if (this.#asksOther) this.view.saveOther(message.name, message.state);
        this.#asksOther = false;
        return;
      case 'failed':
        clearTimeout(this.#late);
        if (isEditable(this.document())) this.view.say('page', pageFailureWords(message.reason));
        else this.view.say('text', notGraphWords);
        return;
      case 'link':
        this.view.followLink(message.address);
        return;
      case undefined:
    }
  }

  #loaded(
    { state, unknownTypes }: Extract<FromComfyPage, { readonly type: 'loaded' }>,
    served: Served,
  ): void {
    clearTimeout(this.#late);
    this.#base = { ...served, state };
    this.#unknownTypes = new Set(unknownTypes);
    this.#waiting.length = 0;
    this.#history.clear();
    this.#history.remember(state, served.text);
    this.showDirty();
    for (const subject of ['page', 'other'] as const) this.view.say(subject, undefined);
    // It may have changed after it was served.
    if (this.document().text !== served.text) this.documentChanged();
  }

  #queue(reported: StateOfPage): void {
    // A state of the page itself must not contain an edit.
    const last = this.#waiting.length < mostWaiting ? undefined : this.#waiting.pop();
    this.#waiting.push(last && last.by !== reported.by ? { ...reported, by: 'user' } : reported);
    void this.#inTurn(async () => {
      const next = this.#waiting.shift();
      try {
        if (next) await this.#write(next.state, next.by);
      } catch (error) {
        this.view.say('edit', unwrittenWords(problemText(error)));
        this.#reload();
      }
    });
  }

  async #write(state: string, by: StateOfPage['by'] = 'user'): Promise<void> {
    const base = this.#base;
    if (!base || state === base.state) return;
    // The record of the run has the seeds that were sent.
    const edited = by === 'user' ? state : stateBeforeRun(base.state, state, by);
    const made = this.#changeTo(edited, base);
    const mayWrite = made.kind === 'refused' || (await this.#mayAdopt(made.adopted));
    // The question may have been open for long.
    if (this.#base !== base) return;
    const now = this.document().text;
    const change = mergedChange(made, base.text, now);
    if (change.kind === 'refused' || !mayWrite) {
      if (change.kind === 'refused') this.view.say('edit', refusalWords(change));
      this.#reload();
      return;
    }
    if (change.edits.length > 0) await this.#change(now, change.edits);
    const { text, workflow } = this.document();
    this.#base = { text, workflow, state };
    const isPrompt = workflow.format.kind === 'api';
    if (isPrompt) this.#graphs.remember(text, state);
    if (change.edits.length > 0) this.view.say('edit', undefined);
    else if (isPrompt && by === 'user' && !this.#saidUnkept && this.#history.textOf(state) === undefined) {
      this.#saidUnkept = true;
      this.view.say('edit', unkeptWords);
    }
    this.#history.remember(state, text);
    // The page doesn't have what has changed elsewhere.
    if (now !== base.text) this.#reload();
  }

  #changeTo(state: string, { text, workflow, state: before }: Base): CanvasChange {
    const earlier = this.#history.textOf(state);
    if (earlier === undefined) {
      const { catalog } = this.document();
      return workflow.format.kind === 'api' && catalog
        ? promptChange(workflow, before, state, catalog)
        : canvasChange(workflow, before, state, (type) => !this.#unknownTypes.has(type));
    }
    const back = textDifference(text, earlier);
    return { kind: 'edits', edits: back ? [back] : [], text: earlier, adopted: [] };
  }

  async #mayAdopt(all: Extract<CanvasChange, { readonly kind: 'edits' }>['adopted']): Promise<boolean> {
    const asked = all.filter(({ id }) => !this.#adopted.has(id));
    const length = asked.reduce((sum, each) => sum + each.length, 0);
    const names = asked.map(({ name }) => name);
    if (names.length > 0 && !(await this.view.mayAdopt(names, length))) return false;
    for (const { id } of asked) this.#adopted.add(id);
    return true;
  }

  /** Our own change is recognized by the text that it makes: another one may come at the same time. */
  async #change(text: string, edits: readonly TextEdit[]): Promise<void> {
    const { lineEnd } = this.document();
    const ended = edits.map((edit) => ({ ...edit, newText: edit.newText.replace(/\r?\n/g, lineEnd) }));
    this.#writing = applyEdits(text, ended);
    try {
      await this.view.change(ended);
    } finally {
      this.#writing = undefined;
    }
  }

  /** One after the other: each change starts from the text that the one before has made. */
  #inTurn(work: () => unknown): Promise<void> {
    const turn = this.#turn.then(work).then(() => undefined);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

export function isEditable({ workflow, catalog }: Pick<CanvasDocument, 'workflow' | 'catalog'>): boolean {
  const { kind } = workflow.format;
  return kind === 'graph' || (kind === 'api' && catalog !== undefined);
}

/** Scripts of others speak in the page, too: what isn't a message is dropped. */
function parsedMessage(text: string): FromComfyPage | undefined {
  try {
    return comfyPageMessages.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
