import type { Catalog } from '../../catalog/catalog';
import { areCompatible } from '../../check/typeCompatibility';
import { type JsonNode, rangeEnd } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import { reachableItems } from '../../workflow/closure';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphLink, partNode, subgraphInputId, subgraphOutputId } from '../../workflow/graph/graphLinks';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { isOnOneLine } from './completion';
import { canvasNodeName, scopeNode, scopeSubgraph } from '../places/graphNodes';
import { type GraphScope, type InputPlace, textLike, type WorkflowPlace } from '../places/workflowPlace';
import { type LinkSource, linkTargets, promptLinkText } from '../places/linkTargets';
import { promptNodeDefinition, expandedInputNamed, typeText } from '../places/nodeInputs';
import { t } from '../../safety/localize';

export function linkSuggestions(place: InputPlace, catalog: Catalog | undefined): Suggestion[] {
  return targetsAt(place, catalog).map((target) =>
    suggestionOf(target, promptLinkText(target.node.id, target.slot)),
  );
}

function targetsAt({ prompt, node, name }: InputPlace, catalog: Catalog | undefined): LinkSource[] {
  return linkTargets(prompt, node, expandedInputNamed(node, name, catalog), catalog);
}

/** In the first element of a list: inserts the complete link, both parts. */
export function completeLink(
  place: InputPlace,
  slot: Slot,
  inserted: number,
  catalog: Catalog | undefined,
): Completion[] {
  const { text } = place.prompt.document;
  const list = place.input?.valueNode;
  if (list?.kind !== 'array') return [];
  if (expandedInputNamed(place.node, place.name, catalog)?.spec.kind === 'combo') return [];
  const end = Math.max(place.json.offset, rangeEnd(list) - inserted);
  const whole = { offset: list.offset, length: end - list.offset };
  if (inserted === 0 && isOnOneLine(text, whole)) {
    return completionsIn({ range: whole, before: '', after: '' }, linkSuggestions(place, catalog));
  }
  return completionsIn(
    { ...slot, before: '', after: '' },
    targetsAt(place, catalog).map((target) => {
      const id = JSON.stringify(target.node.id);
      const further = inserted > 0 ? undefined : slotEdit(list.items[1], target.slot);
      if (further) return { ...suggestionOf(target, id), furtherEdits: [further] };
      const isComplete = list.items.length > 1 && inserted === 0;
      return suggestionOf(target, isComplete ? id : `${id}, ${target.slot}${inserted > 0 ? ']' : ''}`);
    }),
  );
}

/** In the second element of a list: the outputs of the node in the first. */
export function completeSlot(place: InputPlace, slot: Slot, catalog: Catalog | undefined): Completion[] {
  const { prompt, input } = place;
  const id = input?.valueNode.kind === 'array' ? input.valueNode.items[0] : undefined;
  const source = id?.kind === 'string' ? prompt.node(id.value) : undefined;
  const outputs = source && promptNodeDefinition(source, catalog)?.outputs;
  if (!outputs) return [];
  const fitting = targetsAt(place, catalog).filter((target) => target.node === source);
  return completionsIn(
    { ...slot, before: '', after: '' },
    outputs.map(({ name: label, type, tooltip }, index) => ({
      ...slotSuggestion(
        index,
        label,
        typeText(type),
        fitting.some((target) => target.slot === index),
      ),
      documentation: tooltip,
    })),
  );
}

function suggestionOf({ node, label, type, rank, output }: LinkSource, newText: string): Suggestion {
  return {
    kind: 'link',
    label: `${node.id} · ${label}`,
    newText,
    detail: type,
    documentation: output?.tooltip,
    words: `${label} ${node.classType ?? ''}`,
    rank,
  };
}

function slotEdit(place: JsonNode | undefined, slot: number): TextEdit | undefined {
  return place?.kind === 'number' && place.value !== slot ? replaceValue(place, String(slot)) : undefined;
}

function slotSuggestion(slot: number, name: string, type: string, isFitting: boolean): Suggestion {
  return {
    kind: 'slot',
    label: `${slot} · ${name}`,
    newText: String(slot),
    detail: type,
    words: name,
    rank: isFitting ? 0 : 1,
  };
}

type LinkPlace = Extract<WorkflowPlace, { readonly kind: 'link' }>;

interface LinkEnd {
  readonly id: string;
  readonly slot: number;
  readonly owner: string;
  readonly name: string;
  readonly type: string;
}

/** The parts of a link in a graph's link table: matching outputs without cycles, matching inputs, slots by name. */
export function completeGraphLink(place: LinkPlace, slot: Slot, catalog: Catalog | undefined): Completion[] {
  return completionsIn(slot, suggestionsFor(place, catalog));
}

function suggestionsFor({ graph, scope, link, part }: LinkPlace, catalog: Catalog | undefined): Suggestion[] {
  const origins = endsOf(graph, scope, 'outputs', catalog);
  const targets = endsOf(graph, scope, 'inputs', catalog);
  const origin = origins.find((each) => each.id === link.originId && each.slot === link.originSlot);
  const target = targets.find((each) => each.id === link.targetId && each.slot === link.targetSlot);
  switch (part) {
    case 'origin': {
      const loops = reachableItems([link.targetId], (id) => nextOf(scope, id, 'targetId'));
      const fitting = origins.filter(({ id, type }) => !loops.has(id) && isFitting(type, target?.type));
      return fitting.map((end) => nodeSuggestion(end, link, 'originSlot'));
    }
    case 'target': {
      const loops = reachableItems([link.originId], (id) => nextOf(scope, id, 'originId'));
      const fitting = targets.filter(({ id, type }) => !loops.has(id) && isFitting(origin?.type, type));
      return fitting.map((end) => nodeSuggestion(end, link, 'targetSlot'));
    }
    case 'originSlot': {
      const own = origins.filter(({ id }) => id === link.originId);
      return own.map((end) =>
        slotSuggestion(end.slot, end.name, end.type, isFitting(end.type, target?.type)),
      );
    }
    case 'targetSlot': {
      const own = targets.filter(({ id }) => id === link.targetId);
      return own.map((end) =>
        slotSuggestion(end.slot, end.name, end.type, isFitting(origin?.type, end.type)),
      );
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
      return { id: node.id, slot, owner: canvasNodeName(graph, node, catalog), name, type };
    });
  const subgraph = scopeSubgraph(graph, scope);
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
    .filter((link) => link[from] === id && scopeNode(scope, link[to]))
    .map((link) => link[to]);
}

function isFitting(output: string | undefined, input: string | undefined): boolean {
  return output === undefined || input === undefined || areCompatible(output, input);
}

function nodeSuggestion(end: LinkEnd, link: GraphLink, part: 'originSlot' | 'targetSlot'): Suggestion {
  const { id, slot, owner, name, type } = end;
  const written = partNode(link, part === 'originSlot' ? 'origin' : 'target');
  const edit = slotEdit(partNode(link, part), slot);
  return {
    kind: 'link',
    label: `${id} · ${owner} · ${name}`,
    newText: textLike(written, id),
    detail: type,
    words: `${owner} ${name}`,
    rank: type === link.type ? 0 : 1,
    furtherEdits: edit && [edit],
  };
}
