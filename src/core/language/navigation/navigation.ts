import type { JsonNode, JsonRange } from '../../json/node';
import { partNode } from '../../workflow/graph/graphLinks';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { scopeNode } from '../places/graphNodes';
import { type GraphPlace, graphPlaceAt, type GraphScope } from '../places/graphPlace';
import { bareRange } from '../places/jsonPlace';
import { findConsumers } from '../places/promptLinks';
import { promptPlaceAt } from '../places/promptPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

export interface Definition {
  readonly origin: JsonRange;
  readonly target: JsonRange;
  readonly selection: JsonRange;
}

export interface Reference extends JsonRange {
  /** `declaration`: the node itself. */
  readonly role: 'declaration' | 'link';
  readonly slot?: number;
  readonly usedBy?: string;
}

/** From a link to its source node; in graph files also to its target, and from an instance to its subgraph. */
export function definitionAtOffset(doc: WorkflowDocument, offset: number): Definition | undefined {
  if (doc.graph) return graphDefinition(doc.graph, offset);
  const place = doc.prompt && promptPlaceAt(doc.prompt, offset);
  if (place?.kind !== 'linkNode' && place?.kind !== 'linkSlot') return undefined;
  const list = place.input?.valueNode;
  const id = list?.kind === 'array' ? list.items[0] : undefined;
  const target = id?.kind === 'string' ? doc.prompt?.node(id.value) : undefined;
  if (!list || !target) return undefined;
  return { origin: bareRange(list), target: nodeRange(target), selection: bareRange(target.idNode) };
}

/** Everything that names the node at an offset: its ID, then the links to it by output, in file order. */
export function nodeReferences(doc: WorkflowDocument, offset: number): Reference[] {
  if (doc.graph) return graphReferences(doc.graph, offset);
  const { prompt } = doc;
  const node = prompt && namedNode(prompt, offset);
  if (!prompt || !node) return [];
  const uses = findConsumers(prompt, node.id).map(({ node: user, input, slot }): LinkReference => {
    return { ...bareRange(input.valueNode), role: 'link', slot, usedBy: user.id };
  });
  return [{ ...bareRange(node.idNode), role: 'declaration' }, ...bySlot(uses)];
}

function namedNode(prompt: Prompt, offset: number): PromptNode | undefined {
  const place = promptPlaceAt(prompt, offset);
  switch (place?.kind) {
    case 'nodeId':
    case 'classType':
    case 'title':
      return place.node;
    case 'linkNode':
    case 'linkSlot':
      return place.input?.link && prompt.node(place.input.link.nodeId);
    default:
      return undefined;
  }
}

/** From the id to the last bracket. */
function nodeRange({ idNode, node }: PromptNode): JsonRange {
  return { offset: idNode.offset, length: node.offset + node.length - idNode.offset };
}

function graphDefinition(graph: Graph, offset: number): Definition | undefined {
  const place = graphPlaceAt(graph, offset);
  const origin = place?.json.node;
  if (!place || !origin) return undefined;
  if (place.kind === 'nodeType') {
    const subgraph = graph.subgraphs.get(place.node.type);
    return (
      subgraph && {
        origin: bareRange(origin),
        target: bareRange(subgraph.node),
        selection: bareRange(subgraph.node.get('id') ?? subgraph.node),
      }
    );
  }
  const target = endNode(place);
  return target && { origin: bareRange(origin), target: bareRange(target.node), selection: idRange(target) };
}

function endNode(place: GraphPlace): GraphNode | undefined {
  const { scope } = place;
  switch (place.kind) {
    case 'link': {
      const isTarget = place.part === 'target' || place.part === 'targetSlot';
      return scopeNode(scope, isTarget ? place.link.targetId : place.link.originId);
    }
    case 'input': {
      const link = place.input.link === undefined ? undefined : scope.links.get(place.input.link);
      return link && scopeNode(scope, link.originId);
    }
    case 'output': {
      const link = place.linkId === undefined ? undefined : scope.links.get(place.linkId);
      return link && scopeNode(scope, link.targetId);
    }
    default:
      return undefined;
  }
}

function graphReferences(graph: Graph, offset: number): Reference[] {
  const place = graphPlaceAt(graph, offset);
  const found = place && namedGraphNode(place);
  if (!found) return [];
  const { scope, node } = found;
  const uses = scope.rows.flatMap((link): LinkReference[] => {
    if (link.originId !== node.id) return [];
    return [{ ...bareRange(link.node), role: 'link', slot: link.originSlot, usedBy: link.targetId }];
  });
  return [{ ...idRange(node), role: 'declaration' }, ...bySlot(uses)];
}

export function namedGraphNode(
  place: GraphPlace,
): { scope: GraphScope; node: GraphNode; at: JsonNode } | undefined {
  const { scope, json } = place;
  if (!json.node) return undefined;
  if (place.kind === 'nodeId' || place.kind === 'nodeType' || place.kind === 'title') {
    return { scope, node: place.node, at: json.node };
  }
  if (place.kind !== 'link' || (place.part !== 'origin' && place.part !== 'target')) return undefined;
  const node = scopeNode(scope, place.part === 'origin' ? place.link.originId : place.link.targetId);
  const at = partNode(place.link, place.part);
  return node && at && { scope, node, at };
}

type LinkReference = Reference & { readonly slot: number };

function idRange({ node }: GraphNode): JsonRange {
  return bareRange(node.get('id') ?? node);
}

function bySlot(uses: readonly LinkReference[]): Reference[] {
  return [...uses].sort((a, b) => a.slot - b.slot || a.offset - b.offset);
}
