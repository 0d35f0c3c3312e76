// A small page that behaves as ComfyUI's does where a canvas touches it: how it starts, what it adds to a workflow when
// it loads one, what changes without an edit, its events, its undo, and how it saves.
const base = location.pathname.replace(/\/[^/]*$/, '');
const fetchApi = (route, options) => fetch(`${base}/api${route}`, options);
const clone = (value) => JSON.parse(JSON.stringify(value));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const settings = await (await fetchApi('/settings')).json();
const api = new EventTarget();
const clientId = window.name || 'page';
window.LiteGraph = { registered_node_types: { Note: {}, KSampler: {}, SaveImage: {} } };
window.__COMFYUI_FRONTEND_VERSION__ = settings['Test.Version'] ?? '1.58.1';

/** The graph as it is kept: what the file has and this page doesn't know is lost, as there. */
let kept = { nodes: [], links: [], groups: [], extra: {}, version: 0.4 };
let isSettled = true;
const graph = {
  serialize: () => ({
    id: kept.id ?? 'aaaaaaaa-0000-4000-8000-000000000000',
    revision: 0,
    last_node_id: Math.max(0, ...kept.nodes.map(({ id }) => id)),
    last_link_id: kept.last_link_id ?? 0,
    nodes: kept.nodes.map((node, order) => ({
      id: node.id,
      type: node.type,
      pos: [...node.pos],
      size: [...(node.size ?? [200, 100])],
      flags: node.flags ?? {},
      order,
      mode: node.mode ?? 0,
      inputs: (node.inputs ?? []).map((each) => ({ localized_name: each.name, ...each })),
      outputs: (node.outputs ?? []).map((each) => ({
        ...each,
        localized_name: isSettled ? each.name : undefined,
      })),
      ...(node.title !== undefined && { title: node.title }),
      properties: node.properties ?? {},
      widgets_values: node.widgets_values ?? [],
      widgets_values_named: Object.fromEntries(
        (node.widgets_values ?? []).map((value, at) => [`value ${at}`, value]),
      ),
    })),
    links: clone(kept.links),
    groups: clone(kept.groups ?? []),
    config: {},
    extra: { ...kept.extra, ds: { scale: 1, offset: [scrollX, scrollY] } },
    version: 0.4,
  }),
};
const stateText = (state) =>
  JSON.stringify({
    ...state,
    nodes: state.nodes.map(({ order: _, ...node }) => node).sort((a, b) => a.id - b.id),
    extra: { ...state.extra, ds: 0 },
  });

class Tracker {
  undoQueue = [];
  redoQueue = [];
  constructor(workflow, state) {
    Object.assign(this, { workflow, initialState: state, activeState: state });
  }
  reset(state) {
    // Seen by tests: the state to which changes are compared has settled.
    if (state && isSettled) tabs.dataset.loads = Number(tabs.dataset.loads ?? 0) + 1;
    if (state) this.activeState = clone(state);
    this.initialState = clone(this.activeState);
  }
  captureCanvasState() {
    const now = clone(graph.serialize());
    if (stateText(now) === stateText(this.activeState)) return;
    this.undoQueue.push(this.activeState);
    this.redoQueue.length = 0;
    this.activeState = now;
    this.changed();
  }
  changed() {
    this.workflow.isModified = stateText(this.initialState) !== stateText(this.activeState);
    api.dispatchEvent(new CustomEvent('graphChanged', { detail: this.activeState }));
    showTabs();
  }
  async step(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push(this.activeState);
    await configure(state);
    this.activeState = state;
    this.changed();
  }
}

