/** Runs inside the real ComfyUI page: edits a user makes, by the page's own objects. Only what is used is declared. */

interface PageWidget {
  readonly name: string;
  readonly type: string;
  value: unknown;
  readonly options?: { readonly values?: unknown; readonly min?: number; readonly max?: number };
  readonly callback?: (value: unknown) => void;
}

interface PageSlot {
  readonly name: string;
  readonly type: unknown;
  readonly link?: number | null;
  readonly links?: readonly number[] | null;
  readonly widget?: unknown;
}

interface PageNode {
  readonly id: number | string;
  readonly type: string;
  title: string;
  mode: number;
  pos: [number, number];
  readonly size: [number, number];
  readonly graph: PageGraph;
  readonly inputs?: readonly PageSlot[];
  readonly outputs?: readonly PageSlot[];
  readonly widgets?: readonly PageWidget[];
  readonly subgraph?: PageGraph;
  isSubgraphNode: () => boolean;
  setSize: (size: [number, number]) => void;
  collapse: () => void;
  setColorOption: (color: unknown) => void;
  connect: (slot: number, target: PageNode, input: number) => unknown;
  disconnectInput: (slot: number) => unknown;
}

interface PageGroup {
  title: string;
  pos: [number, number];
  size: [number, number];
}

interface PageGraph {
  readonly id: string;
  readonly nodes: readonly PageNode[];
  readonly groups: readonly PageGroup[];
  readonly links: ReadonlyMap<number, unknown>;
  readonly subgraphs: ReadonlyMap<string, PageGraph>;
  add: (item: unknown) => unknown;
  remove: (item: unknown) => void;
  createReroute: (pos: [number, number], link: unknown) => unknown;
  convertToSubgraph: (items: ReadonlySet<unknown>) => unknown;
  unpackSubgraph: (node: PageNode) => unknown;
  serialize: () => unknown;
}

interface PageApp {
  /** Missing before 1.33, where `graph` is the same. */
  readonly rootGraph?: PageGraph;
  readonly graph: PageGraph;
  readonly canvas: {
    setGraph: (graph: PageGraph) => void;
    deselectAll: () => void;
    selectItems: (items: readonly unknown[]) => void;
    copyToClipboard: () => void;
    pasteFromClipboard: () => void;
    deleteSelected: () => void;
  };
  readonly extensionManager: {
    readonly spinner: boolean;
    readonly workflow: {
      readonly activeWorkflow: {
        readonly changeTracker: {
          captureCanvasState?: () => void;
          /** Its name in older pages. */
          checkState?: () => void;
          undo: () => Promise<void>;
        };
      };
    };
  };
  loadApiJson: (prompt: unknown, name: string) => Promise<unknown>;
  graphToPrompt: () => Promise<{ readonly output: unknown }>;
  loadGraphData: (data: unknown, clean: boolean, restoreView: boolean, tab: null) => Promise<unknown>;
}

/** What this script gives to the tests. */
export interface PageEdits {
  readonly names: readonly string[];
  run: (name: string, seed: number) => string | undefined;
  undo: () => Promise<void>;
  capture: () => void;
  settled: () => Promise<string | undefined>;
  types: () => string[];
  load: (text: string) => Promise<string | undefined>;
  importPrompt: (text: string) => Promise<string | undefined>;
  prompt: () => Promise<string>;
}

declare global {
  var app: PageApp | undefined;
  var LiteGraph: {
    readonly registered_node_types: Readonly<Record<string, unknown>>;
    readonly LGraphGroup: new (title: string) => PageGroup;
    readonly LGraphCanvas: { readonly node_colors: Readonly<Record<string, unknown>> };
    createNode: (type: string) => PageNode | null;
  };
  var canvasEdits: PageEdits;
}

/** What an edit works on: a level, and a number that chooses among its nodes. */
interface Place {
  readonly app: PageApp;
  readonly graph: PageGraph;
  readonly seed: number;
}

