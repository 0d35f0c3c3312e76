import type { Catalog } from '../catalog/catalog';
import { replaceValue, type TextEdit } from '../json/textEdit';
import type { Graph } from '../workflow/graph/graph';
import type { GraphNode } from '../workflow/graph/graphNode';
import { type WidgetValue, widgetsOf } from '../workflow/graph/widgetValues';
import type { RandomSeed } from '../workflow/seeds';
import { classOf } from './graphNodes';
import { scopesOf } from './graphPlace';
import { isControlMode } from './inlayHints';

/** The web editor holds numbers as doubles: a larger seed would change when the file is opened there. */
const largestInEditor = 2n ** 53n - 1n;

/** Edits that give the seeds of a graph, or of one node of it, a new value. */
export function newGraphSeeds(
  graph: Graph,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed,
  only?: GraphNode,
): TextEdit[] {
  return widgetsIn(graph, catalog, only).flatMap(({ widget, valueNode }) => {
    const { spec } = widget;
    if (spec?.kind !== 'int' || valueNode?.kind !== 'number') return [];
    if (spec.controlAfterGenerate === false && !/(?:^|\.)(?:noise_)?seed$/.test(widget.name)) return [];
    const limits = [spec.min, spec.max].map((limit) => (typeof limit === 'bigint' ? limit : undefined));
    const min = limits[0] !== undefined && limits[0] > 0n ? limits[0] : 0n;
    const max = limits[1] !== undefined && limits[1] < largestInEditor ? limits[1] : largestInEditor;
    return min <= max ? [replaceValue(valueNode, randomSeed(min, max).toString())] : [];
  });
}

/** Edits that keep seeds as they are after each run. */
export function fixedSeeds(graph: Graph, catalog: Catalog | undefined, only?: GraphNode): TextEdit[] {
  return widgetsIn(graph, catalog, only).flatMap(({ widget, valueNode }) => {
    const isControl =
      widget.spec === undefined && valueNode?.kind === 'string' && isControlMode(valueNode.value);
    return isControl && valueNode.value !== 'fixed' ? [replaceValue(valueNode, '"fixed"')] : [];
  });
}

function widgetsIn(graph: Graph, catalog: Catalog | undefined, only: GraphNode | undefined): WidgetValue[] {
  const nodes = only ? [only] : scopesOf(graph).flatMap((scope) => scope.nodes);
  return nodes.flatMap((node) => {
    const definition = classOf(node, catalog);
    return definition ? widgetsOf(node, definition) : [];
  });
}
