import type { Catalog } from '../../catalog/catalog';
import { replaceValue, type TextEdit, sourceTextIn } from '../../json/textEdit';
import { compiledOnce } from '../../workflow/graph/compileGraph';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { type WidgetValue, nodeWidgetValues } from '../../workflow/graph/widgetValues';
import { type RandomSeed, findSeeds } from '../../workflow/seeds';
import { graphNodeDefinition } from './graphNodes';
import { graphScopes } from './workflowPlace';
import { isControlMode } from '../../workflow/graph/extraWidgets';
import { contains } from './jsonPlace';

/** Edits that give new values to the seeds of a graph, or of one node, as far as the file has their values. */
export function newGraphSeeds(
  graph: Graph,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed,
  only?: GraphNode,
): TextEdit[] {
  if (!catalog) return [];
  const edits = new Map<number, TextEdit>();
  for (const { place, min, max } of seedsInGraph(graph, catalog)) {
    if (edits.has(place.offset) || (only && !contains(only.node, place))) continue;
    edits.set(place.offset, replaceValue(place, randomSeed(min, max).toString()));
  }
  return [...edits.values()];
}

/** Whether new seeds would change a run; without definitions, guessed from control widgets. */
export function hasGraphSeeds(graph: Graph, catalog: Catalog | undefined): boolean {
  const compiled = catalog && compiledOnce(graph, catalog);
  if (compiled) return compiled.kind === 'compiled' && findSeeds(compiled.prompt, catalog).length > 0;
  return graphScopes(graph).some(({ nodes }) => nodes.some(hasControl));
}

function seedsInGraph(graph: Graph, catalog: Catalog) {
  const compiled = compiledOnce(graph, catalog);
  if (compiled.kind === 'failed') return [];
  const { prompt, source } = compiled;
  return findSeeds(prompt, catalog).flatMap(({ node, input, min, max }) => {
    const place = source.input(node.id, input.name);
    // A default is not in the file, and a value changed by the editor is not the file's.
    const isThere =
      place &&
      sourceTextIn(graph.document.text, place) === sourceTextIn(prompt.document.text, input.valueNode);
    return isThere ? [{ place, min, max }] : [];
  });
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

export function fixedSeeds(graph: Graph, catalog: Catalog | undefined, only?: GraphNode): TextEdit[] {
  return widgetsIn(graph, catalog, only).flatMap(({ widget, valueNode }) => {
    const isControl =
      widget.spec === undefined && valueNode?.kind === 'string' && isControlMode(valueNode.value);
    return isControl && valueNode.value !== 'fixed' ? [replaceValue(valueNode, '"fixed"')] : [];
  });
}

function widgetsIn(graph: Graph, catalog: Catalog | undefined, only: GraphNode | undefined): WidgetValue[] {
  const nodes = only ? [only] : graphScopes(graph).flatMap((scope) => scope.nodes);
  return nodes.flatMap((node) => {
    const definition = graphNodeDefinition(node, catalog);
    return definition ? nodeWidgetValues(node, definition) : [];
  });
}