/** Makes an edit and names the node, or finds nothing to edit. */
type Edit = (place: Place) => string | undefined;

function chosen<T>({ seed }: Place, items: readonly T[]): T | undefined {
  return items[seed % items.length];
}

function knownNodes({ graph }: Place): PageNode[] {
  return graph.nodes.filter(({ type }) => type in LiteGraph.registered_node_types);
}

function plainNodes(place: Place): PageNode[] {
  return knownNodes(place).filter((node) => !node.isSubgraphNode());
}

function nameOf(node: PageNode): string {
  return `${node.id} ${node.type}`;
}

function onNode(change: (node: PageNode) => void): Edit {
  return (place) => {
    const node = chosen(place, knownNodes(place));
    if (!node) return undefined;
    change(node);
    return nameOf(node);
  };
}

function setWidget(widget: PageWidget, value: unknown): void {
  widget.value = value;
  widget.callback?.(value);
}

function isLinked(node: PageNode, { name }: PageWidget): boolean {
  return (node.inputs ?? []).some((input) => input.name === name && typeof input.link === 'number');
}

function onWidget(
  types: readonly string[],
  next: (widget: PageWidget) => unknown,
  nodesOf: (place: Place) => PageNode[] = plainNodes,
): Edit {
  return (place) => {
    const found = nodesOf(place).flatMap((node) =>
      (node.widgets ?? []).flatMap((widget) => {
        if (!types.includes(widget.type) || isLinked(node, widget)) return [];
        const value = next(widget);
        return value === undefined ? [] : [{ node, widget, value }];
      }),
    );
    const one = chosen(place, found);
    if (!one) return undefined;
    setWidget(one.widget, one.value);
    return `${nameOf(one.node)} ${one.widget.name}`;
  };
}

function nextNumber({ value, options }: PageWidget): unknown {
  if (typeof value !== 'number') return undefined;
  const { min = -Infinity, max = Infinity } = options ?? {};
  return value + 8 <= max ? value + 8 : value - 8 >= min ? value - 8 : value === max ? min : max;
}

function nextChoice({ value, options }: PageWidget): unknown {
  const values = options?.values;
  return Array.isArray(values) ? values.find((each: unknown) => each !== value) : undefined;
}

function nextText({ value }: PageWidget): unknown {
  return typeof value === 'string' ? `${value} “edited”\n` : undefined;
}

const numbers = onWidget(['number', 'slider', 'knob'], nextNumber);
const texts = onWidget(['customtext', 'text', 'string'], nextText);
const choices = onWidget(['combo'], nextChoice);
const toggles = onWidget(['toggle'], ({ value }) => (typeof value === 'boolean' ? !value : undefined));
const promoted = onWidget(
  ['number', 'slider', 'customtext', 'text', 'toggle', 'combo'],
  (widget) => {
    if (typeof widget.value === 'boolean') return !widget.value;
    return nextNumber(widget) ?? nextChoice(widget) ?? nextText(widget);
  },
  (place) => knownNodes(place).filter((node) => node.isSubgraphNode()),
);

const move = onNode((node) => {
  node.pos = [node.pos[0] + 37, node.pos[1] + 21];
});

function fits(from: unknown, to: unknown): boolean {
  return typeof from === 'string' && from !== '*' && from === to;
}

/** Connects an input that is free, is one of a widget, or has a link already. */
function connectWhere(isMeant: (input: PageSlot) => boolean): Edit {
  return (place) => {
    const nodes = plainNodes(place);
    const sources = new Map<unknown, { node: PageNode; slot: number }[]>();
    for (const node of nodes) {
      (node.outputs ?? []).forEach(({ type }, slot) => {
        const known = sources.get(type);
        if (known) known.push({ node, slot });
        else sources.set(type, [{ node, slot }]);
      });
    }
    const pairs = nodes.flatMap((node) =>
      (node.inputs ?? []).flatMap((input, index) => {
        if (!isMeant(input)) return [];
        const source = (sources.get(input.type) ?? []).find(
          (each) =>
            each.node !== node &&
            fits(each.node.outputs?.[each.slot]?.type, input.type) &&
            !(each.node.outputs?.[each.slot]?.links ?? []).includes(input.link ?? -1),
        );
        return source ? [{ source, node, index }] : [];
      }),
    );
    const one = chosen(place, pairs);
    if (!one) return undefined;
    one.source.node.connect(one.source.slot, one.node, one.index);
    return `${nameOf(one.source.node)} to ${nameOf(one.node)}`;
  };
}

