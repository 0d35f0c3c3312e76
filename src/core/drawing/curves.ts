import type { SlotDirection, Point } from './drawnNode';

export type Cubic = readonly [Point, Point, Point, Point];

const ways: Readonly<Record<SlotDirection, readonly [x: number, y: number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

/** The end of a curve, and its direction there if not to the side. */
type CurveEnd = Point & { readonly direction?: SlotDirection | undefined };

/** The curve of a link between two slots, or of one of its parts. */
export function linkCurve(from: CurveEnd, to: CurveEnd, first?: Point, second?: Point): Cubic {
  const reach = distance(from, to) / 4;
  const beside = ({ x, y }: Point, way: SlotDirection): Point => {
    const [right, down] = ways[way];
    return { x: x + right * reach, y: y + down * reach };
  };
  return [
    { x: from.x, y: from.y },
    first ?? beside(from, from.direction ?? 'right'),
    second ?? beside(to, to.direction ?? 'left'),
    { x: to.x, y: to.y },
  ];
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

export function curveMiddle([start, one, other, end]: Cubic): Point {
  return {
    x: (start.x + 3 * one.x + 3 * other.x + end.x) / 8,
    y: (start.y + 3 * one.y + 3 * other.y + end.y) / 8,
  };
}

const longestControl = 20;

/** The direction of a curve at a reroute: from the point before it to the mean of those after it. */
export function rerouteAngle(before: Point, at: Point, after: readonly Point[]): number {
  const into = Math.atan2(at.y - before.y, at.x - before.x);
  const out = after.reduce((sum, { x, y }) => sum + Math.atan2(y - at.y, x - at.x), 0) / after.length;
  let turn = (into - out) / 2;
  if (Math.abs(turn) > Math.PI / 2) turn += Math.PI;
  return into - turn;
}

/** The control of a curve that comes to a reroute (-1), or leaves it. @param other the other end of the curve */
export function rerouteControl(at: Point, other: Point, angle: number, way: 1 | -1): Point {
  const length = way * Math.min(longestControl, distance(at, other) / 4);
  return { x: at.x + length * Math.cos(angle), y: at.y + length * Math.sin(angle) };
}
