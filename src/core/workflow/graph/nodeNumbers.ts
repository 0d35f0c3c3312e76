import type { Graph } from './graph';

export interface NodeNumbers {
  /** New ids by subgraph and old id. */
  readonly bySubgraph: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The last assigned id. */
  readonly last: number;
}

/**
 * New ids for inner nodes whose id is taken by the root or by an earlier subgraph, by subgraph and old id (workflows
 * 2, A3). The editor continues from the last id of the file.
 */
export function renumberedNodes(graph: Graph): NodeNumbers {
  const used = new Set<string>();
  let last = graph.lastNodeId;
  for (const { id, hasNumericId } of graph.nodes) if (hasNumericId) used.add(id);
  const all = new Map<string, ReadonlyMap<string, string>>();
  for (const subgraph of graph.subgraphs.values()) {
    const numbers = new Map<string, string>();
    for (const { id, hasNumericId } of subgraph.nodes) {
      if (!hasNumericId) continue;
      if (used.has(id)) {
        do last++;
        while (used.has(String(last)));
        numbers.set(id, String(last));
        used.add(String(last));
      } else {
        used.add(id);
        last = Math.max(last, Number(id));
      }
    }
    if (numbers.size > 0) all.set(subgraph.id, numbers);
  }
  return { bySubgraph: all, last };
}
