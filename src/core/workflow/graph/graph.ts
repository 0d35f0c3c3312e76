import type { JsonNode, JsonObject } from '../../json/node';
import type { JsonDocument } from '../../json/tree';
import { type GraphLink, readLinks, type RepairedLinks, repairedLinks } from './graphLinks';
import { type GraphNode, readNode } from './graphNode';
import {
  readId,
  readIds,
  largestId,
  listMember,
  nameMember,
  objectMember,
  objectsAmong,
  readSlotIndex,
  textMember,
  readSlotType,
} from './members';

/** Nodes and the links between them: the root graph, or the inside of a subgraph. */
export interface GraphLevel extends RepairedLinks {
  /** Nodes whose id an earlier node has, which keeps it and its links. `nodes` has one per id. */
  readonly twins: readonly GraphNode[];
  readonly rows: readonly GraphLink[];
}

export interface SubgraphSlot {
  readonly name: string;
  readonly type: string;
  readonly label: string | undefined;
  readonly linkIds: readonly string[];
  readonly node: JsonObject;
}

export interface SubgraphDefinition extends GraphLevel {
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
  readonly links: readonly GroupLink[];
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

export interface Graph extends GraphLevel {
  readonly document: JsonDocument;
  readonly node: JsonNode;
  readonly subgraphs: ReadonlyMap<string, SubgraphDefinition>;
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  /** The counter for new ids; at least the largest existing id (`largestId`). */
  readonly lastNodeId: number;
}

/** Reads a graph of version 0.4 or 1 and leaves out whatever does not fit. Never throws. */
export function readGraph(document: JsonDocument, node: JsonNode): Graph {
  const root = node.kind === 'object' ? node : undefined;
  const level = readLevel(root);
  const subgraphs = new Map<string, SubgraphDefinition>();
  readSubgraphs(root, subgraphs, 0);
  const groups = readGroups(objectMember(objectMember(root, 'extra'), 'groupNodes'));
  const counter =
    readSlotIndex(root?.get('last_node_id')) ?? readSlotIndex(objectMember(root, 'state')?.get('lastNodeId'));
  const ids = level.nodes.flatMap(({ id, hasNumericId }) => (hasNumericId ? id : []));
  return { document, node, ...level, subgraphs, groups, lastNodeId: largestId([counter, ...ids]) };
}

/** The node types that an editor calls "workflow/NAME" or "workflow>NAME" are group nodes. */
export function groupNodeName(type: string): string | undefined {
  return /^workflow[/>](.+)$/s.exec(type)?.[1];
}

function readLevel(level: JsonObject | undefined): GraphLevel {
  const read = objectsAmong(listMember(level, 'nodes')).map((each, index) => readNode(each, String(index)));
  const rows = readLinks(listMember(level, 'links'));
  const { nodes, twins } = withoutTwins(read);
  const links = repairedLinks(nodes, rows);
  // A link that no input names counts only where the editor reads the list.
  return { ...links, bySlot: level && areLinksRead(level) ? links.bySlot : new Map(), twins, rows };
}

/** Whether the editor reads a level's links in this form: lists in version 0.4, and objects in others (workflows 1.2). */
export function areLinksRead(level: JsonObject): boolean {
  const version = level.get('version');
  const [first] = listMember(level, 'links');
  const isOld = version?.kind === 'number' && version.value === 0.4;
  return !first || (first.kind === 'array') === isOld;
}

function withoutTwins(all: readonly GraphNode[]): Pick<GraphLevel, 'nodes' | 'twins'> {
  const ids = new Set<string>();
  const nodes: GraphNode[] = [];
  const twins: GraphNode[] = [];
  for (const node of all) {
    (ids.has(node.id) ? twins : nodes).push(node);
    ids.add(node.id);
  }
  return { nodes, twins };
}

/** Nested definitions count as if they were at the root; no real file nests deeper than this. */
const maxDefinitionDepth = 50;

function readSubgraphs(
  level: JsonObject | undefined,
  found: Map<string, SubgraphDefinition>,
  depth: number,
): void {
  if (depth > maxDefinitionDepth) return;
  for (const node of objectsAmong(listMember(objectMember(level, 'definitions'), 'subgraphs'))) {
    const id = readId(node.get('id'));
    if (id !== undefined && !found.has(id)) {
      const inner = readLevel(node);
      const inputs = objectsAmong(listMember(node, 'inputs')).map((slot) => readSubgraphSlot(slot, inner));
      const outputs = objectsAmong(listMember(node, 'outputs')).map((slot) => readSubgraphSlot(slot, inner));
      const name = nameMember(node);
      found.set(id, { id, name, inputs, outputs, node, ...inner });
    }
    readSubgraphs(node, found, depth + 1);
  }
}

function readSubgraphSlot(node: JsonObject, { links, replaced }: GraphLevel): SubgraphSlot {
  const linkIds = readIds(listMember(node, 'linkIds')).map((id) => replaced.get(id) ?? id);
  return {
    name: nameMember(node),
    type: readSlotType(node.get('type')),
    label: textMember(node, 'label'),
    linkIds: linkIds.filter((id) => links.has(id)),
    node,
  };
}

function readGroups(groups: JsonObject | undefined): Map<string, GroupDefinition> {
  const found = new Map<string, GroupDefinition>();
  groups?.properties.forEach(({ name, value }) => {
    if (value?.kind === 'object') found.set(name, readGroup(name, value));
  });
  return found;
}

function readGroup(name: string, node: JsonObject): GroupDefinition {
  return {
    name,
    nodes: objectsAmong(listMember(node, 'nodes')).map((each, index) => readNode(each, String(index))),
    links: listMember(node, 'links').flatMap(readGroupLink),
    external: listMember(node, 'external').flatMap((each) => {
      if (each.kind !== 'array') return [];
      const [index, slot] = each.items.map(readSlotIndex);
      return index === undefined || slot === undefined
        ? []
        : [{ index, slot, type: readSlotType(each.items[2]) }];
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
    const index = readSlotIndex(link.items[2]);
    if (index !== undefined && !types.has(index)) types.set(index, readSlotType(link.items[5]));
  }
  return types;
}

function readGroupLink(node: JsonNode): GroupLink[] {
  if (node.kind !== 'array') return [];
  const [originIndex, originSlot = 0, targetIndex, targetSlot = 0] = node.items.map(readSlotIndex);
  if (originIndex === undefined || targetIndex === undefined) return [];
  return [{ originIndex, originSlot, targetIndex, targetSlot, type: readSlotType(node.items[5]), node }];
}

/** New IDs for inner nodes and for twins at the root whose ID is taken (workflows 2, A3), counted on from the file's last ID. */
export function renumberedNodes(graph: Graph) {
  const used = new Set<string>();
  const named = new Set(graph.nodes.map(({ id }) => id));
  let last = graph.lastNodeId;
  const free = (): string => {
    do last++;
    while (used.has(String(last)) || named.has(String(last)));
    used.add(String(last));
    return String(last);
  };
  for (const { id, hasNumericId } of graph.nodes) if (hasNumericId) used.add(id);
  const all = new Map<string, ReadonlyMap<string, string>>();
  for (const subgraph of graph.subgraphs.values()) {
    const numbers = new Map<string, string>();
    for (const { id, hasNumericId } of subgraph.nodes) {
      if (!hasNumericId) continue;
      if (used.has(id)) numbers.set(id, free());
      else {
        used.add(id);
        last = largestId([last, id]);
      }
    }
    if (numbers.size > 0) all.set(subgraph.id, numbers);
  }
  const ofTwins = new Map(graph.twins.map((node) => [node, free()]));
  return { bySubgraph: all, ofTwins, free };
}
