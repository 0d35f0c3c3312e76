import type { JsonRange } from '../json/node';
import type { Graph } from './graph/graph';
import type { GraphNode } from './graph/graphNode';
import type { Prompt } from './prompt';
import { typeRange } from './promptPlaces';
import type { WorkflowDocument } from './workflowDocument';

/**
 * The place of a node in a workflow text (offsets in UTF-16 units); undefined if the text has no such node, or one of
 * another node type than `classType`: then a different text was run. The ID of an expanded node starts with the ID of
 * the node it came from (protocol 3.3).
 */
export function nodePlace(
  { prompt, graph }: WorkflowDocument,
  nodeId: string,
  classType?: string,
): JsonRange | undefined {
  if (prompt) return placeInPrompt(prompt, nodeId, classType);
  return graph && placeInGraph(graph, nodeId, classType);
}

function placeInPrompt(prompt: Prompt, nodeId: string, classType: string | undefined): JsonRange | undefined {
  const exact = prompt.node(nodeId);
  const found = exact ?? prompt.node(nodeId.split('.')[0] ?? nodeId);
  if (!found || (exact && classType !== undefined && exact.classType !== classType)) return undefined;
  return found.classTypeNode ?? found.idNode;
}

/**
 * The same in a graph file, without its source map: an ID such as `12:3` leads through instance 12 of a subgraph to
 * node 3 inside it. The nodes of an unfolded group node are placed at the group node.
 */
function placeInGraph(graph: Graph, nodeId: string, classType: string | undefined): JsonRange | undefined {
  let nodes: readonly GraphNode[] | undefined = graph.nodes;
  let found: GraphNode | undefined;
  let rest = nodeId.split('.')[0] ?? nodeId;
  while (rest !== '') {
    // An ID may have colons itself.
    const next: GraphNode | undefined =
      nodes?.find(({ id }) => id === rest) ?? nodes?.find(({ id }) => rest.startsWith(`${id}:`));
    if (!next) break;
    found = next;
    rest = rest.slice(next.id.length + 1);
    nodes = graph.subgraphs.get(next.type)?.nodes;
  }
  const isExact = rest === '' && !nodeId.includes('.');
  if (!found || (isExact && classType !== undefined && found.type !== classType)) return undefined;
  return typeRange(found.node);
}
