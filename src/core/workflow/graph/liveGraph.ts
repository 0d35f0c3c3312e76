import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactValue } from '../../json/exactValue';
import { budgets } from '../../safety/budgets';
import { connectEverywhere, type LevelOfFile } from '../packs/connectEverywhere';
import { tooManyNodes, type LinkTarget, type LinkTargets, targetsByOrigin } from './executionOrder';
import { type RepairedLinks, subgraphInputId } from './graphLinks';
import {
  type Graph,
  type GraphLevel,
  type GroupDefinition,
  type SubgraphDefinition,
  renumberedNodes,
} from './graph';
import type { GraphNode } from './graphNode';
import { tooComplex } from './graphProblem';
import { instanceGroup, missingInside, unfoldGroup } from './groupNodes';
import type { LiveLevel, LiveNode, LiveSubgraph, LiveWidget } from './liveNode';
import { loadedInputs } from './mergedInputs';
import { savedValues, loadLayout } from './widgetValues';
import { isVirtualType, virtualNodeRole, isPrimitive } from './virtualNodes';
import { storedAndSent } from './widget';
import { groupByKey } from './grouped';
import {
  forgetProxied,
  proxiedInput,
  showPrimitive,
  hasProxies,
  nodesOfFile,
  readProxyWidgets,
  type Proxy,
} from './promotedWidgets';
import { acceptsType } from './members';

/** Loads a graph as the editor does. `asShown` adds the promoted widgets that change nothing of what is sent. */
export function loadGraph(graph: Graph, catalog: Catalog, asShown = false): LiveLevel {
  return new Loader(graph, catalog).loadRoot(asShown);
}

function emptyLevel(subgraph: LiveSubgraph | undefined): LiveLevel {
  return { nodes: [], byId: new Map(), links: new Map(), subgraph, problems: [] };
}

type ReadLinks = Pick<RepairedLinks, 'links' | 'bySlot'>;
const noLinks: ReadLinks = { links: new Map(), bySlot: new Map() };

/** Nesting limit of subgraphs; real files have three levels. */
const maxNesting = 100;

class Loader {
  private readonly insides = new Map<string, LevelOfFile>();
  private readonly numbers: Map<string, ReadonlyMap<string, string>>;
  private readonly subgraphs: Map<string, SubgraphDefinition>;
  /** All instances of subgraphs, inner ones first. */
  private readonly instances: LiveNode[] = [];
  private readonly twins: ReadonlyMap<GraphNode, string>;
  private readonly missing = new Map<GroupDefinition, readonly string[]>();
  private readonly freeId: () => string;
  private depth = 0;
  private inputs = 0;

  constructor(
    private readonly graph: Graph,
    private readonly catalog: Catalog,
  ) {
    const { bySubgraph, ofTwins, free } = renumberedNodes(graph);
    this.numbers = new Map(bySubgraph);
    this.subgraphs = new Map(graph.subgraphs);
    this.twins = ofTwins;
    this.freeId = free;
  }

  /** On the way, group nodes become subgraphs, with new IDs for the inner nodes and then for the instance. */
  loadRoot(asShown: boolean): LiveLevel {
    const numbers = new Map<string, string>();
    let unfolded = 0;
    const nodes = this.graph.nodes.map((node) => {
      const group = instanceGroup(this.graph, node);
      // If an inner node is unknown, the editor leaves the group as it is, unknown too.
      if (!group || this.missingIn(group).length > 0) return node;
      unfolded += group.nodes.length;
      if (unfolded > budgets.unfoldedNodes) throw tooManyNodes(node.node);
      const { instance, definition } = unfoldGroup(node, group, this.catalog);
      this.subgraphs.set(definition.id, definition);
      this.numbers.set(definition.id, new Map(definition.nodes.map(({ id }) => [id, this.freeId()])));
      numbers.set(node.id, this.freeId());
      return instance;
    });
    const root = emptyLevel(undefined);
    addLinks(root, this.graph.links, numbers);
    for (const node of nodes) this.add(root, node, numbers.get(node.id) ?? node.id, this.graph);
    for (const [twin, id] of this.twins) {
      // The node that has the id has the links, too.
      const inputs = twin.inputs.map((input) => ({ ...input, link: undefined }));
      this.add(root, { ...twin, inputs }, id, noLinks);
    }
    connectProxies(this.instances, asShown);
    const { node } = this.graph;
    if (node.kind === 'object') connectEverywhere({ level: root, file: node }, [...this.insides.values()]);
    return root;
  }

