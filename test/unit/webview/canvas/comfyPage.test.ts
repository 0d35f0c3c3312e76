import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromComfyPage, ToComfyPage } from '../../../../src/webview/contract/canvasPanel';

/** The end of the module's socket that the test holds. */
class Socket extends EventTarget {
  static readonly OPEN = 1;
  static latest: Socket;
  readyState = 0;
  readonly sent: FromComfyPage[] = [];

  constructor() {
    super();
    Socket.latest = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromComfyPage);
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  drop(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }));
  }

  async receive(message: ToComfyPage): Promise<void> {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
    await vi.advanceTimersByTimeAsync(1000);
  }
}

const api = new EventTarget();
const tracker = () => ({ undoQueue: [], redoQueue: [], reset: () => undefined });
const ours = {
  ...{ path: 'workflows/fox.json', isModified: false, activeState: {}, changeTracker: tracker() },
  load: () => Promise.resolve(),
};
const other = { path: 'workflows/other.json', isModified: true };
const store = {
  ...{ activeWorkflow: ours as object, openWorkflows: [ours, other] },
  getWorkflowByPath: () => ours,
  syncWorkflows: () => Promise.resolve(),
  closeWorkflow: vi.fn(() => Promise.resolve()),
};
const toast = { add: vi.fn(), dismissAll: vi.fn() };
const foxId = 'bb6c3354-ae25-42de-b764-fde600329bb8';
let [seed, steps, width] = [5, 20, 100];
let isLoadable = true;
const graph = {
  id: foxId,
  serialize: () => ({ nodes: [{ id: 1, size: [width, 50], widgets_values: [seed, 'randomize', steps] }] }),
};
const app = {
  ...{
    graph,
    canvas: { resizing_node: undefined as unknown },
    api,
    processingQueue: false as boolean | undefined,
  },
  extensionManager: { spinner: false, workflow: store, setting: { set: () => Promise.resolve() }, toast },
  loadGraphData: () => Promise.resolve(isLoadable),
  loadApiJson: vi.fn((_prompt: unknown, name: string): Promise<void> => {
    store.activeWorkflow = { path: `workflows/${name}`, isModified: true };
    store.openWorkflows = [ours, other, store.activeWorkflow as typeof other];
    return Promise.resolve();
  }),
};
const body = { inert: false };
const hasFocus = vi.fn(() => true);
const page: EventTarget & { parent?: unknown } = Object.assign(new EventTarget(), {
  ...{ app, LiteGraph: { registered_node_types: {} } },
  __COMFYUI_FRONTEND_VERSION__: '1.58.1',
});
page.parent = page;

beforeEach(async () => {
  vi.useFakeTimers();
  [store.activeWorkflow, store.openWorkflows] = [ours, [ours]];
  [isLoadable, graph.id, app.processingQueue] = [true, foxId, false];
  ours.changeTracker = tracker();
  for (const called of [toast.add, store.closeWorkflow, hasFocus]) called.mockClear();
  app.canvas.resizing_node = undefined;
  vi.resetModules();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { body, hidden: false, hasFocus }));
  vi.stubGlobal('location', { pathname: '/secret/canvas/', origin: 'http://127.0.0.1' });
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', () => Promise.resolve({ json: () => Promise.resolve(['fox.json']) }));
  await import('../../../../src/webview/canvas/comfyPage');
  await vi.advanceTimersByTimeAsync(100);
  Socket.latest.open();
  await Socket.latest.receive({ type: 'load', load: 1, unbound: 'Gone.' });
});

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Who has made the changes that were reported since the last time. */
async function reported(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(2000);
  return Socket.latest.sent.splice(0).flatMap((each) => (each.type === 'state' ? [each.by] : []));
}

