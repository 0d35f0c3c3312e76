import type { Catalog } from '../../catalog/catalog';
import { areCompatible } from '../../check/typeCompatibility';
import type { JsonNode } from '../../json/node';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphLink, subgraphInputId, subgraphOutputId, partNode } from '../../workflow/graph/graphLinks';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { graphNodeName, nodeIn, subgraphOf } from '../places/graphNodes';
import type { GraphPlace, GraphScope } from '../places/graphPlace';
import { closure } from '../../workflow/closure';
import { t } from '../../safety/localize';

type LinkPlace = Extract<GraphPlace, { readonly kind: 'link' }>;

interface LinkEnd {
  readonly id: string;
  readonly slot: number;
  readonly owner: string;
  readonly name: string;
  readonly type: string;
}

/** The parts of a link in a graph's link table: matching outputs without cycles, matching inputs, slots by name. */
export function completeGraphLink(
  graph: Graph,
  place: LinkPlace,
  slot: Slot,
  catalog: Catalog | undefined,
): Completion[] {
  return completionsIn(slot, suggestionsFor(graph, place, catalog));
}

function suggestionsFor(
  graph: Graph,
  { scope, link, part }: LinkPlace,
  catalog: Catalog | undefined,
): Suggestion[] {
  const origins = endsOf(graph, scope, 'outputs', catalog);
  const targets = endsOf(graph, scope, 'inputs', catalog);
  const origin = origins.find((each) => each.id === link.originId && each.slot === link.originSlot);
  const target = targets.find((each) => each.id === link.targetId && each.slot === link.targetSlot);
  switch (part) {
    case 'origin': {
      const loops = closure([link.targetId], (id) => nextOf(scope, id, 'targetId'));
      const fitting = origins.filter(({ id, type }) => !loops.has(id) && fits(type, target?.type));
      return fitting.map((end) => nodeSuggestion(end, link, 'originSlot'));
    }
    case 'target': {
      const loops = closure([link.originId], (id) => nextOf(scope, id, 'originId'));
      const fitting = targets.filter(({ id, type }) => !loops.has(id) && fits(origin?.type, type));
      return fitting.map((end) => nodeSuggestion(end, link, 'targetSlot'));
    }
    case 'originSlot': {
      const own = origins.filter(({ id }) => id === link.originId);
      return own.map((end) => slotSuggestion(end, fits(end.type, target?.type)));
    }
    case 'targetSlot': {
      const own = targets.filter(({ id }) => id === link.targetId);
      return own.map((end) => slotSuggestion(end, fits(origin?.type, end.type)));
    }
    case 'type': {
      const types = [...new Set([origin?.type, target?.type].filter((type) => type !== undefined))];
      return types.map((type, rank) => ({ kind: 'value', label: type, newText: JSON.stringify(type), rank }));
    }
    case 'id':
      return [];
  }
}

/** Every output, or every input, of the nodes of a scope; inside a subgraph, its own slots too. */
function endsOf(
  graph: Graph,
  scope: GraphScope,
  side: 'inputs' | 'outputs',
  catalog: Catalog | undefined,
): LinkEnd[] {
  const ofNode = (node: GraphNode): LinkEnd[] =>
    node[side].map(({ name, type }, slot) => {
      return { id: node.id, slot, owner: graphNodeName(graph, node, catalog), name, type };
    });
  const subgraph = subgraphOf(graph, scope);
  // A subgraph's inputs are outputs to the nodes inside.
  const [id, slots, owner] =
    side === 'outputs'
      ? [subgraphInputId, subgraph?.inputs, t`Subgraph input`]
      : [subgraphOutputId, subgraph?.outputs, t`Subgraph output`];
  const own = (slots ?? []).map(({ name, type }, slot) => ({ id, slot, owner, name, type }));
  return [...scope.nodes.flatMap(ofNode), ...own];
}

function nextOf(scope: GraphScope, id: string, to: 'originId' | 'targetId'): string[] {
  const from = to === 'targetId' ? 'originId' : 'targetId';
  return [...scope.links.values()]
    .filter((link) => link[from] === id && nodeIn(scope, link[to]))
    .map((link) => link[to]);
}

function fits(output: string | undefined, input: string | undefined): boolean {
  return output === undefined || input === undefined || areCompatible(output, input);
}

/** The node and its slot are written together. */
function nodeSuggestion(end: LinkEnd, link: GraphLink, part: 'originSlot' | 'targetSlot'): Suggestion {
  const { id, slot, owner, name, type } = end;
  const written = partNode(link, part === 'originSlot' ? 'origin' : 'target');
  const slotNode = partNode(link, part);
  return {
    kind: 'link',
    label: `${id} · ${owner} · ${name}`,
    newText: textLike(written, id),
    detail: type,
    words: `${owner} ${name}`,
    rank: type === link.type ? 0 : 1,
    furtherEdits:
      slotNode?.kind === 'number' && slotNode.value !== slot
        ? [{ offset: slotNode.offset, length: slotNode.length, newText: String(slot) }]
        : undefined,
  };
}

function slotSuggestion({ slot, name, type }: LinkEnd, isFitting: boolean): Suggestion {
  return {
    kind: 'slot',
    label: `${slot} · ${name}`,
    newText: String(slot),
    detail: type,
    words: name,
    rank: isFitting ? 0 : 1,
  };
}

/** An ID in the form of the existing one: a number or a string. */
function textLike(place: JsonNode | undefined, id: string): string {
  return place?.kind === 'string' || !/^-?\d+$/.test(id) ? JSON.stringify(id) : id;
}
