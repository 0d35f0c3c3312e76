import type { WebSocket } from 'ws';
import { canvasChange, type RefusedChange } from '../../core/canvas/canvasChange';
import { applyEdits, type TextEdit } from '../../core/json/textEdit';
import { budgets } from '../../core/safety/budgets';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { comfyPageMessages, type FromComfyPage, type ToComfyPage } from '../../webview/contract/canvas';

/** The document of a canvas. */
export interface CanvasDocument {
  readonly text: string;
  readonly workflow: WorkflowDocument;
  readonly lineEnd: '\n' | '\r\n';
  readonly isDirty: boolean;
  /** One step for undo. @throws Error if the document can't be changed */
  change(edits: readonly TextEdit[]): Promise<void>;
}

/** What a binding says to the one who shows it. */
export interface CanvasEvents {
  loaded(): void;
  written(): void;
  /** An edit in the page was taken back, because it can't be written. */
  refused(why: RefusedChange): void;
  /** Edits were taken back, because the same places have changed in the document. */
  lost(): void;
  /** The document can't be changed. */
  notWritten(error: unknown): void;
  /** The text is no graph any more; nothing is written until it is one again. */
  unreadable(): void;
  showsOurs(isOurs: boolean): void;
  failed(reason: Extract<FromComfyPage, { readonly type: 'failed' }>['reason']): void;
  followLink(address: string): void;
  saveOther(name: string, state: string): void;
  /** Whether these subgraphs may be written as the page has them. */
  mayAdopt(names: readonly string[], length: number): Promise<boolean>;
}

/** A state of the page, and the text that it stands for. */
interface Base {
  readonly text: string;
  readonly workflow: WorkflowDocument;
  readonly state: string;
}

