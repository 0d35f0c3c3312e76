import type { Graph } from './graph';
import type { GraphNode } from './graphNode';

export interface NodeNumbers {
  /** New ids by subgraph and old id. */
  readonly bySubgraph: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** New ids for the root nodes whose id an earlier one has. */
  readonly ofTwins: ReadonlyMap<GraphNode, string>;
  /** The last assigned id. */
  readonly last: number;
}

/**
 * New ids for inner nodes whose id is taken by the root or by an earlier subgraph, by subgraph and old id (workflows
 * 2, A3), then for root nodes. The editor continues from the last id of the file.
 */
export function renumberedNodes(graph: Graph): NodeNumbers {
  const used = new Set<string>();
  let last = countable(graph.lastNodeId);
  const free = (): string => {
    do last++;
    while (used.has(String(last)));
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
        last = Math.max(last, countable(Number(id)));
      }
    }
    if (numbers.size > 0) all.set(subgraph.id, numbers);
  }
  const ofTwins = new Map(graph.twins.map((node) => [node, free()]));
  return { bySubgraph: all, ofTwins, last };
}

/** A float as large as 2^53 stays the same when 1 is added: the next free ID would be looked for without an end. */
function countable(id: number): number {
  return id < 2 ** 52 ? id : 0;
}
