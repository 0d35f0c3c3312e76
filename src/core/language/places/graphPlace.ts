import type { JsonNode, JsonObject } from '../../json/node';
import type { Graph, GraphLevel } from '../../workflow/graph/graph';
import { type GraphLink, linkPart, type LinkPart } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode, GraphOutput } from '../../workflow/graph/graphNode';
import { readId } from '../../workflow/graph/members';
import { contains, type JsonPlace, jsonPlaceAt } from './jsonPlace';

/** The root graph or the inside of a subgraph: the scope of IDs. */
export type GraphScope = GraphLevel & { readonly node: JsonNode };

export type GraphPlace = { readonly json: JsonPlace; readonly scope: GraphScope } & (
  | { readonly kind: 'nodeId' | 'nodeType' | 'title' | 'node'; readonly node: GraphNode }
  /** An element of `widgets_values` by position or by name, or of `widgets_values_named`. */
  | {
      readonly kind: 'widget';
      readonly node: GraphNode;
      readonly index: number | undefined;
      readonly name: string | undefined;
    }
  | { readonly kind: 'input'; readonly node: GraphNode; readonly input: GraphInput }
  | {
      readonly kind: 'output';
      readonly node: GraphNode;
      readonly output: GraphOutput;
      readonly slot: number;
      readonly linkId: string | undefined;
    }
  | { readonly kind: 'link'; readonly link: GraphLink; readonly part: LinkPart }
);

export function graphScopes(graph: Graph): GraphScope[] {
  return [graph, ...graph.subgraphs.values()];
}

export function graphPlaceAt(graph: Graph, offset: number): GraphPlace | undefined {
  const json = jsonPlaceAt(graph.document, offset);
  if (!json) return undefined;
  const scope = graphScopes(graph).findLast(({ node }) => json.containers.some((each) => each === node));
  if (!scope) return undefined;
  const chain = json.containers.slice(json.containers.findIndex((each) => each === scope.node) + 1);
  const [list, element] = chain;
  if (!list || !element || list.kind !== 'array') return undefined;
  const node = scope.nodes.find((each) => each.node === element);
  if (node) return inNode(scope, node, json, chain.slice(2));
  const link = scope.rows.find((each) => each.node === element);
  return link && inLink(scope, link, json);
}

function inNode(scope: GraphScope, node: GraphNode, json: JsonPlace, inner: readonly JsonNode[]): GraphPlace {
  const [member, slotObject] = inner;
  const name = json.property?.name ?? '';
  if (!member) {
    if (json.at === 'value' || json.at === 'newValue') {
      if (name === 'id') return { kind: 'nodeId', json, scope, node };
      if (name === 'type') return { kind: 'nodeType', json, scope, node };
      if (name === 'title') return { kind: 'title', json, scope, node };
    }
    return { kind: 'node', json, scope, node };
  }
  if (
    contains(member, json.node ?? { offset: json.offset, length: 0 }) &&
    (member === node.widgetsValues || member === node.namedValues) &&
    inner.length === 1
  ) {
    return { kind: 'widget', json, scope, node, index: json.index, name: json.property?.name };
  }
  if (slotObject?.kind === 'object')
    return inSlot(scope, node, json, slotObject) ?? { kind: 'node', json, scope, node };
  return { kind: 'node', json, scope, node };
}

function inSlot(
  scope: GraphScope,
  node: GraphNode,
  json: JsonPlace,
  object: JsonObject,
): GraphPlace | undefined {
  const input = node.inputs.find((each) => each.node === object);
  if (input) return { kind: 'input', json, scope, node, input };
  const slot = node.outputs.findIndex((each) => each.node === object);
  const output = node.outputs[slot];
  if (!output) return undefined;
  const id = json.node && json.index !== undefined ? readId(json.node) : undefined;
  return { kind: 'output', json, scope, node, output, slot, linkId: id };
}

function inLink(scope: GraphScope, link: GraphLink, json: JsonPlace): GraphPlace | undefined {
  const part = linkPart(json.index ?? json.property?.name);
  return part && { kind: 'link', json, scope, link, part };
}

/** An ID in the form of the existing one: a number or a string. */
export function textLike(place: JsonNode | undefined, id: string): string {
  return place?.kind === 'string' || !/^-?\d+$/.test(id) ? JSON.stringify(id) : id;
}
