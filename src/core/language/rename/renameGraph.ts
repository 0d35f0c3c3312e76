import type { JsonNode, JsonObject } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import { partNode } from '../../workflow/graph/graphLinks';
import type { Graph, SubgraphDefinition } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { countersOf, idOf, listMember, objectMember, objectsIn } from '../../workflow/graph/members';
import { subgraphOf } from '../places/graphNodes';
import { type GraphScope, scopesOf, textLike } from '../places/graphPlace';
import { RenameError } from './renameError';
import { t } from '../../safety/localize';

/** References are in link tables, promoted widgets, lists of packs in `extra`, and the ID counter. */
export function renameInGraph(graph: Graph, scope: GraphScope, node: GraphNode, newId: string): TextEdit[] {
  refuseUnfit(graph, scope, node, newId);
  const subgraph = subgraphOf(graph, scope);
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

function takenWords(id: string, where: GraphScope | 'here'): string {
  if (where === 'here') {
    return t`Node ${id} already exists, and the ComfyUI editor would renumber one of them. Choose an unused ID.`;
  }
  return 'name' in where
    ? t`Node ${id} already exists in the subgraph ${String(where.name)}, and the ComfyUI editor would renumber one of them. Choose an unused ID.`
    : t`Node ${id} already exists in the graph around this subgraph, and the ComfyUI editor would renumber one of them. Choose an unused ID.`;
}

function refuseUnfit(graph: Graph, scope: GraphScope, node: GraphNode, newId: string): void {
  if (node.hasNumericId && !/^(?:0|[1-9]\d{0,14})$/.test(newId)) {
    throw new RenameError(t`Node IDs in graph files are integers. Choose a number.`);
  }
  if (newId.trim() === '') throw new RenameError(t`A node ID can't be empty.`);
  for (const each of scopesOf(graph)) {
    if (!each.nodes.some(({ id }) => id === newId)) continue;
    throw new RenameError(takenWords(newId, each === scope ? 'here' : each));
  }
  if (idsOf(scope, node).length > 1) {
    throw new RenameError(t`Several nodes have the ID ${node.id}. Give each a unique ID first.`);
  }
  if (idsOf(scope, node).length === 0) throw new RenameError(t`This node has no ID to rename.`);
  const subgraph = subgraphOf(graph, scope);
  const text =
    subgraph &&
    instancesOf(graph, subgraph.id)
      .map(proxyList)
      .find((list) => list?.kind === 'string');
  if (text) {
    throw new RenameError(
      t`A node of this subgraph stores its widgets in an old format. Open and save the file in the ComfyUI editor first.`,
    );
  }
}

/** The `id` of every node object with this id, also of those that a later one hides. */
function idsOf(scope: GraphScope, node: GraphNode): JsonNode[] {
  const nodes = objectsIn(listMember(asObject(scope.node), 'nodes'));
  return nodes.flatMap((each) => idMember(each, 'id', node.id));
}

function linkEnds(scope: GraphScope, id: string): JsonNode[] {
  const table = scope.rows.flatMap((link) => [partNode(link, 'origin'), partNode(link, 'target')]);
  const floating = objectsIn(listMember(asObject(scope.node), 'floatingLinks')).flatMap((link) => {
    return [link.get('origin_id'), link.get('target_id')];
  });
  return [...table, ...floating].flatMap((each) => (each && idOf(each) === id ? [each] : []));
}

/** Where subgraph instances, and the subgraph itself, reference inner nodes. */
function placesOfInner(graph: Graph, subgraph: SubgraphDefinition, id: string): JsonNode[] {
  const own = objectsIn(listMember(subgraph.node, 'widgets')).flatMap((each) => idMember(each, 'id', id));
  const shown = instancesOf(graph, subgraph.id).flatMap((instance) => [
    ...proxies(instance).flatMap(([inner]) => (inner && idOf(inner) === id ? [inner] : [])),
    ...objectsIn(listMember(instance.properties, 'previewExposures')).flatMap((each) => {
      return idMember(each, 'sourceNodeId', id);
    }),
  ]);
  // Instances of the graphs around it name inner nodes of instances by a third element.
  const deeper = scopesOf(graph).flatMap((outer) => {
    const holder = subgraphOf(graph, outer);
    if (!holder) return [];
    const held = new Set(outer.nodes.filter(({ type }) => type === subgraph.id).map((each) => each.id));
    return instancesOf(graph, holder.id).flatMap((instance) => {
      return proxies(instance).flatMap(([inner, , inmost]) => {
        const isMeant = inner && inmost && held.has(idOf(inner) ?? '') && idOf(inmost) === id;
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
        inner && idOf(inner) === id && name?.kind === 'string' && name.value.startsWith(`${id}: `);
      if (!isMeant) return [];
      return [replaceValue(name, JSON.stringify(`${newId}${name.value.slice(id.length)}`))];
    });
  });
}

/** What the editor and packs keep beside a graph about its nodes. */
function placesInExtra(graph: Graph, id: string): JsonNode[] {
  const extra = objectMember(asObject(graph.node), 'extra');
  const linear = objectMember(extra, 'linearData');
  const wires = objectsIn(listMember(extra, 'ue_links')).flatMap((wire) => {
    return ['upstream', 'downstream', 'controller'].flatMap((name) => idMember(wire, name, id));
  });
  const shown = listMember(linear, 'inputs').flatMap((each) =>
    each.kind === 'array' ? each.items.slice(0, 1) : [],
  );
  const named = [...shown, ...listMember(linear, 'outputs')].filter((each) => idOf(each) === id);
  return [...wires, ...named];
}

/** New nodes get IDs above the counter, so it must not stay below an ID entered by hand. */
function counterEdits(graph: Graph, scope: GraphScope, newId: string): TextEdit[] {
  if (!/^\d+$/.test(newId)) return [];
  const counters = new Set([graph.node, scope.node].flatMap((level) => countersOf(level, 'node')));
  const low = [...counters].filter(({ value }) => value < Number(newId));
  return low.map((counter) => replaceValue(counter, newId));
}

function instancesOf(graph: Graph, type: string): GraphNode[] {
  return scopesOf(graph).flatMap(({ nodes }) => nodes.filter((node) => node.type === type));
}

function proxyList({ properties }: GraphNode): JsonNode | undefined {
  return properties?.get('proxyWidgets');
}

function proxies(instance: GraphNode): (readonly JsonNode[])[] {
  return listMember(instance.properties, 'proxyWidgets').flatMap((each) =>
    each.kind === 'array' ? [each.items] : [],
  );
}

function idMember(object: JsonObject, name: string, id: string): JsonNode[] {
  const value = object.get(name);
  return value && idOf(value) === id ? [value] : [];
}

function asObject(node: JsonNode): JsonObject | undefined {
  return node.kind === 'object' ? node : undefined;
}
