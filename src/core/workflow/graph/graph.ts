import type { JsonNode, JsonObject } from '../../json/node';
import type { JsonDocument } from '../../json/tree';
import { type GraphNode, readNode } from './graphNode';
import { idOf, idsIn, listMember, objectMember, objectsIn, slotOf, textMember, typeOf } from './members';

/** A connection as in the file, tuple or object (workflows 1.2). */
export interface GraphLink {
  readonly id: string;
  readonly originId: string;
  readonly originSlot: number;
  readonly targetId: string;
  readonly targetSlot: number;
  readonly type: string;
  /** The tuple or object in the text. */
  readonly node: JsonNode;
}

/** Nodes and the links between them: the root graph, or the inside of a subgraph. */
export interface GraphLevel {
  /** One per id. */
  readonly nodes: readonly GraphNode[];
  /** Nodes that share their id with another node: the editor sends only that one (see {@link withoutTwins}). */
  readonly twins: readonly GraphNode[];
  readonly links: ReadonlyMap<string, GraphLink>;
}

/** An input or output of a subgraph. */
export interface SubgraphSlot {
  readonly name: string;
  readonly type: string;
  readonly linkIds: readonly string[];
  readonly node: JsonObject;
}

export interface SubgraphDefinition extends GraphLevel {
  /** The node type of its instances. */
  readonly id: string;
  readonly name: string;
  readonly inputs: readonly SubgraphSlot[];
  readonly outputs: readonly SubgraphSlot[];
  readonly node: JsonObject;
}

/** A legacy group node: a part of a graph that counts as one node (workflows 1.4). */
export interface GroupDefinition {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  /** Links between the inner nodes, by their index. */
  readonly links: readonly GroupLink[];
  /** Inner outputs that the group shows although nothing is linked to them. */
  readonly external: readonly { readonly index: number; readonly slot: number; readonly type: string }[];
  /** The types of the links that came from outside when the group was made, by inner node. */
  readonly outerTypes: ReadonlyMap<number, string>;
  readonly config: JsonObject | undefined;
  readonly node: JsonObject;
}

export interface GroupLink {
  readonly originIndex: number;
  readonly originSlot: number;
  readonly targetIndex: number;
  readonly targetSlot: number;
  readonly type: string;
  readonly node: JsonNode;
}

/** A graph file, as saved by the ComfyUI editor (workflows 1.2). */
export interface Graph extends GraphLevel {
  readonly document: JsonDocument;
  readonly node: JsonNode;
  readonly subgraphs: ReadonlyMap<string, SubgraphDefinition>;
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  /** The counter for new ids; at least the largest existing id. */
  readonly lastNodeId: number;
}

/** Inner links from the inputs of the subgraph have this node as their origin. */
export const subgraphInputId = '-10';
/** Inner links to the outputs of the subgraph have this node as their target. */
export const subgraphOutputId = '-20';

/** Reads a graph of version 0.4 or 1 and leaves out whatever does not fit. Never throws. */
export function readGraph(document: JsonDocument, node: JsonNode): Graph {
  const root = node.kind === 'object' ? node : undefined;
  const level = readLevel(root);
  const subgraphs = new Map<string, SubgraphDefinition>();
  readSubgraphs(root, subgraphs, 0);
  const groups = readGroups(objectMember(objectMember(root, 'extra'), 'groupNodes'));
  const counter = slotOf(root?.get('last_node_id')) ?? slotOf(objectMember(root, 'state')?.get('lastNodeId'));
  const largest = level.nodes.reduce(
    (id, each) => (each.hasNumericId ? Math.max(id, Number(each.id)) : id),
    0,
  );
  return { document, node, ...level, subgraphs, groups, lastNodeId: Math.max(counter ?? 0, largest) };
}

/** The node types that an editor calls "workflow/NAME" or "workflow>NAME" are group nodes. */
export function groupNameOf(type: string): string | undefined {
  return /^workflow[/>](.+)$/s.exec(type)?.[1];
}

function readLevel(level: JsonObject | undefined): GraphLevel {
  const nodes = objectsIn(listMember(level, 'nodes')).map((each, index) => readNode(each, String(index)));
  const links = new Map<string, GraphLink>();
  for (const each of listMember(level, 'links')) {
    const link = readLink(each);
    if (link) links.set(link.id, link);
  }
  return { ...withoutTwins(nodes), links };
}

