import type { JsonNode, JsonObject, JsonRange } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import { partNode } from '../../workflow/graph/graphLinks';
import type { Graph, SubgraphDefinition } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { levelCounters, readId, listMember, objectMember, objectsAmong } from '../../workflow/graph/members';
import { scopeSubgraph } from '../places/graphNodes';
import {
  type GraphPlace,
  type GraphScope,
  graphScopes,
  type PromptPlace,
  textLike,
  workflowPlaceAt,
} from '../places/workflowPlace';
import { namedNode } from '../navigation/navigation';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

/** The text at this position can't be renamed, or not to this name; the message says why and what to do. */
export class RenameError extends Error {
  override readonly name = 'RenameError';
}

/** The ID that a rename would change: the one at the cursor, in the declaration or in a link. */
export interface RenameTarget extends JsonRange {
  readonly id: string;
}

interface NamedNode {
  readonly id: string;
  readonly at: JsonNode;
  /** The places where nodes declare this ID: several if the file has it twice. */
  readonly declared: readonly JsonNode[];
  /** Throws {@link RenameError} where the format doesn't allow an ID. */
  readonly refuse: (newId: string) => void;
  readonly edits: (newId: string) => TextEdit[];
}

/** The node ID at an offset. Throws {@link RenameError} if there is none. */
export function prepareRename(doc: WorkflowDocument, offset: number): RenameTarget {
  const { id, at } = namedNodeAt(doc, offset);
  const quotes = at.kind === 'string' ? 1 : 0;
  return { offset: at.offset + quotes, length: at.length - 2 * quotes, id };
}

/** Edits that give the node at an offset another id, in every place that names it. Throws {@link RenameError}. */
export function renameNode(doc: WorkflowDocument, offset: number, newId: string): TextEdit[] {
  const { id, declared, refuse, edits } = namedNodeAt(doc, offset);
  if (newId === id) return [];
  if (newId.trim() === '') throw new RenameError(t`A node ID can't be empty.`);
  refuse(newId);
  if (declared.length > 1) {
    throw new RenameError(t`Several nodes have the ID ${id}. Give each a unique ID first.`);
  }
  return edits(newId);
}

function namedNodeAt(doc: WorkflowDocument, offset: number): NamedNode {
  refuseBroken(doc);
  const place = workflowPlaceAt(doc, offset);
  const at = place?.kind === 'link' ? partNode(place.link, place.part) : place?.json.node;
  const isId = place?.kind === 'nodeId' || place?.kind === 'linkNode' || place?.kind === 'link';
  const found = isId && at && ('graph' in place ? inGraph(place, at) : inPrompt(doc, place, at));
  if (found) return found;
  throw new RenameError(t`Only node IDs can be renamed. Place the cursor on a node ID.`);
}

function inPrompt(doc: WorkflowDocument, place: PromptPlace, at: JsonNode): NamedNode | undefined {
  const { prompt } = place;
  const id = namedNode(place)?.id;
  if (id === undefined) return undefined;
  const declared = (prompt.root?.properties ?? []).filter(({ name }) => name === id).map(({ key }) => key);
  return {
    id,
    at,
    declared,
    refuse: (newId) => {
      if (prompt.node(newId)) throw new RenameError(t`Node ${newId} already exists. Choose an unused ID.`);
    },
    edits: (newId) => {
      const links = prompt.nodes.flatMap(({ inputs }) =>
        inputs.flatMap(({ valueNode }) => linkTo(valueNode, id)),
      );
      const places = [...declared, ...links, ...targetsIn(doc, id)];
      return places.map((each) => replaceValue(each, JSON.stringify(newId)));
    },
  };
}

function inGraph(place: GraphPlace, at: JsonNode): NamedNode | undefined {
  const { graph, scope } = place;
  const node = namedNode(place);
  return (
    node && {
      id: node.id,
      at,
      declared: idsOf(scope, node),
      refuse: (newId) => {
        refuseUnfit(graph, scope, node, newId);
      },
      edits: (newId) => renameInGraph(graph, scope, node, newId),
    }
  );
}