/** States that wait to be written; more are steps that can be skipped. */
const mostWaiting = 20;
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
  #served: Omit<Base, 'state'> | undefined;
  /** Undefined while the page loads. */
  #base: Base | undefined;
  #unknownTypes: ReadonlySet<string> = new Set();
  readonly #adopted = new Set<string>();
  /** The text that the document has after the change that is being made. */
  #writing: string | undefined;
  readonly #waiting: string[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #lastAsk = 0;
  readonly #asks = new Map<number, () => void>();
  #outside: NodeJS.Timeout | undefined;

  constructor(
    private readonly document: CanvasDocument,
    private readonly events: CanvasEvents,
  ) {}

  /** The text that the page loads. */
  read(): string {
    const { text, workflow } = this.document;
    this.#served = { text, workflow };
    return workflow.text;
  }

  connect(page: WebSocket): void {
    this.#page?.close();
    this.#page = page;
    page.on('message', (data: Buffer) => {
      if (page === this.#page) this.#receive(data.toString());
    });
    page.on('close', () => {
      if (page === this.#page) this.close();
    });
  }

  /** Forgets the page, which is gone. */
  close(): void {
    this.#page?.close();
    this.#page = undefined;
    for (const answered of this.#asks.values()) answered();
  }

  /** Resolves when what is in the page is in the document. False if the page doesn't answer in time. */
  async settle(): Promise<boolean> {
    if (!this.#page || !this.#base) return true;
    const { promise: late, cancel } = afterTime(budgets.canvasWait);
    const done = this.#ask().then(() => this.#turn);
    const isDone = await Promise.race([done.then(() => true), late.then(() => false)]);
    cancel();
    return isDone;
  }

  /** The page saves: `state` is what it would store. @throws Error while it loads */
  async take(state: string): Promise<void> {
    if (!this.#base) throw new Error('loading');
    await this.#inTurn(() => this.#write(state));
  }

  /** The text of the document has changed. */
  documentChanged(): void {
    if (this.document.text === this.#writing) return;
    clearTimeout(this.#outside);
    this.#outside = setTimeout(() => void this.#loadAfterEdits(), outsideDelay);
  }

  showDirty(): void {
    this.#send({ type: 'dirty', isDirty: this.document.isDirty });
  }

  /** Asks for the workflow that the page shows in place of ours. */
  askOther(): void {
    this.#send({ type: 'askOther' });
  }

  setSetting(id: string, value: string): void {
    this.#send({ type: 'setting', id, value });
  }

  dispose(): void {
    clearTimeout(this.#outside);
    this.close();
  }

  /** Edits in the page that were made before the document changed are written, if they can be. */
  async #loadAfterEdits(): Promise<void> {
    await this.settle();
    await this.#inTurn(() => this.#reload());
  }

  #reload(): void {
    this.#base = undefined;
    if (this.document.workflow.format.kind !== 'graph') {
      this.events.unreadable();
      return;
    }
    this.#load++;
    this.#send({ type: 'load', load: this.#load });
  }

  #receive(text: string): void {
    const message = parsed(text);
    switch (message?.type) {
      case 'hello':
        if (message.load === 0 || message.load !== this.#load || !this.#base) this.#reload();
        return;
      case 'loaded':
        if (message.load === this.#load && this.#served) this.#begin(message, this.#served);
        return;
      case 'state':
        if (message.load === this.#load) this.#queue(message.state);
        return;
      case 'answer':
        this.#asks.get(message.ask)?.();
        return;
      case 'active':
        this.events.showsOurs(message.isOurs);
        return;
      case 'other':
        this.events.saveOther(message.name, message.state);
        return;
      case 'failed':
        this.events.failed(message.reason);
        return;
      case 'link':
        this.events.followLink(message.address);
        return;
      case undefined:
    }
  }

  #begin(
    { state, unknownTypes }: Extract<FromComfyPage, { type: 'loaded' }>,
    served: Omit<Base, 'state'>,
  ): void {
    this.#base = { ...served, state };
    this.#unknownTypes = new Set(unknownTypes);
    this.#waiting.length = 0;
    this.showDirty();
    this.events.loaded();
    // It may have changed after it was served.
    if (this.document.text !== served.text) this.documentChanged();
  }

  #queue(state: string): void {
    this.#waiting.push(state);
    if (this.#waiting.length > mostWaiting) this.#waiting.shift();
    void this.#inTurn(async () => {
      const next = this.#waiting.shift();
      if (next !== undefined) await this.#write(next);
    });
  }

  async #write(state: string): Promise<void> {
    const base = this.#base;
    if (!base || state === base.state) return;
    const change = canvasChange(base.workflow, base.state, state, (type) => !this.#unknownTypes.has(type));
    if (change.kind === 'refused') {
      this.events.refused(change);
      this.#reload();
      return;
    }
    const adopted = change.adopted.filter(({ id }) => !this.#adopted.has(id));
    const length = adopted.reduce((sum, each) => sum + each.length, 0);
    if (
      adopted.length > 0 &&
      !(await this.events.mayAdopt(
        adopted.map(({ name }) => name),
        length,
      ))
    ) {
      this.#reload();
      return;
    }
    for (const { id } of adopted) this.#adopted.add(id);
    if (this.document.text !== base.text) {
      this.events.lost();
      this.#reload();
      return;
    }
    if (change.edits.length > 0) {
      try {
        await this.#change(base.text, change.edits);
      } catch (error) {
        this.events.notWritten(error);
        this.#reload();
        return;
      }
      this.events.written();
    }
    const { text, workflow } = this.document;
    this.#base = { text, workflow, state };
  }

  /** Our own change is recognized by the text that it makes: another one may come at the same time. */
  async #change(text: string, edits: readonly TextEdit[]): Promise<void> {
    const { lineEnd } = this.document;
    const ended = edits.map((edit) => ({ ...edit, newText: edit.newText.replace(/\r?\n/g, lineEnd) }));
    this.#writing = applyEdits(text, ended);
    try {
      await this.document.change(ended);
    } finally {
      this.#writing = undefined;
    }
  }

  #inTurn(work: () => unknown): Promise<void> {
    const turn = this.#turn.then(work).then(() => undefined);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #ask(): Promise<void> {
    const ask = ++this.#lastAsk;
    return new Promise((resolve) => {
      this.#asks.set(ask, () => {
        this.#asks.delete(ask);
        resolve();
      });
      this.#send({ type: 'ask', ask });
    });
  }

  #send(message: ToComfyPage): void {
    this.#page?.send(JSON.stringify(message));
  }
}

/** Scripts of others speak in the page, too: what isn't a message is dropped. */
function parsed(text: string): FromComfyPage | undefined {
  try {
    return comfyPageMessages.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function afterTime(ms: number): { readonly promise: Promise<void>; readonly cancel: () => void } {
  let cancel = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    cancel = () => clearTimeout(timer);
  });
  return { promise, cancel };
}