  private add(level: LiveLevel, source: GraphNode, id: string, links: ReadLinks): void {
    const node = this.load(source, id, level, links);
    level.nodes.push(node);
    level.byId.set(node.id, node);
  }

  /** The inside of a subgraph; made once, before its nodes are, because a definition may refer to itself. */
  private insideOf(definition: SubgraphDefinition): LiveLevel {
    const known = this.insides.get(definition.id);
    if (known) return known.level;
    const { id, name, inputs, outputs } = definition;
    const level = emptyLevel({
      id,
      name,
      inputs: [...inputs],
      outputs: [...outputs],
      declaredInputs: inputs.length,
    });
    this.insides.set(definition.id, { level, file: definition.node });
    if (++this.depth > maxNesting) throw tooComplex(definition.node, 'subgraph-loop');
    const numbers = this.numbers.get(definition.id) ?? new Map<string, string>();
    addLinks(level, definition.links, numbers);
    for (const node of definition.nodes) this.add(level, node, numbers.get(node.id) ?? node.id, definition);
    this.depth--;
    return level;
  }

  private missingIn(group: GroupDefinition): readonly string[] {
    const known = this.missing.get(group) ?? missingInside(group, this.catalog);
    this.missing.set(group, known);
    return known;
  }

  private load(source: GraphNode, id: string, level: LiveLevel, links: ReadLinks): LiveNode {
    const subgraph = this.subgraphs.get(source.type);
    const isVirtual = isVirtualType(source.type);
    const definition = subgraph || isVirtual ? undefined : this.catalog.get(source.type);
    const role = subgraph ? 'instance' : definition ? 'executed' : virtualNodeRole(source);
    const inside = subgraph && this.insideOf(subgraph);
    const group = definition || subgraph ? undefined : instanceGroup(this.graph, source);
    const merged = definition ? mergedWith(source, definition) : unmerged(source, subgraph);
    const inputs = loadedInputs(source, links, definition, subgraph);
    const node: LiveNode = {
      id,
      source,
      type: source.type,
      ...merged,
      mode: source.mode,
      role,
      definition,
      inputs,
      level,
      inside,
      missingTypes: group ? this.missingIn(group) : [],
    };
    if (inside) this.instances.push(node);
    this.inputs += inputs.length + node.widgets.length;
    if (this.inputs > budgets.unfoldedInputs) throw tooManyNodes(source.node);
    return node;
  }
}

type Merged = Pick<LiveNode, 'title' | 'outputTypes' | 'widgets'>;

/** Without a definition the saved slots count; an instance has those of its subgraph. */
function unmerged(source: GraphNode, subgraph: SubgraphDefinition | undefined): Merged {
  return {
    title: titleOf(source, subgraph?.name ?? source.type),
    outputTypes: (subgraph ?? source).outputs.map(({ type }) => type),
    widgets: subgraph ? [] : namedWidgets(source),
  };
}

function namedWidgets(source: GraphNode): LiveWidget[] {
  return savedValues(source).named.map(({ name, valueNode }) => ({
    widget: { name, spec: undefined, ...storedAndSent, defaultValue: undefined, slotType: undefined },
    current: { value: exactValue(valueNode), place: valueNode },
  }));
}

function addLinks(level: LiveLevel, links: GraphLevel['links'], numbers: ReadonlyMap<string, string>): void {
  const renumbered = (id: string): string => numbers.get(id) ?? id;
  for (const link of links.values()) {
    if (numbers.size === 0) level.links.set(link.id, link);
    else {
      const ends = { originId: renumbered(link.originId), targetId: renumbered(link.targetId) };
      level.links.set(link.id, { ...link, ...ends });
    }
  }
}

function mergedWith(source: GraphNode, definition: NodeDefinition): Merged {
  const layout = loadLayout(source, definition);
  const outputTypes = definition.outputs.map(({ type }) =>
    typeof type !== 'string' ? 'COMBO' : type === 'COMFY_MATCHTYPE_V3' ? '*' : type,
  );
  for (const { type } of source.outputs.slice(outputTypes.length)) outputTypes.push(type);
  return {
    title: titleOf(source, editorTitles.get(definition.classType) ?? definition.displayName),
    outputTypes,
    widgets: layout.widgets.map(({ widget, value, valueNode }) => ({
      widget,
      current: { value, place: valueNode },
    })),
  };
}