/** The id in a link to a node; every list of two is a link to the server, whatever its slot is. */
function linkTo(value: JsonNode, id: string): JsonNode[] {
  const first = value.kind === 'array' && value.items.length === 2 ? value.items[0] : undefined;
  return first?.kind === 'string' && first.value === id ? [first] : [];
}

function targetsIn({ json, shape }: WorkflowDocument, id: string): JsonNode[] {
  if (shape?.kind !== 'wrapper' || json.root?.kind !== 'object') return [];
  const targets = json.root.get('partial_execution_targets');
  if (targets?.kind !== 'array') return [];
  return targets.items.filter((each) => each.kind === 'string' && each.value === id);
}

function refuseBroken({ format }: WorkflowDocument): void {
  if (format.kind === 'none' && format.reason === 'notJson') {
    throw new RenameError(t`The file isn't valid JSON right now. Fix it first, or links could be missed.`);
  }
}

/** References are in link tables, promoted widgets, lists of packs in `extra`, and the ID counter. */
function renameInGraph(graph: Graph, scope: GraphScope, node: GraphNode, newId: string): TextEdit[] {
  const subgraph = scopeSubgraph(graph, scope);
  const places = [
    ...idsOf(scope, node),
    ...linkEnds(scope, node.id),
    ...(subgraph ? placesOfInner(graph, subgraph, node.id) : placesInExtra(graph, node.id)),
  ];
  return [
    ...places.map((place) => replaceValue(place, textLike(place, newId))),
    ...(subgraph ? prefixEdits(graph, subgraph, node.id, newId) : []),
    ...counterEdits(graph, scope, newId),
  ];
}

function takenWords(id: string, where: GraphScope): string {
  return 'name' in where
    ? t`Node ${id} already exists in the subgraph ${String(where.name)}, and the ComfyUI editor would renumber one of them. Choose an unused ID.`
    : t`Node ${id} already exists in the graph around this subgraph, and the ComfyUI editor would renumber one of them. Choose an unused ID.`;
}

function refuseUnfit(graph: Graph, scope: GraphScope, node: GraphNode, newId: string): void {
  if (node.hasNumericId && !/^(?:0|[1-9]\d{0,14})$/.test(newId)) {
    throw new RenameError(t`Node IDs in graph files are integers. Choose a number.`);
  }
  for (const each of graphScopes(graph)) {
    if (!each.nodes.some(({ id }) => id === newId)) continue;
    throw new RenameError(
      each === scope ? t`Node ${newId} already exists. Choose an unused ID.` : takenWords(newId, each),
    );
  }
  if (idsOf(scope, node).length === 0) throw new RenameError(t`This node has no ID to rename.`);
  const subgraph = scopeSubgraph(graph, scope);
  const text =
    subgraph &&
    instancesOf(graph, subgraph.id)
      .map(({ properties }) => properties?.get('proxyWidgets'))
      .find((list) => list?.kind === 'string');
  if (text) {
    throw new RenameError(
      t`A node of this subgraph stores its widgets in an old format. Open and save the file in the ComfyUI editor first.`,
    );
  }
}

/** The `id` of every node object with this id, also of those that a later one hides. */
function idsOf(scope: GraphScope, node: GraphNode): JsonNode[] {
  const nodes = objectsAmong(listMember(asObject(scope.node), 'nodes'));
  return nodes.flatMap((each) => idMember(each, 'id', node.id));
}

function linkEnds(scope: GraphScope, id: string): JsonNode[] {
  const table = scope.rows.flatMap((link) => [partNode(link, 'origin'), partNode(link, 'target')]);
  const floating = objectsAmong(listMember(asObject(scope.node), 'floatingLinks')).flatMap((link) => {
    return [link.get('origin_id'), link.get('target_id')];
  });
  return [...table, ...floating].flatMap((each) => (each && readId(each) === id ? [each] : []));
}

