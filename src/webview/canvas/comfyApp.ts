/** What a ComfyUI page from 1.27 on offers to scripts, as far as it is used here. */
export interface ComfyApp {
  /** Missing before 1.33, where `graph` is the same. */
  readonly rootGraph?: ComfyGraph;
  readonly graph: ComfyGraph;
  readonly canvas: {
    readonly subgraph?: { readonly id: string } | undefined;
    readonly resizing_node?: unknown;
    setGraph?(graph: unknown): void;
  };
  readonly api: EventTarget;
  /** Whether prompts are being sent. */
  readonly processingQueue?: boolean;
  readonly extensionManager: {
    readonly spinner: boolean;
    readonly workflow: WorkflowStore;
    readonly setting: { set(id: string, value: unknown): Promise<void> };
    readonly toast?: {
      /** @param message with a life in ms */
      add(message: { severity: 'warn'; summary: string; life: number }): void;
      /** Its name before 1.58. */
      removeAll?(): void;
      dismissAll?(): void;
    };
  };
  /** False or undefined if the graph wasn't loaded. Nothing in pages before 1.58. */
  /** Opens a prompt in a tab of its own. */
  loadApiJson(prompt: unknown, name: string): Promise<unknown>;
  loadGraphData(state: unknown, clean: boolean, restoreView: boolean, workflow: Workflow): Promise<unknown>;
}

export interface ComfyGraph {
  readonly id?: string | undefined;
  serialize(): object;
  readonly subgraphs?: ReadonlyMap<string, unknown>;
}

export interface WorkflowStore {
  readonly activeWorkflow: Workflow | null;
  readonly openWorkflows: readonly Workflow[];
  getWorkflowByPath(path: string): Workflow | null;
  /** Reads the list of workflows. */
  syncWorkflows(): Promise<void>;
  closeWorkflow(workflow: Workflow): Promise<void>;
}

export interface Workflow {
  readonly path: string;
  isModified: boolean;
  readonly activeState: unknown;
  readonly changeTracker: {
    readonly undoQueue: unknown[];
    readonly redoQueue: unknown[];
    reset(state: unknown): void;
  } | null;
  load(options: { readonly force: boolean }): Promise<unknown>;
}

interface ComfyWindow {
  readonly app?: ComfyApp;
  readonly LiteGraph: { readonly registered_node_types: object };
  readonly __COMFYUI_FRONTEND_VERSION__?: string;
}

const page = window as unknown as ComfyWindow;

/** The page's app once it has loaded what it starts with; undefined until then. */
export function startedApp(): ComfyApp | undefined {
  const { app } = page;
  return app?.extensionManager.spinner === false ? app : undefined;
}

/** Why a page can't show a file; undefined if it can. */
export function pageLack(app: ComfyApp): 'old' | 'lacks' | undefined {
  const [major = 0, minor = 0] = (page.__COMFYUI_FRONTEND_VERSION__ ?? '1.27').split('.').map(Number);
  if (major < 1 || (major === 1 && minor < 27)) return 'old';
  const { workflow: store } = app.extensionManager as Partial<ComfyApp['extensionManager']>;
  const isWhole =
    hasMethods(app, 'loadGraphData') &&
    hasMethods(graphOf(app), 'serialize') &&
    hasMethods(app.api, 'addEventListener') &&
    hasMethods(store, 'getWorkflowByPath', 'syncWorkflows', 'closeWorkflow');
  return isWhole && 'LiteGraph' in page ? undefined : 'lacks';
}

function hasMethods(object: object | undefined, ...names: readonly string[]): boolean {
  return object !== undefined && names.every((name) => typeof Reflect.get(object, name) === 'function');
}

export function graphOf(app: ComfyApp): ComfyGraph {
  return app.rootGraph ?? app.graph;
}

/** The types of nodes in a state of the graph that the page doesn't know: of those it keeps little. */
export function unknownTypes(state: string): string[] {
  const types = new Set<string>();
  const known = new Set(Object.keys(page.LiteGraph.registered_node_types));
  JSON.parse(state, (member, value: readonly { readonly id: string; readonly type: string }[]) => {
    if (member === 'nodes') for (const { type } of value) types.add(type);
    if (member === 'subgraphs') for (const { id } of value) known.add(id);
    return value;
  });
  return [...types].filter((type) => !known.has(type));
}
