import type { JsonNode, JsonObject, JsonRange } from '../../json/node';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphScope, scopesOf } from '../places/graphPlace';
import { rangeOf } from '../places/jsonPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** A piece of text of more than one line that can be folded. `noise` is what only the canvas needs. */
export interface FoldingRange extends JsonRange {
  readonly kind: 'node' | 'noise' | 'links' | 'part';
}

/** Members of a node, and of a graph, that say how it looks and not what it does. */
const nodeNoise = new Set(['pos', 'size', 'flags', 'order', 'color', 'bgcolor', 'shape', 'properties']);
const graphNoise = new Set([
  'groups',
  'config',
  'extra',
  'reroutes',
  'floatingLinks',
  'inputNode',
  'outputNode',
  'state',
]);

/** Nodes and their parts; in graph files what is noise to a reader, neighbours of that kind as one. */
export function foldingRanges(doc: WorkflowDocument): FoldingRange[] {
  const { graph, prompt } = doc;
  const ranges = graph
    ? scopesOf(graph).flatMap((scope) => scopeRanges(graph, scope))
    : (prompt?.nodes ?? []).flatMap(({ idNode, node, inputsNode }): FoldingRange[] => [
        { kind: 'node', offset: idNode.offset, length: node.offset + node.length - idNode.offset },
        ...(inputsNode ? [{ kind: 'part' as const, ...rangeOf(inputsNode) }] : []),
      ]);
  return ranges.filter(({ offset, length }) => doc.text.slice(offset, offset + length).includes('\n'));
}

function scopeRanges(graph: Graph, scope: GraphScope): FoldingRange[] {
  const object = scope.node.kind === 'object' ? scope.node : undefined;
  const nodes = scope.nodes.flatMap(({ node }): FoldingRange[] => [
    { kind: 'node', ...rangeOf(node) },
    ...runsOf(node, nodeNoise),
    ...partsOf(node, ['inputs', 'outputs', 'widgets_values']),
  ]);
  const links = object?.property('links');
  return [
    ...(scope === graph ? [] : [{ kind: 'part' as const, ...rangeOf(scope.node) }]),
    ...nodes,
    ...(object ? runsOf(object, graphNoise) : []),
    ...(links?.value ? [{ kind: 'links' as const, ...rangeOf(links) }] : []),
  ];
}

/** Members that stand one after the other fold as one. */
function runsOf(object: JsonObject, names: ReadonlySet<string>): FoldingRange[] {
  const runs: FoldingRange[] = [];
  let start: number | undefined;
  let end = 0;
  const close = (): void => {
    if (start !== undefined) runs.push({ kind: 'noise', offset: start, length: end - start });
    start = undefined;
  };
  for (const property of object.properties) {
    if (names.has(property.name)) {
      start ??= property.offset;
      end = property.offset + property.length;
    } else close();
  }
  close();
  return runs;
}

function partsOf(node: JsonObject, names: readonly string[]): FoldingRange[] {
  return names.flatMap((name) => {
    const value: JsonNode | undefined = node.get(name);
    return value && (value.kind === 'array' || value.kind === 'object')
      ? [{ kind: 'part', ...rangeOf(value) }]
      : [];
  });
}
