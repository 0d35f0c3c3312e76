import type { FromComfyPage, ToComfyPage } from '../contract/canvasPanel';
import { replacedCode } from '../contract/constants';
import { type ComfyApp, graphOf, pageLack, startedApp, unknownTypes, type Workflow } from './comfyApp';
import { forwardKey, isForwardedKey } from './forwardedKey';

/** Two serializations with this time (ms) between them are equal once the page has set everything that it sets later. */
const settleTime = 150;
const settleLimit = 20_000;
/** A change is reported once it has settled, and without that after this time. */
const changeLimit = 600;
/** The file is no longer bound once as many connections have failed in a row, one in each second. */
const mostFailures = 2;
const wholeDay = 86_400_000;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Another workflow is loaded within this time. */
const otherTime = 2000;

/** Pictures of an output are loaded, and their nodes sized, within this time. */
const outputTime = 3000;

/** The path of the page without its last part, which the page puts before everything that it asks for. */
const base = location.pathname.replace(/\/[^/]*$/, '');

/**
 * Runs in the ComfyUI page, among its extensions. It opens the file as the workflow that the page has stored, reports
 * what the page would write, and reports nothing while another workflow is active.
 */
class ComfyPage {
  #socket: WebSocket | undefined;
  /** Whether edits of the page are taken. */
  #isBound = true;
  #failures = 0;
  #unboundWords: string | undefined;
  #load = 0;
  #isLoading = false;
  /** The page shows something of which nothing can be written, or loads. */
  #hasFailed = false;
  /** Of the loaded file: the page makes another one whenever it loads a file itself. */
  #tracker: Workflow['changeTracker'] = null;
  /** By which the file's graph is known; undefined if the page doesn't keep it. */
  #graphId: string | undefined;
  /** When the page began to show another graph in place of the file's, ms. */
  #otherAt: number | undefined;
  /** The tab in which a prompt became a graph. */
  #imported: Workflow | null = null;
  #reported: string | undefined;
  #isOurs = true;
  #isDirty = false;
  /** The page is about to run its prompt, and sets new seeds before or after it does. The user may work meanwhile. */
  #queueing: 'queue' | 'touched' | undefined;
  /** When a node showed an output last, ms. */
  #outputAt = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param path of the file, as the page knows it */
  constructor(
    private readonly app: ComfyApp,
    private readonly path: string,
  ) {}

