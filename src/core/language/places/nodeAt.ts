import { renumberedNodes } from '../../workflow/graph/graph';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { workflowPlaceAt } from './workflowPlace';
import { scopeSubgraph } from './graphNodes';

/**
 * The node that an offset belongs to; at a link of a graph file, the one that the link leads to. `id` is as in
 * drawings and runs; `subgraph` is the ID of the subgraph that it is in, undefined at the root.
 */
export function nodeAt(doc: WorkflowDocument, offset: number) {
  const place = workflowPlaceAt(doc, offset);
  if (!place || place.kind === 'newNode') return undefined;
  const id = place.kind === 'link' ? place.link.targetId : place.node.id;
  const subgraph = 'graph' in place ? scopeSubgraph(place.graph, place.scope)?.id : undefined;
  if (subgraph === undefined || !doc.graph) return { id, subgraph };
  return { id: renumberedNodes(doc.graph).bySubgraph.get(subgraph)?.get(id) ?? id, subgraph };
}