class Workflow {
  #isModified = false;
  changeTracker = null;
  constructor(path, size) {
    Object.assign(this, { path, size });
  }
  get isModified() {
    return this.#isModified;
  }
  set isModified(isModified) {
    this.#isModified = isModified;
    showTabs();
  }
  get activeState() {
    return this.changeTracker?.activeState ?? null;
  }
  async load({ force = false } = {}) {
    if (!force && this.changeTracker) return this;
    const answer = await fetchApi(`/userdata/${encodeURIComponent(this.path)}`);
    if (answer.status !== 200) throw new Error(String(answer.status));
    this.changeTracker = new Tracker(this, JSON.parse(await answer.text()));
    return this;
  }
  async save() {
    if (store.activeWorkflow === this) this.changeTracker.captureCanvasState();
    const route = `/userdata/${encodeURIComponent(this.path)}?overwrite=${this.size !== -1}&full_info=true`;
    const answer = await fetchApi(route, { method: 'POST', body: JSON.stringify(this.activeState) });
    if (answer.status !== 200) throw new Error(String(answer.status));
    this.size = (await answer.json()).size;
    this.changeTracker.reset();
    this.isModified = false;
    showTabs();
  }
}

const workflows = new Map();
const store = {
  activeWorkflow: null,
  openWorkflows: [],
  getWorkflowByPath: (path) => workflows.get(path) ?? null,
  async syncWorkflows() {
    const list = await (
      await fetchApi('/userdata?dir=workflows&recurse=true&split=false&full_info=true')
    ).json();
    for (const { path, size } of list) {
      if (!workflows.has(`workflows/${path}`))
        workflows.set(`workflows/${path}`, new Workflow(`workflows/${path}`, size));
    }
  },
  async closeWorkflow(workflow) {
    store.openWorkflows = store.openWorkflows.filter((each) => each !== workflow);
    if (workflow.size === -1) workflows.delete(workflow.path);
    else workflow.changeTracker = null;
    showTabs();
  },
};

async function configure(state) {
  kept = clone(state);
  isSettled = false;
  showNodes();
  // The page sets parts of slots a moment after it has loaded.
  setTimeout(() => (isSettled = true), 100);
  await pause(0);
}

function activate(workflow) {
  if (!store.openWorkflows.includes(workflow)) store.openWorkflows.push(workflow);
  store.activeWorkflow = workflow;
  showTabs();
}

async function openTemporary(name, state) {
  const workflow = new Workflow(`workflows/${name}.json`, -1);
  workflow.changeTracker = new Tracker(workflow, clone(state));
  workflows.set(workflow.path, workflow);
  await configure(state);
  activate(workflow);
  return workflow;
}

const app = {
  api,
  canvas: {},
  graph,
  rootGraph: graph,
  extensionManager: {
    spinner: true,
    workflow: store,
    toast: { add: ({ summary }) => stage.before(summary) },
    setting: {
      async set(id, value) {
        settings[id] = value;
        if (id === 'Comfy.ColorPalette') showPalette();
        await fetchApi(`/settings/${id}`, { method: 'POST', body: JSON.stringify(value) });
      },
    },
  },
  async loadApiJson(prompt, name) {
    const nodes = Object.entries(prompt).map(([id, { class_type: type, inputs, _meta }], at) => ({
      ...{ id: Number(id), type, pos: [20 + 240 * at, 40], widgets_values: Object.values(inputs) },
      ...(_meta && { title: _meta.title }),
    }));
    await openTemporary(name.slice(0, -5), { nodes, links: [], groups: [], extra: {}, version: 0.4 });
  },
  async loadGraphData(state, _clean, _restoreView, workflow) {
    store.activeWorkflow?.changeTracker?.captureCanvasState();
    if (state.nodes.some(({ type }) => type === 'Breaks')) return false;
    await configure(state);
    workflow.changeTracker.reset(graph.serialize());
    activate(workflow);
    return workflow;
  },
};
window.app = app;

const stage = document.body.appendChild(document.createElement('main'));
const tabs = document.body.appendChild(document.createElement('nav'));
const capture = () => store.activeWorkflow?.changeTracker.captureCanvasState();

