import type { Direction, Point } from './drawnNode';

/** A cubic: start, two controls, end. */
export type Cubic = readonly [Point, Point, Point, Point];

/** The curve of a link between two slots, or of one of its parts. */
export function linkCurve(
  start: Point,
  end: Point,
  controls: { readonly start?: Point | undefined; readonly end?: Point | undefined } = {},
  directions: { readonly start?: Direction | undefined; readonly end?: Direction | undefined } = {},
): Cubic {
  const reach = distance(start, end) / 4;
  return [
    start,
    controls.start ?? moved(start, directions.start ?? 'right', reach),
    controls.end ?? moved(end, directions.end ?? 'left', reach),
    end,
  ];
}

function moved({ x, y }: Point, direction: Direction, by: number): Point {
  switch (direction) {
    case 'up':
      return { x, y: y - by };
    case 'down':
      return { x, y: y + by };
    case 'left':
      return { x: x - by, y };
    case 'right':
      return { x: x + by, y };
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

/** Its point half way. */
export function middleOf([start, one, other, end]: Cubic): Point {
  return {
    x: (start.x + 3 * one.x + 3 * other.x + end.x) / 8,
    y: (start.y + 3 * one.y + 3 * other.y + end.y) / 8,
  };
}

/** The longest control of a curve at a reroute. */
const longestControl = 20;

/** Which way a curve passes through a reroute: from the point before it to the mean of those after it. */
export function rerouteAngle(before: Point, at: Point, after: readonly Point[]): number {
  const into = Math.atan2(at.y - before.y, at.x - before.x);
  if (after.length === 0) return into;
  const out = after.reduce((sum, { x, y }) => sum + Math.atan2(y - at.y, x - at.x), 0) / after.length;
  let turn = (into - out) / 2;
  if (Math.abs(turn) > Math.PI / 2) turn += Math.PI;
  return into - turn;
}

/** The control of a curve before or after a reroute. */
export function rerouteControl(at: Point, other: Point, angle: number, side: 'before' | 'after'): Point {
  const length = Math.min(longestControl, distance(at, other) / 4) * (side === 'before' ? -1 : 1);
  return { x: at.x + length * Math.cos(angle), y: at.y + length * Math.sin(angle) };
}
