import type { Graph } from './graph';
import type { GraphNode } from './graphNode';
import { largestId } from './members';

export interface NodeNumbers {
  /** New ids by subgraph and old id. */
  readonly bySubgraph: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** New ids for the root nodes whose id an earlier one has. */
  readonly ofTwins: ReadonlyMap<GraphNode, string>;
  /** The next id that no node has. */
  readonly free: () => string;
}

/**
 * New ids for inner nodes whose id is taken by the root or by an earlier subgraph, by subgraph and old id (workflows
 * 2, A3), then for root nodes. The editor continues from the last id of the file.
 */
export function renumberedNodes(graph: Graph): NodeNumbers {
  const used = new Set<string>();
  const named = new Set(graph.nodes.map(({ id }) => id));
  let last = graph.lastNodeId;
  const free = (): string => {
    do last++;
    while (used.has(String(last)) || named.has(String(last)));
    used.add(String(last));
    return String(last);
  };
  for (const { id, hasNumericId } of graph.nodes) if (hasNumericId) used.add(id);
  const all = new Map<string, ReadonlyMap<string, string>>();
  for (const subgraph of graph.subgraphs.values()) {
    const numbers = new Map<string, string>();
    for (const { id, hasNumericId } of subgraph.nodes) {
      if (!hasNumericId) continue;
      if (used.has(id)) numbers.set(id, free());
      else {
        used.add(id);
        last = largestId([last, id]);
      }
    }
    if (numbers.size > 0) all.set(subgraph.id, numbers);
  }
  const ofTwins = new Map(graph.twins.map((node) => [node, free()]));
  return { bySubgraph: all, ofTwins, free };
}
