import type { Drawing } from '../../core/drawing/drawing';
import type { DrawnNode } from '../../core/drawing/drawnNode';

export type WalkDirection = 'left' | 'right' | 'up' | 'down';

/** The next node of a drawing: along the links to the sides, by place up and down. */
export function nextNode(drawing: Drawing, id: string, direction: WalkDirection): string | undefined {
  const { nodes, links } = drawing;
  const isNode = (other: string): boolean => nodes.some((node) => node.id === other);
  switch (direction) {
    case 'right':
      return links
        .filter(({ from, to }) => from[0] === id && isNode(to[0]))
        .sort((a, b) => a.from[1] - b.from[1])[0]?.to[0];
    case 'left':
      return links
        .filter(({ from, to }) => to[0] === id && isNode(from[0]))
        .sort((a, b) => a.to[1] - b.to[1])[0]?.from[0];
    case 'up':
    case 'down':
      return nearest(nodes, id, direction === 'down' ? 1 : -1);
  }
}

/** The nearest node below (1) or above (-1), which is not far to the side. */
function nearest(nodes: readonly DrawnNode[], id: string, sign: 1 | -1): string | undefined {
  const start = nodes.find((node) => node.id === id);
  if (!start) return undefined;
  const distances = nodes.flatMap((node) => {
    const [dx, dy] = [middle(node).x - middle(start).x, (middle(node).y - middle(start).y) * sign];
    return dy > 0 ? [{ id: node.id, distance: dy + 2 * Math.abs(dx) }] : [];
  });
  return distances.sort((a, b) => a.distance - b.distance)[0]?.id;
}

function middle({ x, y, width, height }: DrawnNode): { readonly x: number; readonly y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The start of a workflow: the first node from the left that feeds others, and that nothing feeds. */
export function firstNode(nodes: readonly DrawnNode[]): DrawnNode | undefined {
  const isStart = ({ inputs, outputs }: DrawnNode): boolean =>
    outputs.some(({ isLinked }) => isLinked) && !inputs.some(({ isLinked }) => isLinked);
  const starts = nodes.filter(isStart);
  return (starts.length > 0 ? starts : nodes).reduce<DrawnNode | undefined>(
    (first, node) => (first && first.x + first.y <= node.x + node.y ? first : node),
    undefined,
  );
}