/** Of two nodes with one id the editor sends the later one, unless the earlier one has linked inputs. */
function withoutTwins(nodes: readonly GraphNode[]): Pick<GraphLevel, 'nodes' | 'twins'> {
  const byId = new Map<string, GraphNode>();
  const twins: GraphNode[] = [];
  for (const node of nodes) {
    const earlier = byId.get(node.id);
    const isKept = earlier?.inputs.some(({ link }) => link !== undefined) === true;
    if (earlier) twins.push(isKept ? node : earlier);
    if (!isKept) byId.set(node.id, node);
  }
  return { nodes: [...byId.values()], twins };
}

function readLink(node: JsonNode): GraphLink | undefined {
  if (node.kind === 'array') {
    const [id, originId, originSlot, targetId, targetSlot, type] = node.items;
    return linkOf(node, id, [originId, originSlot], [targetId, targetSlot], type);
  }
  if (node.kind !== 'object') return undefined;
  const origin = [node.get('origin_id'), node.get('origin_slot')] as const;
  const target = [node.get('target_id'), node.get('target_slot')] as const;
  return linkOf(node, node.get('id'), origin, target, node.get('type'));
}

type LinkEnd = readonly [node: JsonNode | undefined, slot: JsonNode | undefined];

function linkOf(
  node: JsonNode,
  idNode: JsonNode | undefined,
  origin: LinkEnd,
  target: LinkEnd,
  type: JsonNode | undefined,
): GraphLink | undefined {
  const id = idOf(idNode);
  if (id === undefined) return undefined;
  return {
    id,
    originId: idOf(origin[0]) ?? '',
    originSlot: slotOf(origin[1]) ?? 0,
    targetId: idOf(target[0]) ?? '',
    targetSlot: slotOf(target[1]) ?? 0,
    type: typeOf(type),
    node,
  };
}

/** Nested definitions count as if they were at the root; no real file nests deeper than this. */
const maxDefinitionDepth = 50;

function readSubgraphs(
  level: JsonObject | undefined,
  found: Map<string, SubgraphDefinition>,
  depth: number,
): void {
  if (depth > maxDefinitionDepth) return;
  for (const node of objectsIn(listMember(objectMember(level, 'definitions'), 'subgraphs'))) {
    const id = idOf(node.get('id'));
    if (id !== undefined && !found.has(id)) {
      const inputs = objectsIn(listMember(node, 'inputs')).map(readSubgraphSlot);
      const outputs = objectsIn(listMember(node, 'outputs')).map(readSubgraphSlot);
      found.set(id, { id, name: textMember(node, 'name') ?? '', inputs, outputs, node, ...readLevel(node) });
    }
    readSubgraphs(node, found, depth + 1);
  }
}

function readSubgraphSlot(node: JsonObject): SubgraphSlot {
  return {
    name: textMember(node, 'name') ?? '',
    type: typeOf(node.get('type')),
    linkIds: idsIn(listMember(node, 'linkIds')),
    node,
  };
}

function readGroups(groups: JsonObject | undefined): Map<string, GroupDefinition> {
  const found = new Map<string, GroupDefinition>();
  for (const { name, value } of groups?.properties ?? []) {
    if (value?.kind === 'object') found.set(name, readGroup(name, value));
  }
  return found;
}

function readGroup(name: string, node: JsonObject): GroupDefinition {
  return {
    name,
    nodes: objectsIn(listMember(node, 'nodes')).map((each, index) => readNode(each, String(index))),
    links: listMember(node, 'links').flatMap(readGroupLink),
    external: listMember(node, 'external').flatMap((each) => {
      if (each.kind !== 'array') return [];
      const [index, slot] = each.items.map(slotOf);
      return index === undefined || slot === undefined ? [] : [{ index, slot, type: typeOf(each.items[2]) }];
    }),
    outerTypes: readOuterTypes(listMember(node, 'links')),
    config: objectMember(node, 'config'),
    node,
  };
}

function readOuterTypes(links: readonly JsonNode[]): Map<number, string> {
  const types = new Map<number, string>();
  for (const link of links) {
    if (link.kind !== 'array') continue;
    const index = slotOf(link.items[2]);
    if (index !== undefined && !types.has(index)) types.set(index, typeOf(link.items[5]));
  }
  return types;
}

function readGroupLink(node: JsonNode): GroupLink[] {
  if (node.kind !== 'array') return [];
  const [originIndex, originSlot, targetIndex, targetSlot] = node.items.map(slotOf);
  if (originIndex === undefined || targetIndex === undefined) return [];
  return [
    {
      originIndex,
      originSlot: originSlot ?? 0,
      targetIndex,
      targetSlot: targetSlot ?? 0,
      type: typeOf(node.items[5]),
      node,
    },
  ];
}
