import { type JsonRange, rangeEnd } from '../../json/node';
import type { SubgraphDefinition } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { PromptNode } from '../../workflow/prompt';
import { scopeNode } from '../places/graphNodes';
import { bareRange } from '../places/jsonPlace';
import { findConsumers } from '../places/promptLinks';
import { type GraphPlace, type WorkflowPlace, workflowPlaceAt } from '../places/workflowPlace';
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

type PlacedNode = PromptNode | GraphNode;

/** From a link to its source node; in graph files also to its target, and from an instance to its subgraph. */
export function definitionAtOffset(doc: WorkflowDocument, offset: number): Definition | undefined {
  const place = workflowPlaceAt(doc, offset);
  if (!place) return undefined;
  const origin = 'prompt' in place && 'input' in place ? place.input?.valueNode : place.json.node;
  const isInstance = place.kind === 'nodeType' && 'graph' in place;
  const target = isInstance ? place.graph.subgraphs.get(place.node.type) : linkEnd(place);
  if (!origin || !target) return undefined;
  return { origin: bareRange(origin), target: nodeRange(target), selection: idRange(target) };
}

/** The node that a link at a place comes from, or goes to. */
function linkEnd(place: WorkflowPlace): PlacedNode | undefined {
  switch (place.kind) {
    case 'linkNode':
    case 'linkSlot': {
      const list = place.input?.valueNode;
      const id = list?.kind === 'array' ? list.items[0] : undefined;
      return id?.kind === 'string' ? place.prompt.node(id.value) : undefined;
    }
    case 'link': {
      const isTarget = place.part === 'target' || place.part === 'targetSlot';
      return scopeNode(place.scope, isTarget ? place.link.targetId : place.link.originId);
    }
    case 'input': {
      const link = place.input.link === undefined ? undefined : place.scope.links.get(place.input.link);
      return link && scopeNode(place.scope, link.originId);
    }
    case 'output': {
      const link = place.linkId === undefined ? undefined : place.scope.links.get(place.linkId);
      return link && scopeNode(place.scope, link.targetId);
    }
    default:
      return undefined;
  }
}

/** Everything that names the node at an offset: its ID, then the links to it by output, in file order. */
export function nodeReferences(doc: WorkflowDocument, offset: number): Reference[] {
  const place = workflowPlaceAt(doc, offset);
  const node = place && namedNode(place);
  if (!node) return [];
  const uses =
    'graph' in place
      ? place.scope.rows.flatMap((link) =>
          link.originId === node.id ? [linkReference(link.node, link.originSlot, link.targetId)] : [],
        )
      : findConsumers(place.prompt, node.id).map(({ node: user, input, slot }) =>
          linkReference(input.valueNode, slot, user.id),
        );
  uses.sort((a, b) => a.slot - b.slot || a.offset - b.offset);
  return [{ ...idRange(node), role: 'declaration' }, ...uses];
}

/** The node that the text at a place names: as a node, or in a link. */
export function namedNode(place: GraphPlace): GraphNode | undefined;
export function namedNode(place: WorkflowPlace): PlacedNode | undefined;
export function namedNode(place: WorkflowPlace): PlacedNode | undefined {
  // Beside the rows of a graph's tables nothing is named.
  if ('graph' in place && !place.json.node) return undefined;
  switch (place.kind) {
    case 'nodeId':
    case 'nodeType':
    case 'title':
      return place.node;
    case 'linkNode':
    case 'linkSlot':
      return linkEnd(place);
    case 'link':
      return place.part === 'origin' || place.part === 'target' ? linkEnd(place) : undefined;
    default:
      return undefined;
  }
}

function linkReference(link: JsonRange, slot: number, usedBy: string): Reference & { readonly slot: number } {
  return { ...bareRange(link), role: 'link', slot, usedBy };
}

/** From the ID of a node of a prompt to its last bracket. */
function nodeRange(node: PlacedNode | SubgraphDefinition): JsonRange {
  if (!('idNode' in node)) return bareRange(node.node);
  const { offset } = node.idNode;
  return { offset, length: rangeEnd(node.node) - offset };
}

function idRange(node: PlacedNode | SubgraphDefinition): JsonRange {
  return bareRange('idNode' in node ? node.idNode : (node.node.get('id') ?? node.node));
}
