import type { Catalog } from '../../catalog/catalog';
import { contains, type JsonRange } from '../../json/node';
import { type Graph, renumberedNodes } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { graphNodeDefinition } from './graphNodes';
import type { GraphScope } from './workflowPlace';
import { bareRange } from './jsonPlace';
import { promptNodeDefinition } from './nodeInputs';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

export interface OutputNode {
  /** Its ids when it runs: inside a subgraph one for each active instance, such as `12:3`. */
  readonly runIds: readonly string[];
  readonly place: JsonRange;
  readonly range: JsonRange;
}

/** A subgraph of many instances inside others could unfold without end. */
const mostVisits = 10_000;

/** The active output nodes of a file; none without definitions. */
export function outputNodes({ prompt, graph }: WorkflowDocument, catalog: Catalog | undefined): OutputNode[] {
  if (!catalog) return [];
  if (graph) return graphOutputs(graph, catalog);
  if (!prompt) return [];
  return prompt.nodes
    .filter((node) => promptNodeDefinition(node, catalog)?.isOutputNode)
    .map(({ id, idNode, node }) => ({
      runIds: [id],
      place: bareRange(idNode),
      range: { offset: idNode.offset, length: node.offset + node.length - idNode.offset },
    }));
}

export function outputNodeAt(
  doc: WorkflowDocument,
  offset: number,
  catalog: Catalog | undefined,
): OutputNode | undefined {
  return outputNodes(doc, catalog).findLast(({ range }) => contains(range, { offset, length: 0 }));
}

function graphOutputs(graph: Graph, catalog: Catalog): OutputNode[] {
  const found = new Map<GraphNode, string[]>();
  const { bySubgraph } = renumberedNodes(graph);
  let visits = 0;
  const visit = (
    scope: GraphScope,
    subgraphId: string | undefined,
    prefix: string,
    around: string[],
  ): void => {
    const numbers = subgraphId === undefined ? undefined : bySubgraph.get(subgraphId);
    for (const node of scope.nodes) {
      if (node.mode !== 'always' || ++visits > mostVisits) continue;
      const runId = prefix + (numbers?.get(node.id) ?? node.id);
      const inside = graph.subgraphs.get(node.type);
      if (inside && !around.includes(inside.id)) {
        visit(inside, inside.id, `${runId}:`, [...around, inside.id]);
      } else if (graphNodeDefinition(node, catalog)?.isOutputNode) {
        const known = found.get(node);
        if (known) known.push(runId);
        else found.set(node, [runId]);
      }
    }
  };
  visit(graph, undefined, '', []);
  return [...found].map(([{ node }, runIds]) => ({
    runIds,
    place: bareRange(node.get('id') ?? node),
    range: bareRange(node),
  }));
}
