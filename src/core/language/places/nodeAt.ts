import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { graphPlaceAt } from './graphPlace';
import { scopeSubgraph } from './graphNodes';
import { contains } from './jsonPlace';

export interface NodeAt {
  readonly id: string;
  /** The ID of the subgraph that it is in; undefined at the root. */
  readonly subgraph: string | undefined;
}

/** The node that an offset belongs to; at a link of a graph file, the one that the link leads to. */
export function nodeAt({ prompt, graph }: WorkflowDocument, offset: number): NodeAt | undefined {
  const at = { offset, length: 0 };
  const inPrompt = prompt?.nodes.find(({ idNode, node }) => contains(idNode, at) || contains(node, at));
  if (inPrompt) return { id: inPrompt.id, subgraph: undefined };
  const place = graph && graphPlaceAt(graph, offset);
  if (!place) return undefined;
  const id = place.kind === 'link' ? place.link.targetId : place.node.id;
  return { id, subgraph: scopeSubgraph(graph, place.scope)?.id };
}
