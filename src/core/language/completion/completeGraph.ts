import type { Catalog } from '../../catalog/catalog';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { branchNames } from '../../workflow/graph/sentValues';
import { classCompletions, fitsNeeds, type Need, usesIn } from './completeClassType';
import { completeGraphLink } from './completeGraphLink';
import { type Completion, completionsIn, type Suggestion } from './completion';
import { slotAt } from './completionSlot';
import { valueSuggestions } from './completeValue';
import { classOf, endText, nodeIn } from '../places/graphNodes';
import { type GraphPlace, graphPlaceAt, type GraphScope, scopesOf } from '../places/graphPlace';
import { widgetAt } from '../hover/hoverGraph';
import { isControlMode } from '../../workflow/graph/extraWidgets';
import { t } from '../../safety/localize';

const modes = [
  ['0', 'runs'],
  ['2', 'muted'],
  ['4', 'bypassed'],
] as const;

/** What can be written at a position in a graph file: node types, widget values, matching links, modes. */
export function completeGraph(
  graph: Graph,
  offset: number,
  inserted: number,
  catalog: Catalog | undefined,
): Completion[] {
  const place = graphPlaceAt(graph, offset);
  if (!place) return [];
  const slot = slotAt(graph.document.text, place.json, inserted);
  switch (place.kind) {
    case 'nodeType': {
      if (!catalog) return [];
      const types = scopesOf(graph).flatMap(({ nodes }) => nodes.filter((each) => each !== place.node));
      const needs = needsOf(place);
      const uses = usesIn(types.map(({ type }) => type));
      return classCompletions(slot, catalog, uses, (entry) => fitsNeeds(entry, needs));
    }
    case 'widget': {
      const spec = widgetAt(place, catalog)?.widget.spec;
      if (spec?.type === 'COMFY_BRANCH_SELECTOR') return completionsIn(slot, branches(place.node));
      return spec ? completionsIn(slot, valueSuggestions(spec)) : controlValues(place, catalog, slot);
    }
    case 'input':
      return place.json.property?.name === 'link' ? completionsIn(slot, linkIds(graph, place, catalog)) : [];
    case 'node': {
      const isMode = place.json.property?.name === 'mode' && place.json.at !== 'name';
      if (!isMode) return [];
      return completionsIn(
        slot,
        modes.map(([text, detail], rank) => ({ kind: 'value', label: text, newText: text, detail, rank })),
      );
    }
    case 'link':
      return completeGraphLink(graph, place, slot, catalog);
    default:
      return [];
  }
}

/** The linked inputs that a node can choose from. */
function branches({ inputs }: GraphNode): Suggestion[] {
  const labels = branchNames(inputs.map(({ name, link, node: place }) => ({ name, link, place })));
  return labels.map((label, rank) => ({ kind: 'value', label, newText: JSON.stringify(label), rank }));
}

/** The types accepted by the inputs at the other end of a node's links. */
function needsOf({ scope, node }: { readonly scope: GraphScope; readonly node: GraphNode }): Need[] {
  return [...scope.links.values()]
    .filter(({ originId }) => originId === node.id)
    .map(({ id, originSlot, targetId, type }) => {
      const input = nodeIn(scope, targetId)?.inputs.find(({ link }) => link === id);
      return { slot: originSlot, type: input?.type ?? type };
    });
}

function controlValues(
  place: Extract<GraphPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
  slot: Parameters<typeof completionsIn>[0],
): Completion[] {
  const widget = widgetAt(place, catalog)?.widget;
  if (!widget || !classOf(place.node, catalog) || !isControlValue(place)) return [];
  return completionsIn(
    slot,
    ['fixed', 'increment', 'decrement', 'randomize'].map((value, rank) => ({
      kind: 'value',
      label: value,
      newText: JSON.stringify(value),
      detail: t`what happens to the value after a run`,
      rank,
    })),
  );
}

function isControlValue({ json }: GraphPlace): boolean {
  return json.node?.kind === 'string' && isControlMode(json.node.value);
}

/** The links of the link table that end at this node. */
function linkIds(
  graph: Graph,
  { scope, node }: Extract<GraphPlace, { readonly kind: 'input' }>,
  catalog: Catalog | undefined,
): Parameters<typeof completionsIn>[1] {
  return [...scope.links.values()]
    .filter(({ targetId }) => targetId === node.id)
    .map((link) => ({
      kind: 'link',
      label: link.id,
      newText:
        link.node.kind === 'array' && link.node.items[0]?.kind === 'string'
          ? JSON.stringify(link.id)
          : link.id,
      detail: `${endText(graph, scope, link, 'origin', catalog)} · ${link.type}`,
      rank: 0,
    }));
}