const isFree = ({ link }: PageSlot): boolean => typeof link !== 'number';
const connect = connectWhere((input) => isFree(input) && input.widget === undefined);

function disconnect(place: Place): string | undefined {
  const linked = plainNodes(place).flatMap((node) =>
    (node.inputs ?? []).flatMap((input, index) => (isFree(input) ? [] : [{ node, index }])),
  );
  const one = chosen(place, linked);
  one?.node.disconnectInput(one.index);
  return one && nameOf(one.node);
}

function remove(place: Place): string | undefined {
  const linked = plainNodes(place).filter(({ outputs = [], inputs = [] }) =>
    [...outputs.map(({ links }) => links?.length), ...inputs.map(({ link }) => link)].some(Boolean),
  );
  const node = chosen(place, linked);
  if (node) place.graph.remove(node);
  return node && nameOf(node);
}

function add(place: Place, type = 'EmptyLatentImage'): PageNode | undefined {
  const node = LiteGraph.createNode(type);
  if (!node) return undefined;
  node.pos = [100 + (place.seed % 7) * 10, 50];
  place.graph.add(node);
  return node;
}

function addAndConnect(place: Place): string | undefined {
  const sources = plainNodes(place).flatMap((node) =>
    (node.outputs ?? []).flatMap(({ type }, slot) =>
      type === 'IMAGE' || type === 'LATENT' ? [{ node, slot, type }] : [],
    ),
  );
  const one = chosen(place, sources);
  const node = one && add(place, one.type === 'IMAGE' ? 'ImageScale' : 'LatentUpscale');
  if (!one || !node) return undefined;
  const index = (node.inputs ?? []).findIndex(({ type }) => type === one.type);
  one.node.connect(one.slot, node, index);
  return `${nameOf(one.node)} to ${nameOf(node)}`;
}

function copy(place: Place): string | undefined {
  const node = chosen(place, plainNodes(place));
  if (!node) return undefined;
  const { canvas } = place.app;
  canvas.deselectAll();
  canvas.selectItems([node]);
  canvas.copyToClipboard();
  canvas.pasteFromClipboard();
  return nameOf(node);
}

function reroute(place: Place): string | undefined {
  const link = chosen(place, [...place.graph.links.values()]);
  if (!link) return undefined;
  place.graph.createReroute([300, 200], link);
  return 'link';
}

function changeGroup(place: Place): string | undefined {
  const group = chosen(place, place.graph.groups);
  if (!group) return undefined;
  group.title = `${group.title} 2`;
  group.pos = [group.pos[0] + 15, group.pos[1] - 5];
  return group.title;
}

function addGroup({ graph }: Place): string {
  const group = new LiteGraph.LGraphGroup('Added');
  group.pos = [10, 20];
  group.size = [300, 200];
  graph.add(group);
  return group.title;
}

function removeGroup(place: Place): string | undefined {
  const group = chosen(place, place.graph.groups);
  if (group) place.graph.remove(group);
  return group?.title;
}

function convert(place: Place): string | undefined {
  const nodes = plainNodes(place).filter(({ inputs = [] }) => inputs.some((input) => !isFree(input)));
  const first = chosen(place, nodes);
  if (!first) return undefined;
  const others = nodes.filter((node) => node !== first).slice(0, 1);
  place.graph.convertToSubgraph(new Set([first, ...others]));
  return nameOf(first);
}