describe('the module in a ComfyUI page', () => {
  it('reports what changes while a run is sent as of the page, until the user works or the run is over', async () => {
    expect(await reported()).toEqual([]);
    const changes: string[] = [];
    const change = async (): Promise<void> => {
      steps++;
      changes.push(...(await reported()));
    };
    await change();
    api.dispatchEvent(new Event('promptQueueing'));
    app.processingQueue = true;
    await change();
    page.dispatchEvent(Object.assign(new Event('pointermove'), { buttons: 1 }));
    await change();
    api.dispatchEvent(new Event('promptQueueing'));
    // The first of two was sent.
    api.dispatchEvent(new Event('promptQueued'));
    await change();
    // The second was refused: the page says nothing.
    app.processingQueue = false;
    await change();
    expect(changes).toEqual(['user', 'queue', 'touched', 'queue', 'user']);
  });

  it('reports seeds of 1.27, which says only that a run was sent, and what the connection lost, as of the page', async () => {
    app.processingQueue = undefined;
    await reported();
    // The first prompt of two was sent: its seed rolls, and the second asks.
    seed++;
    await Socket.latest.receive({ type: 'ask', ask: 1, isRun: true });
    expect(await reported()).toEqual(['touched']);
    seed++;
    api.dispatchEvent(new Event('promptQueued'));
    steps++;
    expect(await reported()).toEqual(['touched', 'user']);
    app.processingQueue = true;
    Socket.latest.drop();
    steps++;
    api.dispatchEvent(new Event('promptQueueing'));
    await vi.advanceTimersByTimeAsync(1000);
    Socket.latest.open();
    expect(await reported()).toEqual(['touched']);
  });

  it('reports sizes that outputs give nodes, whether or not it has the focus, but not those that the user drags', async () => {
    hasFocus.mockReturnValueOnce(false);
    api.dispatchEvent(new Event('executed'));
    width++;
    expect(await reported()).toEqual(['output']);
    api.dispatchEvent(new Event('executed'));
    page.dispatchEvent(Object.assign(new Event('pointermove'), { buttons: 1 }));
    width++;
    expect(await reported()).toEqual(['output']);
    app.canvas.resizing_node = {};
    page.dispatchEvent(Object.assign(new Event('pointermove'), { buttons: 1 }));
    width++;
    expect(await reported()).toEqual(['user']);
  });

  it('reports no graph in place of the file, whose load failed, and loads the file again', async () => {
    await reported();
    graph.id = '00000000-0000-0000-0000-000000000000';
    steps++;
    expect(await reported()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(Socket.latest.sent).toEqual([{ type: 'hello', load: 0 }]);
    graph.id = foxId;
    await Socket.latest.receive({ type: 'load', load: 2, unbound: 'Gone.' });
    // The user clears it.
    graph.id = '00000000-0000-0000-0000-000000000000';
    api.dispatchEvent(new Event('graphCleared'));
    steps++;
    expect(await reported()).toEqual(['user']);
    // Undo gives it another ID.
    graph.id = 'ed6fa777-48b6-42bd-97c0-2375a12e7faa';
    steps--;
    expect(await reported()).toEqual(['user']);
  });

  it('leaves other workflows open when it loads the file again, since they may have edits', async () => {
    store.openWorkflows = [ours, other];
    ours.changeTracker = tracker();
    await vi.advanceTimersByTimeAsync(2000);
    expect(Socket.latest.sent.at(-1)).toEqual({ type: 'hello', load: 0 });
    await Socket.latest.receive({ type: 'load', load: 2, unbound: 'Gone.' });
    expect(store.closeWorkflow).not.toHaveBeenCalled();
  });

  it('says again which workflow is active once the connection is back', async () => {
    Socket.latest.drop();
    store.activeWorkflow = other;
    await vi.advanceTimersByTimeAsync(2000);
    Socket.latest.open();
    expect(Socket.latest.sent.slice(0, 2)).toEqual([
      { type: 'hello', load: 1 },
      { type: 'active', isOurs: false },
    ]);
  });

  it('takes no edits once it could not load the file, and says why until it can', async () => {
    isLoadable = false;
    await Socket.latest.receive({ type: 'load', load: 2, unbound: 'Gone.' });
    expect([body.inert, Socket.latest.sent.at(-1)]).toEqual([true, { type: 'failed', reason: 'notLoaded' }]);
    await Socket.latest.receive({ type: 'say', words: 'It could not load.' });
    expect(toast.add).toHaveBeenCalledWith({
      severity: 'warn',
      summary: 'It could not load.',
      life: 86_400_000,
    });
    // Another workflow can be left, and then the file is loaded again.
    store.activeWorkflow = other;
    await vi.advanceTimersByTimeAsync(2000);
    expect(body.inert).toBe(false);
    store.activeWorkflow = ours;
    await vi.advanceTimersByTimeAsync(2000);
    expect([body.inert, Socket.latest.sent.at(-1)]).toEqual([true, { type: 'hello', load: 0 }]);
    isLoadable = true;
    await Socket.latest.receive({ type: 'load', load: 3, unbound: 'Gone.' });
    expect(body.inert).toBe(false);
    expect(toast.dismissAll).toHaveBeenCalled();
  });

  it('makes a graph of a prompt in a tab of its own, and takes no edits until that is loaded as the file', async () => {
    await reported();
    await Socket.latest.receive({ type: 'load', load: 2, unbound: '', prompt: '{"1":{}}' });
    expect(app.loadApiJson.mock.lastCall?.[0]).toEqual({ 1: {} });
    const state = JSON.stringify(graph.serialize());
    expect([body.inert, Socket.latest.sent]).toEqual([true, [{ type: 'imported', load: 2, state }]]);
    const [imported] = store.openWorkflows.slice(-1);
    [store.activeWorkflow, Socket.latest.sent.length] = [ours, 0];
    await Socket.latest.receive({ type: 'load', load: 3, unbound: 'Gone.' });
    expect(body.inert).toBe(false);
    // The other one may have edits.
    expect(store.closeWorkflow.mock.calls).toEqual([[imported]]);
    app.loadApiJson.mockResolvedValueOnce();
    await Socket.latest.receive({ type: 'load', load: 4, unbound: '', prompt: '{}' });
    expect(Socket.latest.sent.at(-1)).toEqual({ type: 'failed', reason: 'notLoaded' });
  });
});
