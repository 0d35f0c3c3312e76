import { type JsonObject, type JsonRange, rangeEnd } from '../../json/node';
import type { PositionIndex } from '../../json/position';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphScope, graphScopes } from '../places/workflowPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** A piece of text of more than one line that can be folded. `noise` is what only the canvas needs. */
export interface FoldingRange extends JsonRange {
  readonly kind: 'node' | 'noise' | 'links' | 'part';
  readonly startLine: number;
  readonly endLine: number;
}

type FoldingKind = FoldingRange['kind'];

/** Members of a node or graph that only affect its appearance. */
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

/** Nodes and their parts; in graph files, neighboring appearance members fold as one. */
export function foldingRanges(doc: WorkflowDocument): FoldingRange[] {
  const { graph, prompt } = doc;
  const found = new FoldedParts(doc.positions);
  if (graph) for (const scope of graphScopes(graph)) addScope(graph, scope, found);
  if (graph || !prompt) return found.ranges;
  for (const { idNode, node, inputsNode } of prompt.nodes) {
    found.put('node', idNode.offset, rangeEnd(node));
    if (inputsNode) found.add('part', inputsNode);
  }
  return found.ranges;
}

/** The folding ranges of a large graph are computed at each keystroke: no intermediate lists. */
class FoldedParts {
  readonly ranges: FoldingRange[] = [];

  constructor(private readonly positions: PositionIndex) {}

  add(kind: FoldingKind, range: JsonRange): void {
    this.put(kind, range.offset, rangeEnd(range));
  }

  put(kind: FoldingKind, offset: number, end: number): void {
    const startLine = this.positions.lineAt(offset);
    const endLine = this.positions.lineAt(end);
    if (startLine < endLine) this.ranges.push({ kind, offset, length: end - offset, startLine, endLine });
  }
}

function addScope(graph: Graph, scope: GraphScope, found: FoldedParts): void {
  if (scope !== graph) found.add('part', scope.node);
  for (const { node } of scope.nodes) {
    found.add('node', node);
    addRuns(node, nodeNoise, found);
    addParts(node, found);
  }
  const object = scope.node.kind === 'object' ? scope.node : undefined;
  const links = object?.property('links');
  if (object) addRuns(object, graphNoise, found);
  if (links?.value) found.add('links', links);
}

function addRuns(object: JsonObject, names: ReadonlySet<string>, found: FoldedParts): void {
  let start: number | undefined;
  let end = 0;
  for (const property of object.properties) {
    if (names.has(property.name)) {
      start ??= property.offset;
      end = rangeEnd(property);
    } else {
      if (start !== undefined) found.put('noise', start, end);
      start = undefined;
    }
  }
  if (start !== undefined) found.put('noise', start, end);
}

function addParts(node: JsonObject, found: FoldedParts): void {
  for (const name of ['inputs', 'outputs', 'widgets_values']) {
    const value = node.get(name);
    if (value && (value.kind === 'array' || value.kind === 'object')) found.add('part', value);
  }
}