function placesOfInner(graph: Graph, subgraph: SubgraphDefinition, id: string): JsonNode[] {
  const own = objectsAmong(listMember(subgraph.node, 'widgets')).flatMap((each) => idMember(each, 'id', id));
  const shown = instancesOf(graph, subgraph.id).flatMap((instance) => [
    ...proxies(instance).flatMap(([inner]) => (inner && readId(inner) === id ? [inner] : [])),
    ...objectsAmong(listMember(instance.properties, 'previewExposures')).flatMap((each) => {
      return idMember(each, 'sourceNodeId', id);
    }),
  ]);
  // Instances of the graphs around it name inner nodes of instances by a third element.
  const deeper = graphScopes(graph).flatMap((outer) => {
    const holder = scopeSubgraph(graph, outer);
    if (!holder) return [];
    const held = new Set(outer.nodes.filter(({ type }) => type === subgraph.id).map((each) => each.id));
    return instancesOf(graph, holder.id).flatMap((instance) => {
      return proxies(instance).flatMap(([inner, , inmost]) => {
        const isMeant = inner && inmost && held.has(readId(inner) ?? '') && readId(inmost) === id;
        return isMeant ? [inmost] : [];
      });
    });
  });
  return [...own, ...shown, ...deeper];
}

/** Names of old promoted widgets start with the ID of their node: `6: text`. */
function prefixEdits(graph: Graph, subgraph: SubgraphDefinition, id: string, newId: string): TextEdit[] {
  return instancesOf(graph, subgraph.id).flatMap((instance) => {
    return proxies(instance).flatMap(([inner, name]) => {
      const isMeant =
        inner && readId(inner) === id && name?.kind === 'string' && name.value.startsWith(`${id}: `);
      if (!isMeant) return [];
      return [replaceValue(name, JSON.stringify(`${newId}${name.value.slice(id.length)}`))];
    });
  });
}

function placesInExtra(graph: Graph, id: string): JsonNode[] {
  const extra = objectMember(asObject(graph.node), 'extra');
  const linear = objectMember(extra, 'linearData');
  const wires = objectsAmong(listMember(extra, 'ue_links')).flatMap((wire) => {
    return ['upstream', 'downstream', 'controller'].flatMap((name) => idMember(wire, name, id));
  });
  const shown = listMember(linear, 'inputs').flatMap((each) =>
    each.kind === 'array' ? each.items.slice(0, 1) : [],
  );
  const named = [...shown, ...listMember(linear, 'outputs')].filter((each) => readId(each) === id);
  return [...wires, ...named];
}

/** New nodes get IDs above the counter, so it must not stay below an ID entered by hand. */
function counterEdits(graph: Graph, scope: GraphScope, newId: string): TextEdit[] {
  if (!/^\d+$/.test(newId)) return [];
  const counters = new Set([graph.node, scope.node].flatMap((level) => levelCounters(level, 'node')));
  const low = [...counters].filter(({ value }) => value < Number(newId));
  return low.map((counter) => replaceValue(counter, newId));
}

function instancesOf(graph: Graph, type: string): GraphNode[] {
  return graphScopes(graph).flatMap(({ nodes }) => nodes.filter((node) => node.type === type));
}

function proxies(instance: GraphNode): (readonly JsonNode[])[] {
  return listMember(instance.properties, 'proxyWidgets').flatMap((each) =>
    each.kind === 'array' ? [each.items] : [],
  );
}

function idMember(object: JsonObject, name: string, id: string): JsonNode[] {
  const value = object.get(name);
  return value && readId(value) === id ? [value] : [];
}

function asObject(node: JsonNode): JsonObject | undefined {
  return node.kind === 'object' ? node : undefined;
}
