import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { GraphCompilation } from '../../workflow/graph/compileGraph';
import type { Graph, SubgraphDefinition } from '../../workflow/graph/graph';
import {
  type GraphLink,
  linkOwners,
  subgraphInputId,
  subgraphOutputId,
} from '../../workflow/graph/graphLinks';
import { exactEquals } from '../../json/exactEquals';
import { exactValue } from '../../json/exactValue';
import type { JsonNode, JsonRange } from '../../json/node';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { type GraphScope, graphScopes, type WorkflowPlace } from './workflowPlace';
import {
  listedValues,
  nodeWidgetValues,
  valueWithCopy,
  type WidgetValue,
} from '../../workflow/graph/widgetValues';
import type { PromptInput, PromptNode } from '../../workflow/prompt';
import { t } from '../../safety/localize';
import { memoizeByObject } from '../../safety/memoizeByObject';

export function graphNodeDefinition(
  node: GraphNode,
  catalog: Catalog | undefined,
): NodeDefinition | undefined {
  return catalog?.get(node.type);
}

export function canvasNodeName(graph: Graph, node: GraphNode, catalog?: Catalog): string {
  if (node.title !== undefined && node.title !== '') return node.title;
  const subgraph = graph.subgraphs.get(node.type);
  return (
    subgraph?.name ??
    graphNodeDefinition(node, catalog)?.displayName ??
    (node.type === '' ? node.id : node.type)
  );
}

const nodesById = memoizeByObject(({ nodes }: GraphScope) => new Map(nodes.map((node) => [node.id, node])));

export function scopeNode(scope: GraphScope, id: string): GraphNode | undefined {
  return nodesById(scope).get(id);
}

const subgraphsByNode = memoizeByObject(
  ({ subgraphs }: Graph): ReadonlyMap<JsonNode, SubgraphDefinition> =>
    new Map([...subgraphs.values()].map((each) => [each.node, each])),
);

export function scopeSubgraph(graph: Graph, scope: GraphScope): SubgraphDefinition | undefined {
  return subgraphsByNode(graph).get(scope.node);
}

/** The end of a link: a title and a slot name. */
export function endText(
  graph: Graph,
  scope: GraphScope,
  link: GraphLink,
  end: 'origin' | 'target',
  catalog?: Catalog,
): string {
  const id = end === 'origin' ? link.originId : link.targetId;
  const slot = end === 'origin' ? link.originSlot : link.targetSlot;
  const subgraph = scopeSubgraph(graph, scope);
  if (subgraph && id === subgraphInputId) return t`Subgraph input · ${subgraph.inputs[slot]?.name ?? slot}`;
  if (subgraph && id === subgraphOutputId)
    return t`Subgraph output · ${subgraph.outputs[slot]?.name ?? slot}`;
  const node = scopeNode(scope, id);
  if (!node) return t`no node ${id}`;
  // A link's target slot may be outdated: the input that names the link is authoritative (workflows 1.2).
  const input = linkOwners(node, scope.links).get(link) ?? node.inputs[slot];
  const name = end === 'origin' ? node.outputs[slot]?.name : input?.name;
  return `${canvasNodeName(graph, node, catalog)} · ${name === undefined || name === '' ? slot : name}`;
}

/** The widget whose stored value is at a place. */
export function widgetAt(
  place: Extract<WorkflowPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
): WidgetValue | undefined {
  const definition = graphNodeDefinition(place.node, catalog);
  if (!definition || !place.json.node) return undefined;
  const widgets = nodeWidgetValues(place.node, definition);
  const stored = widgets.find(({ valueNode }) => valueNode === place.json.node);
  return stored ?? widgets.find(({ widget }) => widget.isStored && widget.name === place.name);
}

/** A value of a graph file, and its copy by name if it has one: who changes one changes both. */
export function valuePlaces(
  graph: Graph,
  catalog: Catalog | undefined,
  place: JsonRange,
): readonly JsonRange[] {
  const copy = copiesByOffset(graph, catalog).get(place.offset);
  return copy ? [place, copy] : [place];
}

const copiesByOffset = memoizeByObject((graph: Graph, catalog: Catalog | undefined) => {
  const nodes = graphScopes(graph).flatMap((scope) => scope.nodes.filter((node) => node.namedValues));
  const copies = nodes.flatMap((node) => {
    const definition = graphNodeDefinition(node, catalog);
    const values = definition
      ? nodeWidgetValues(node, definition).map(({ widget, valueNode }) => [widget.name, valueNode] as const)
      : listedValues(node).map(({ name, place }) => [name, place] as const);
    return values.flatMap(([name, place]) => {
      const [, copy] = name !== undefined && place ? valueWithCopy(node, name, place) : [];
      return place && copy ? [[place.offset, copy] as const] : [];
    });
  });
  return new Map(copies);
});

type Compiled = Extract<GraphCompilation, { readonly kind: 'compiled' }>;

/** Where a graph file has the value of an input as it is sent; nowhere if that is a default, or the editor's own. */
export function inputPlaces(
  graph: Graph,
  catalog: Catalog,
  { source }: Compiled,
  node: PromptNode,
  { name, valueNode }: PromptInput,
): readonly JsonRange[] {
  const place = source.input(node.id, name);
  const isThere = place && exactEquals(exactValue(place), exactValue(valueNode));
  return isThere ? valuePlaces(graph, catalog, place) : [];
}
