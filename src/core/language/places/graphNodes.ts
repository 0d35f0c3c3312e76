import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { Graph, SubgraphDefinition } from '../../workflow/graph/graph';
import {
  type GraphLink,
  linkOwners,
  subgraphInputId,
  subgraphOutputId,
} from '../../workflow/graph/graphLinks';
import type { JsonNode } from '../../json/node';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { GraphScope, WorkflowPlace } from './workflowPlace';
import { type WidgetValue, nodeWidgetValues } from '../../workflow/graph/widgetValues';
import { t } from '../../safety/localize';

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

const nodesById = new WeakMap<GraphScope, ReadonlyMap<string, GraphNode>>();

export function scopeNode(scope: GraphScope, id: string): GraphNode | undefined {
  let nodes = nodesById.get(scope);
  if (!nodes) nodesById.set(scope, (nodes = new Map(scope.nodes.map((node) => [node.id, node]))));
  return nodes.get(id);
}

const subgraphsByNode = new WeakMap<Graph, ReadonlyMap<JsonNode, SubgraphDefinition>>();

export function scopeSubgraph(graph: Graph, scope: GraphScope): SubgraphDefinition | undefined {
  let subgraphs = subgraphsByNode.get(graph);
  if (!subgraphs) {
    subgraphs = new Map([...graph.subgraphs.values()].map((each) => [each.node, each]));
    subgraphsByNode.set(graph, subgraphs);
  }
  return subgraphs.get(scope.node);
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