function unpack(place: Place): string | undefined {
  const node = chosen(place, shownSubgraphs(place));
  if (node) place.graph.unpackSubgraph(node);
  return node && nameOf(node);
}

function shownSubgraphs(place: Place): PageNode[] {
  return knownNodes(place).filter((node) => node.isSubgraphNode());
}

/** The same edit inside a subgraph that the workflow shows. */
function inside(edit: Edit): Edit {
  return (place) => {
    const shown = chosen(place, shownSubgraphs(place));
    return shown?.subgraph && edit({ ...place, graph: shown.subgraph });
  };
}

const edits: Readonly<Record<string, Edit>> = {
  number: numbers,
  text: texts,
  choice: choices,
  toggle: toggles,
  move,
  resize: onNode((node) => {
    node.setSize([node.size[0] + 40, node.size[1] + 30]);
  }),
  collapse: onNode((node) => {
    node.collapse();
  }),
  colour: onNode((node) => {
    node.setColorOption(LiteGraph.LGraphCanvas.node_colors.green);
  }),
  title: onNode((node) => {
    node.title = 'Renamed "here"';
  }),
  mute: onNode((node) => {
    node.mode = node.mode === 2 ? 0 : 2;
  }),
  bypass: onNode((node) => {
    node.mode = node.mode === 4 ? 0 : 4;
  }),
  add: (place) => {
    const node = add(place);
    return node && nameOf(node);
  },
  copy,
  'add and connect': addAndConnect,
  connect,
  'connect a widget': connectWhere((input) => isFree(input) && input.widget !== undefined),
  disconnect,
  rewire: connectWhere((input) => !isFree(input)),
  reroute,
  'change group': changeGroup,
  'add group': addGroup,
  'remove group': removeGroup,
  delete: remove,
  convert,
  'inside: number': inside(numbers),
  'inside: text': inside(texts),
  'inside: move': inside(move),
  'inside: connect': inside(connect),
  'inside: disconnect': inside(disconnect),
  'inside: add': inside((place) => {
    const node = add(place);
    return node && nameOf(node);
  }),
  'inside: delete': inside(remove),
  'promoted value': promoted,
  unpack,
};

/** The serialization once two that are 150 ms apart agree. */
async function settled(): Promise<string | undefined> {
  const { app } = globalThis;
  const state = (): string => JSON.stringify((app?.rootGraph ?? app?.graph)?.serialize());
  let last = state();
  for (let attempt = 0; attempt < 40; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const next = state();
    if (next === last) return next;
    last = next;
  }
  return undefined;
}

globalThis.canvasEdits = {
  names: Object.keys(edits),
  run: (name, seed) => {
    const { app } = globalThis;
    if (!app) throw new Error('The page has not started.');
    return edits[name]?.({ app, graph: app.rootGraph ?? app.graph, seed });
  },
  capture: () => {
    const tracker = globalThis.app?.extensionManager.workflow.activeWorkflow.changeTracker;
    (tracker?.captureCanvasState ?? tracker?.checkState)?.call(tracker);
  },
  undo: async () => {
    await globalThis.app?.extensionManager.workflow.activeWorkflow.changeTracker.undo();
  },
  settled,
  types: () => Object.keys(LiteGraph.registered_node_types),
  load: async (text) => {
    const loaded = await globalThis.app?.loadGraphData(JSON.parse(text), true, true, null);
    return loaded === false ? undefined : settled();
  },
  importPrompt: async (text) => {
    const imported = globalThis.app?.loadApiJson(JSON.parse(text), 'imported');
    // The page throws at nodes without a type.
    return imported?.then(settled, () => undefined);
  },
  prompt: async () => {
    const { app } = globalThis;
    if (!app) throw new Error('The page has not started.');
    for (const node of (app.rootGraph ?? app.graph).nodes) node.mode = 0;
    return JSON.stringify((await app.graphToPrompt()).output);
  },
};