  start(): void {
    this.#connect();
    // Each takes a while, and nothing waits long behind them.
    let isDue = false;
    const report = (): void => {
      if (isDue) return;
      isDue = true;
      this.#inTurn(() => {
        isDue = false;
        return this.#report();
      });
    };
    this.app.api.addEventListener('graphChanged', report);
    this.app.api.addEventListener('graphCleared', () => {
      // The user has emptied it. Each undo and redo may give it another ID from now on.
      if (this.app.extensionManager.workflow.activeWorkflow?.path === this.path) this.#graphId = undefined;
    });
    this.app.api.addEventListener('promptQueueing', () => {
      this.#reportNow();
      this.#queueing = 'queue';
    });
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, () => this.#touched(), true);
    // A button may have been down before.
    window.addEventListener('pointermove', ({ buttons }) => buttons > 0 && this.#dragged(), true);
    this.app.api.addEventListener('promptQueued', () => {
      this.#reportNow();
      // Another prompt may wait. A page that doesn't say so has none.
      if (this.app.processingQueue === undefined) this.#queueing = undefined;
    });
    // A hidden page shows its outputs once it is in sight.
    this.app.api.addEventListener(
      'executed',
      () => (this.#outputAt = document.hidden ? Infinity : Date.now()),
    );
    window.addEventListener('blur', report);
    document.addEventListener('visibilitychange', () => {
      if (this.#outputAt === Infinity) this.#outputAt = Date.now();
      report();
    });
    // There is no time to wait until it has settled.
    window.addEventListener('pagehide', () => this.#reportNow());
    setInterval(() => {
      if (document.hasFocus() || this.#showsOutput) report();
      else this.#isActive();
    }, 1000);
    if (window.parent === window) return;
    this.#followLinks();
    // The key may close the editor.
    window.addEventListener('keydown', (event) => isForwardedKey(event) && this.#reportNow(), true);
  }

  #connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${base}/comfy-deck/socket`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (this.#failures >= mostFailures) this.#saysNothing();
      this.#failures = 0;
      this.#isBound = true;
      this.#takeEdits();
      // What was reported last may not have arrived.
      this.#reported = undefined;
      if (this.#queueing) this.#queueing = 'touched';
      this.#send({ type: 'hello', load: this.#load });
      if (this.#load > 0) this.#send({ type: 'active', isOurs: this.#isOurs });
    });
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as ToComfyPage));
    socket.addEventListener('close', ({ code }) => {
      // Two tabs with one file would take it from each other.
      const isElsewhere = code === replacedCode && !document.hasFocus();
      if (isElsewhere) window.addEventListener('focus', () => this.#connect(), { once: true });
      else setTimeout(() => this.#connect(), 1000);
      if (!isElsewhere && ++this.#failures < mostFailures) return;
      this.#isBound = false;
      this.#takeEdits();
      if (this.#failures === mostFailures && this.#unboundWords !== undefined)
        this.#say(this.#unboundWords, wholeDay);
    });
  }

  #takeEdits(): void {
    // An edit made before the file has settled would seem to be a part of it, and would never be written.
    // Another workflow can be left.
    document.body.inert = this.#isLoading || (this.#hasFailed && this.#isOurs) || !this.#isBound;
  }

  #say(summary: string, life = 10_000): void {
    this.app.extensionManager.toast?.add({ severity: 'warn', summary, life });
  }

  #saysNothing(): void {
    const { toast } = this.app.extensionManager;
    if (toast?.dismissAll) toast.dismissAll();
    else toast?.removeAll?.();
  }

  #send(message: FromComfyPage): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    else socket?.addEventListener('open', () => socket.send(JSON.stringify(message)), { once: true });
  }

  #receive(message: ToComfyPage): void {
    switch (message.type) {
      case 'load':
        this.#unboundWords = message.unbound;
        this.#inTurn(() => this.#loadFile(message.load, message.prompt));
        return;
      case 'ask':
        // Version 1.27 doesn't say that it runs, only that it did.
        if (message.isRun) this.#queueing ??= 'touched';
        this.#inTurn(async () => {
          await this.#report();
          this.#send({ type: 'answer', ask: message.ask });
        });
        return;
      case 'askOther': {
        const path = this.app.extensionManager.workflow.activeWorkflow?.path;
        if (path === undefined || path === this.path) return;
        this.#send({ type: 'other', name: path.replace(/^.*\//, ''), state: this.#state() });
        return;
      }
      case 'say':
        this.#say(message.words, this.#hasFailed && !this.#isLoading ? wholeDay : undefined);
        return;
      case 'setting':
        void this.app.extensionManager.setting.set(message.id, message.value);
        return;
      case 'dirty':
        this.#isDirty = message.isDirty;
        this.#markDirty();
    }
  }

  /** One after the other: a state is never taken while a file is being loaded. */
  #inTurn(work: () => unknown): void {
    this.#turn = this.#turn.then(work).catch(() => undefined);
  }

  /** @param prompt to make a graph of, with which the host then answers for the file */
  async #loadFile(load: number, prompt?: string): Promise<void> {
    let isImported = false;
    this.#isLoading = true;
    this.#takeEdits();
    if (this.#hasFailed) this.#saysNothing();
    this.#hasFailed = true;
    try {
      const lack = pageLack(this.app);
      const state = lack ? undefined : await (prompt === undefined ? this.#open() : this.#import(prompt));
      if (state === undefined) {
        this.#send({ type: 'failed', reason: lack ?? 'unsettled' });
        return;
      }
      isImported = prompt !== undefined;
      if (isImported) {
        this.#send({ type: 'imported', load, state });
        return;
      }
      this.#hasFailed = false;
      this.#load = load;
      this.#reported = state;
      this.#isOurs = true;
      this.#markDirty();
      this.#send({ type: 'loaded', load, state, unknownTypes: unknownTypes(state) });
    } catch {
      this.#send({ type: 'failed', reason: 'notLoaded' });
    } finally {
      this.#isLoading = isImported;
      this.#takeEdits();
    }
  }

  /** Returns the graph of a prompt, in a tab of its own. @throws Error */
  async #import(prompt: string): Promise<string | undefined> {
    const { workflow: store } = this.app.extensionManager;
    const before = store.activeWorkflow;
    // No stored workflow may have the name.
    await this.app.loadApiJson(JSON.parse(prompt), `${Date.now()}.json`);
    this.#imported = store.activeWorkflow;
    // Old pages only show a message.
    if (this.#imported === before) throw new Error(this.path);
    return this.#settled(settleLimit);
  }

  /** Returns the state of the loaded file once it has settled; undefined if it doesn't. @throws Error */
  async #open(): Promise<string | undefined> {
    const { app, path } = this;
    const store = app.extensionManager.workflow;
    const inside = app.canvas.subgraph?.id;
    if (!store.getWorkflowByPath(path)) await store.syncWorkflows();
    const file = store.getWorkflowByPath(path);
    await file?.load({ force: true });
    const isFirst = !this.#tracker;
    if (!file || (await app.loadGraphData(file.activeState, true, isFirst, file)) === false) {
      throw new Error(path);
    }
    // The page begins with a workflow of its own, and keeps the one that was saved under another name.
    const others = store.openWorkflows.filter(
      (each) => each.path !== path && (isFirst || !each.isModified || each === this.#imported),
    );
    for (const other of others) await store.closeWorkflow(other);
    const subgraph = inside === undefined ? undefined : graphOf(app).subgraphs?.get(inside);
    if (subgraph) app.canvas.setGraph?.(subgraph);
    const tracker = (this.#tracker = file.changeTracker);
    const { id } = graphOf(app);
    this.#graphId = id !== undefined && uuid.test(id) ? id : undefined;
    const forget = (): unknown => [tracker?.undoQueue, tracker?.redoQueue].map((steps) => steps?.splice(0));
    // Keys reach an inert page.
    forget();
    const state = await this.#settled(settleLimit);
    if (store.activeWorkflow?.path !== path) throw new Error(path);
    // What has settled since is no change of the user, and can't be undone.
    tracker?.reset(JSON.parse(this.#state()));
    forget();
    return state;
  }

  /** The star of the page says what the dot of VS Code says. */
  #markDirty(): void {
    const file = this.app.extensionManager.workflow.getWorkflowByPath(this.path);
    if (file && file.isModified !== this.#isDirty) file.isModified = this.#isDirty;
  }

  async #report(): Promise<void> {
    // Nobody edits a hidden page, whose timers are slow.
    if (this.#isActive() && !document.hidden) await this.#settled(changeLimit);
    this.#reportNow();
  }

  get #showsOutput(): boolean {
    return Date.now() - this.#outputAt < outputTime;
  }

  /** What follows may be a size that the user gives a node. */
  #dragged(): void {
    if (this.app.canvas.resizing_node) {
      if (this.#showsOutput) this.#reportNow();
      this.#outputAt = 0;
    }
    this.#touched();
  }

  #touched(): void {
    if (this.#queueing !== 'queue') return;
    this.#reportNow();
    this.#queueing = 'touched';
  }

  #reportNow(): void {
    // Nothing says that a run was refused.
    if (this.app.processingQueue === false) this.#queueing = undefined;
    if (!this.#isActive()) return;
    const state = this.#state();
    if (state === this.#reported) {
      // The page may have set its star since. While there are edits, VS Code's answer to the last one is on its way.
      if (!this.#isDirty) this.#markDirty();
      return;
    }
    this.#reported = state;
    const by = this.#queueing ?? (this.#showsOutput ? 'output' : 'user');
    this.#send({ type: 'state', load: this.#load, state, by });
  }

  /** Whether the graph is that of the file. */
  #isActive(): boolean {
    if (this.#isLoading || this.#load === 0) return false;
    const active = this.app.extensionManager.workflow.activeWorkflow;
    const isOurs = active?.path === this.path;
    // The user has left what the page showed in its place.
    const isBack = this.#hasFailed && isOurs && !this.#isOurs;
    if (isOurs !== this.#isOurs) {
      this.#isOurs = isOurs;
      this.#takeEdits();
      this.#send({ type: 'active', isOurs });
    }
    const isOther = isOurs && this.#graphId !== undefined && graphOf(this.app).id !== this.#graphId;
    this.#otherAt = isOther ? (this.#otherAt ?? Date.now()) : undefined;
    // The graph is empty or another one before the page says so, and stays so if that can't be loaded.
    if (isOther && Date.now() - (this.#otherAt ?? 0) < otherTime) return false;
    if (!isOurs || (active.changeTracker === this.#tracker && !isBack && !isOther)) return isOurs;
    // The page has loaded the file itself: nobody knows from which text.
    this.#load = 0;
    this.#send({ type: 'hello', load: 0 });
    return false;
  }

  /** The state once it stays the same; undefined if it doesn't within a time (ms). */
  async #settled(limit: number): Promise<string | undefined> {
    const end = Date.now() + limit;
    for (let before = this.#state(); Date.now() < end;) {
      await sleep(settleTime);
      const now = this.#state();
      if (now === before) return now;
      before = now;
    }
    return undefined;
  }

  #state(): string {
    return JSON.stringify(graphOf(this.app).serialize());
  }

  /** A frame in VS Code opens no other pages. */
  #followLinks(): void {
    const isFollowed = (address: string): boolean => {
      const isElsewhere = /^https?:/.test(address) && new URL(address).origin !== location.origin;
      if (isElsewhere) this.#send({ type: 'link', address });
      return isElsewhere;
    };
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link && isFollowed(link.href)) event.preventDefault();
    };
    document.addEventListener('click', follow, true);
    const open = window.open.bind(window);
    window.open = (url, ...more) => {
      const address = new URL(String(url), location.href).href;
      return isFollowed(address) ? null : open(url, ...more);
    };
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function start(): Promise<void> {
  if (window.parent !== window) window.addEventListener('keydown', forwardKey);
  // The host says when it takes long.
  let app = startedApp();
  for (; !app; app = startedApp()) await sleep(50);
  // The file is the only workflow in the list.
  const list = await fetch(`${base}/api/userdata?dir=workflows`);
  const [name] = (await list.json()) as readonly [string];
  new ComfyPage(app, `workflows/${name}`).start();
}

void start();
