import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import type { Drawing, Positions } from './drawing';
import { titleHeight } from './drawnNode';

/** Distances between columns, and between nodes of one column. */
const [columnGap, nodeGap] = [80, 40] as const;

/**
 * Places for the nodes of a drawing that has none: left to right along the links, with few crossings. The same nodes
 * and links get the same places, whatever their values are.
 */
export function layOutPrompt({ nodes, links }: Drawing): Positions {
  const graph = new LayoutGraph<object, { width: number; height: number; x?: number; y?: number }>({
    multigraph: true,
  });
  graph.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: nodeGap });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height: height + titleHeight });
  for (const { from, to, id } of links) if (from[0] !== to[0]) graph.setEdge(from[0], to[0], {}, id);
  layout(graph);
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2 + titleHeight / 2) }];
    }),
  );
}
