import type { JsonRange } from '../json/node';
import { parseJson } from '../json/tree';
import { detectFormat, promptNodeOf } from './format';
import { type Graph, readGraph } from './graph/graph';
import type { GraphNode } from './graph/graphNode';
import { type Prompt, readPrompt } from './prompt';
import { typeRange } from './promptPlaces';

/**
 * Where a node stands in a workflow text (offsets in UTF-16 units); undefined when the text has no such node, or one of
 * another node type than `classType`: then the text is not what was run. The ID of a node that came from an expansion
 * begins with the ID of the node that it came from (protocol 3.3).
 */
export type NodePlaces = (nodeId: string, classType?: string) => JsonRange | undefined;

/** Reads the text once, however many nodes are looked for. */
export function nodePlacesIn(text: string): NodePlaces {
  const document = parseJson(text);
  const format = detectFormat(document);
  const node = promptNodeOf(format);
  if (node) {
    const prompt = readPrompt(document, node);
    return (nodeId, classType) => placeInPrompt(prompt, nodeId, classType);
  }
  if (format.kind !== 'graph' && format.kind !== 'wrapper') return () => undefined;
  const graph = readGraph(document, format.node);
  return (nodeId, classType) => placeInGraph(graph, nodeId, classType);
}

function placeInPrompt(prompt: Prompt, nodeId: string, classType: string | undefined): JsonRange | undefined {
  const exact = prompt.node(nodeId);
  const found = exact ?? prompt.node(nodeId.split('.')[0] ?? nodeId);
  if (!found || (exact && classType !== undefined && exact.classType !== classType)) return undefined;
  return found.classTypeNode ?? found.idNode;
}

/**
 * The same in a graph file, without its source map: an ID such as `12:3` leads through the instance 12 of a subgraph
 * to the node 3 inside it. What a group node unfolds into stands at the group node.
 */
function placeInGraph(graph: Graph, nodeId: string, classType: string | undefined): JsonRange | undefined {
  let nodes: readonly GraphNode[] | undefined = graph.nodes;
  let found: GraphNode | undefined;
  const path = (nodeId.split('.')[0] ?? nodeId).split(':');
  for (const id of path) {
    const next: GraphNode | undefined = nodes?.find((each) => each.id === id);
    if (!next) break;
    found = next;
    nodes = graph.subgraphs.get(next.type)?.nodes;
  }
  const isExact = found?.id === path.at(-1) && !nodeId.includes('.');
  if (!found || (isExact && classType !== undefined && found.type !== classType)) return undefined;
  return typeRange(found.node);
}