const editorTitles: ReadonlyMap<string, string> = new Map([
  ['ByteDance2ReferenceNode', 'ByteDance Seedance 2.5 Reference to Video'],
  ['ByteDanceSeedreamNodeV2', 'ByteDance Seedream 4.5 & 5.0'],
  ['IdeogramPImage', 'Ideogram P-Image'],
  ['LTXVConcatAVLatent', 'LTXVConcatAVLatent'],
  ['LTXVSeparateAVLatent', 'LTXVSeparateAVLatent'],
  ['TopazImageEnhance', 'Topaz Image Enhance'],
]);

function titleOf(source: GraphNode, standard: string): string {
  return source.title === undefined || source.title === '' ? standard : source.title;
}

/** Older editors showed inner widgets on an instance without a link; the editor makes each a subgraph input. */
function connectProxies(instances: readonly LiveNode[], unchangedToo: boolean): void {
  const byInside = groupByKey(instances, ({ inside }) => inside);
  const targets = new Map<LiveLevel, LinkTargets>();
  const targetsOf = (inside: LiveLevel, id: string): readonly LinkTarget[] => {
    const known = targets.get(inside) ?? targetsByOrigin(inside);
    targets.set(inside, known);
    return known.list(id);
  };
  for (const instance of instances) {
    const { inside } = instance;
    if (!inside || !hasProxies(instance.source)) continue;
    for (const proxy of readProxyWidgets(instance)) {
      if (proxiedInput(instance, proxy.nodeId, proxy.name) >= 0) continue;
      const fed = inputsBehind(inside, proxy, targetsOf, unchangedToo);
      if (fed.length > 0) connect(inside, proxy, fed, byInside.list(inside));
    }
  }
}

type Fed = Pick<LinkTarget, 'target' | 'input'>;

/** The inner inputs that get a link; none if the new link would change nothing. */
function inputsBehind(
  inside: LiveLevel,
  { nodeId, name, value }: Proxy,
  targetsOf: (inside: LiveLevel, id: string) => readonly LinkTarget[],
  unchangedToo: boolean,
): Fed[] {
  const [node] = nodesOfFile(inside, nodeId);
  if (!node) return [];
  if (isPrimitive(node.type)) return name === 'value' ? fedBy(node, targetsOf(inside, node.id)) : [];
  const input = node.inputs.find((each) => (node.inside ? each.name : each.widget) === name);
  // A promoted curve is sent without its type.
  const isChanged =
    unchangedToo || value !== undefined || input?.link !== undefined || input?.type === 'CURVE';
  return input && isChanged ? [{ target: node, input }] : [];
}

/** The inputs of an inner primitive, which the instance now feeds; none if one isn't a widget of the primitive's type. */
function fedBy({ source }: LiveNode, targets: readonly LinkTarget[]): Fed[] {
  const type = source.outputs[0]?.type ?? '*';
  // Another promoted widget may have replaced a link.
  const linked = targets.filter(({ slot, linkId, input }) => slot === 0 && input.link === linkId);
  const isFit = linked.every(({ input }) => input.widget !== undefined && acceptsType(type, input.type));
  if (!isFit) return [];
  for (const { input } of linked) input.link = undefined;
  return linked;
}

function connect(inside: LiveLevel, proxy: Proxy, fed: readonly Fed[], instances: readonly LiveNode[]): void {
  const { subgraph } = inside;
  const { name, nodeId } = proxy;
  const [first] = fed;
  if (!subgraph || !first) return;
  const type = first.input.type;
  const slot = subgraph.inputs.length;
  if (fed.some(({ input }) => input.link !== undefined)) forgetProxied(inside);
  const linkIds = fed.map(({ target, input }, index) => {
    const id = `proxy ${slot} ${index}`;
    const ends = { originId: subgraphInputId, originSlot: slot, targetId: target.id, type };
    inside.links.set(id, { ...ends, targetSlot: target.inputs.indexOf(input), node: target.source.node });
    input.link = id;
    return id;
  });
  const label = first.target.source.inputs.find((each) => each.name === first.input.name)?.label;
  subgraph.inputs.push({ name, type, label, linkIds });
  if (first.target.source.id !== nodeId) showPrimitive(inside, nodeId, name, slot);
  for (const each of instances) {
    each.inputs.push({ name, type, link: undefined, widget: name, place: undefined });
  }
}
