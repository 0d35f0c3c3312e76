import type { Catalog } from '../../catalog/catalog';
import { contains } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import { compiledOnce } from '../../workflow/graph/compileGraph';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { nodeWidgetValues, valueWithCopy } from '../../workflow/graph/widgetValues';
import { type RandomSeed, findSeeds } from '../../workflow/seeds';
import { graphNodeDefinition, inputPlaces } from './graphNodes';
import { graphScopes } from './workflowPlace';
import { isControlMode } from '../../workflow/graph/extraWidgets';

/** Edits that give new values to the seeds of a graph, or of one node, as far as the file has their values. */
export function newGraphSeeds(
  graph: Graph,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed,
  only?: GraphNode,
): TextEdit[] {
  if (!catalog) return [];
  const edits = new Map<number, TextEdit>();
  const compiled = compiledOnce(graph, catalog);
  if (compiled.kind === 'failed') return [];
  for (const { node, input, min, max } of findSeeds(compiled.prompt, catalog)) {
    const places = inputPlaces(graph, catalog, compiled, node, input);
    const isOthers = places.some((place) => edits.has(place.offset) || (only && !contains(only.node, place)));
    if (isOthers || places.length === 0) continue;
    const seed = randomSeed(min, max).toString();
    for (const place of places) edits.set(place.offset, replaceValue(place, seed));
  }
  return [...edits.values()];
}

/** Whether new seeds would change a run; without definitions, guessed from control widgets. */
export function hasGraphSeeds(graph: Graph, catalog: Catalog | undefined): boolean {
  const compiled = catalog && compiledOnce(graph, catalog);
  if (compiled) return compiled.kind === 'compiled' && findSeeds(compiled.prompt, catalog).length > 0;
  return graphScopes(graph).some(({ nodes }) => nodes.some(hasControl));
}

/** A number with its control widget. For a number that is only passed on, its meaning is unknown. */
function hasControl({ type, widgetsValues }: GraphNode): boolean {
  if (type === 'PrimitiveInt' || widgetsValues?.kind !== 'array') return false;
  const { items } = widgetsValues;
  return items.some(
    (item, index) =>
      item.kind === 'string' && isControlMode(item.value) && items[index - 1]?.kind === 'number',
  );
}

export function fixedSeeds(catalog: Catalog | undefined, node: GraphNode): TextEdit[] {
  const definition = graphNodeDefinition(node, catalog);
  const widgets = definition ? nodeWidgetValues(node, definition) : [];
  return widgets.flatMap(({ widget, valueNode }) => {
    const isControl =
      widget.spec === undefined && valueNode?.kind === 'string' && isControlMode(valueNode.value);
    if (!isControl || valueNode.value === 'fixed') return [];
    return valueWithCopy(node, widget.name, valueNode).map((place) => replaceValue(place, '"fixed"'));
  });
}
