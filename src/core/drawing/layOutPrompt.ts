import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { countAt, mapDefined } from '../safety/lists';
import { groupByKey } from '../workflow/graph/grouped';
import type { Drawing, DrawnLink } from './drawing';
import {
  boxAround,
  nodeBox,
  type DrawnNode,
  legible,
  type Point,
  titleHeight,
  largestNumber,
} from './drawnNode';

/** The area in which a drawing is seen, px. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

const [columnGap, nodeGap] = [80, 40] as const;

/**
 * How much dagre is given, in nodes, links, and columns that links cross: its best ranking takes a second for 700, its
 * faster one for 3,000, and it runs out of stack beyond 10,000 nodes in a row.
 */
const [mostRanked, mostLaidOut] = [400, 2_000] as const;

/**
 * Places for the nodes of a drawing that has none: left to right along the links, with few crossings. The same nodes
 * and links get the same places, whatever their values are.
 * @param room what doesn't fit there, side by side, continues below
 */
export function layOutPrompt(drawing: Drawing, room?: Room): ReadonlyMap<string, Point> {
  const places = leftToRight(drawing);
  return room && room.width > 0 && room.height > 0 ? folded(drawing.nodes, places, room) : places;
}

function leftToRight({ nodes, links }: Drawing): ReadonlyMap<string, Point> {
  const others = links.filter(({ from, to }) => from[0] !== to[0]);
  const columns = columnsOf(nodes, others);
  const crossed = others.reduce((sum, { from, to }) => {
    return sum + Math.abs(countAt(columns, to[0]) - countAt(columns, from[0]));
  }, others.length);
  const effort = nodes.length + crossed;
  if (effort > mostLaidOut) return inColumns(nodes, others, columns);
  const ranker = effort > mostRanked ? 'tight-tree' : 'network-simplex';
  const graph = new LayoutGraph<object, { width: number; height: number; x?: number; y?: number }>({
    multigraph: true,
  });
  graph.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: nodeGap, ranker });
  graph.setDefaultEdgeLabel(() => ({}));
  // The library keeps names in plain objects, where an ID such as `__proto__` doesn't work.
  const nameOf = (id: string): string => `node ${id}`;
  for (const { id, width, height } of nodes)
    graph.setNode(nameOf(id), { width, height: height + titleHeight });
  for (const { from, to, id } of others) graph.setEdge(nameOf(from[0]), nameOf(to[0]), {}, id);
  layout(graph);
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x = 0, y = 0 } = graph.node(nameOf(id));
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2 + titleHeight / 2) }];
    }),
  );
}

/** The column of each node: right of all that feed it, except in a cycle, which begins with its first node. */
function columnsOf(nodes: readonly DrawnNode[], links: readonly DrawnLink[]): ReadonlyMap<string, number> {
  const targets = groupByKey(links, ({ from }) => from[0]);
  const open = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of links) open.set(to[0], countAt(open, to[0]) + 1);
  const columns = new Map<string, number>();
  const placed = new Set<string>();
  const starts = [...nodes.filter(({ id }) => open.get(id) === 0), ...nodes];
  for (const start of starts) {
    const ready = [start.id];
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      if (placed.has(id)) continue;
      placed.add(id);
      const column = countAt(columns, id);
      columns.set(id, column);
      for (const { to } of targets.list(id)) {
        if (placed.has(to[0])) continue;
        columns.set(to[0], Math.max(countAt(columns, to[0]), column + 1));
        const left = countAt(open, to[0]) - 1;
        open.set(to[0], left);
        if (left === 0) ready.push(to[0]);
      }
    }
  }
  return columns;
}

/** Plain columns, each in the order of what feeds its nodes. */
function inColumns(
  nodes: readonly DrawnNode[],
  links: readonly DrawnLink[],
  columns: ReadonlyMap<string, number>,
): ReadonlyMap<string, Point> {
  const sources = groupByKey(links, ({ to }) => to[0]);
  const places = new Map<string, Point>();
  const byColumn = groupByKey(nodes, ({ id }) => countAt(columns, id));
  let x = 0;
  for (const [, column] of [...byColumn].sort(([a], [b]) => a - b)) {
    const own = column.map((node) => {
      const before = mapDefined(sources.list(node.id), ({ from }) => places.get(from[0]));
      return { node, mean: before.reduce((sum, { y }) => sum + y, 0) / Math.max(1, before.length) };
    });
    let y = 0;
    for (const { node } of own.sort((a, b) => a.mean - b.mean)) {
      places.set(node.id, { x, y: y + titleHeight });
      y += titleHeight + Math.round(node.height) + nodeGap;
    }
    x += Math.round(largestNumber(own.map(({ node }) => node.width))) + columnGap;
  }
  return places;
}

const foldGap = 60;
const margins = 80;
const mostFolds = 8;

type Columns = readonly (readonly DrawnNode[])[];

/** Columns in as few rows as it takes to read all of it in a room; where none do, in those that are seen largest. */
function folded(
  nodes: readonly DrawnNode[],
  places: ReadonlyMap<string, Point>,
  room: Room,
): ReadonlyMap<string, Point> {
  const columns = columnsIn(nodes.map((node) => ({ ...node, ...places.get(node.id) })));
  const all = boxAround(columns.flat().map(nodeBox));
  let best: { readonly scale: number; readonly rows: readonly Columns[] } = { scale: 0, rows: [columns] };
  for (let count = 1; count <= Math.min(mostFolds, columns.length); count++) {
    const rows = rowsOf(columns, all.width / count);
    const width = largestNumber(rows.map((row) => boxAround(row.flat().map(nodeBox)).width));
    const height = rows.reduce((sum, row) => sum + heightOf(row) + foldGap, -foldGap);
    const seen = rows.length === 1 ? all : { width, height };
    const scale = Math.min(room.width / (seen.width + margins), room.height / (seen.height + margins));
    if (scale > best.scale) best = { scale, rows };
    if (scale >= legible) break;
  }
  if (best.rows.length === 1) return places;
  const found = new Map<string, Point>();
  let y = 0;
  for (const row of best.rows) {
    const left = boxAround(row.flat()).x;
    for (const column of row) {
      const top = boxAround(column.map(nodeBox)).y;
      for (const node of column) found.set(node.id, { x: node.x - left, y: node.y - top + y });
    }
    y += Math.round(heightOf(row)) + foldGap;
  }
  return found;
}

function heightOf(row: Columns): number {
  return largestNumber(row.map((column) => boxAround(column.map(nodeBox)).height));
}

function columnsIn(nodes: readonly DrawnNode[]): Columns {
  const columns: DrawnNode[][] = [];
  let right = -Infinity;
  for (const node of [...nodes].sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last && node.x < right) last.push(node);
    else columns.push([node]);
    right = Math.max(right, node.x + node.width);
  }
  return columns;
}

/** Columns in rows that are not wider, unless one alone is. */
function rowsOf(columns: Columns, width: number): Columns[] {
  const rows: (readonly DrawnNode[])[][] = [];
  let left = 0;
  for (const column of columns) {
    const { x, width: own } = boxAround(column.map(nodeBox));
    const row = rows.at(-1);
    // Sums of fractions differ in their last digits.
    if (row && x + own - left < width + 1) row.push(column);
    else {
      rows.push([column]);
      left = x;
    }
  }
  return rows;
}