function showPalette() {
  document.documentElement.className = settings['Comfy.ColorPalette'] === 'light' ? '' : 'dark-theme';
}

function showTabs() {
  tabs.textContent = store.openWorkflows
    .map(
      (each) =>
        `${each === store.activeWorkflow ? '>' : ''}${each.path.slice(10)}${each.isModified ? '*' : ''}`,
    )
    .join(' | ');
}

function showNodes() {
  stage.replaceChildren(...kept.nodes.map(nodeElement));
}

function nodeElement(node) {
  const box = document.createElement('section');
  box.dataset.id = node.id;
  box.tabIndex = 0;
  const place = () => (box.style.translate = `${node.pos[0]}px ${node.pos[1]}px`);
  place();
  const title = box.appendChild(document.createElement('h1'));
  title.textContent = node.title ?? node.type;
  title.onpointerdown = ({ pointerId, x, y }) => {
    const [left, top] = node.pos;
    title.setPointerCapture(pointerId);
    title.onpointermove = (event) => {
      node.pos = [left + event.x - x, top + event.y - y];
      place();
    };
    title.onpointerup = () => (title.onpointermove = null);
  };
  for (const [at, value] of (node.widgets_values ?? []).entries()) {
    const field = box.appendChild(document.createElement('input'));
    field.value = String(value);
    field.setAttribute('aria-label', `${node.id}.${at}`);
    field.oninput = () =>
      (node.widgets_values[at] = typeof value === 'number' ? Number(field.value) : field.value);
  }
  return box;
}

window.addEventListener('mouseup', capture);
window.addEventListener('keydown', (event) => {
  const isField = event.target instanceof HTMLInputElement;
  const { key } = event;
  const tracker = store.activeWorkflow.changeTracker;
  if (event.ctrlKey && key === 's') {
    event.preventDefault();
    void store.activeWorkflow.save();
  } else if (event.ctrlKey && !isField && key === 'z')
    void tracker.step(tracker.undoQueue, tracker.redoQueue);
  else if (event.ctrlKey && !isField && key === 'y') void tracker.step(tracker.redoQueue, tracker.undoQueue);
  else if (key === 'Delete' && !isField) {
    const id = Number(document.activeElement?.dataset?.id);
    kept.nodes = kept.nodes.filter((node) => node.id !== id);
    showNodes();
    capture();
  }
});
/** As the page's Run: it sends a prompt, rolls the first number of a node, and hears what comes of it. */
async function runPrompt(prompt, rolls) {
  api.dispatchEvent(new CustomEvent('promptQueueing'));
  const workflow = graph.serialize();
  const body = { client_id: clientId, prompt, extra_data: { extra_pnginfo: { workflow } } };
  const answer = await fetchApi('/prompt', { method: 'POST', body: JSON.stringify(body) });
  kept.nodes.find(({ id }) => id === rolls).widgets_values[0] = 77;
  showNodes();
  capture();
  api.dispatchEvent(new CustomEvent('promptQueued'));
  return answer.json();
}

Object.assign(window, {
  openTemporary,
  runPrompt,
  heard: [],
  testKept: () => kept,
  testShow: showNodes,
  testCapture: capture,
});

await store.syncWorkflows();
for (const extension of await (await fetchApi('/extensions')).json()) await import(base + extension);
showPalette();
await openTemporary('Unsaved Workflow', { nodes: [], links: [], groups: [], extra: {}, version: 0.4 });
await pause(100);
app.extensionManager.spinner = false;
const events = new WebSocket(`${location.origin.replace('http', 'ws')}${base}/ws?clientId=${clientId}`);
events.onmessage = ({ data }) => {
  const { type } = typeof data === 'string' ? JSON.parse(data) : {};
  window.heard.push(type);
  if (type !== 'executed') return;
  api.dispatchEvent(new CustomEvent(type));
  // A node grows to show what it made.
  kept.nodes[0].size = [210, 300];
  capture();
};
