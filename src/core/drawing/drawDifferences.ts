import { mapDefined } from '../safety/lists';
import {
  type ComparedWorkflows,
  differencesByNode,
  nodeChangeLines,
  type NodeDifference,
  valueTexts,
} from '../diff/differenceWords';
import type { Matches } from '../diff/matchNodes';
import type { ComparedSides, WorkflowDifferences } from '../diff/workflowDifferences';
import { type Drawing, type DrawnLink, emptyDrawing, movedDrawing, straightLink } from './drawing';
import { drawingBounds, linkName } from './drawingSvg';
import {
  type Box,
  nodeBox,
  type DrawnNode,
  type DrawnRow,
  movedTo,
  type NodeMark,
  titleHeight,
} from './drawnNode';
import { drawInside, type LoadedDrawing } from './drawWorkflow';
import type { Room } from './layOutPrompt';
import { unnamedRow } from './nodeRows';

/** Two versions of a workflow; undefined where there is no such file. */
export type LoadedVersions = ComparedSides<LoadedDrawing | undefined>;

export interface ComparedVersions {
  readonly differences: WorkflowDifferences;
  readonly workflows: ComparedWorkflows;
}

type Side = keyof LoadedVersions;

/** Before the ID of a node that only the other version has, so that it can stand beside one with its ID. */
const otherPrefix = { after: 'added ', before: 'removed ' } as const;
const gap = 40;

/** The version whose places count: the later one, unless only the earlier one has any. */
export function placedSide({ before, after }: LoadedVersions): Side {
  return after && (before?.isLaidOut !== false || !after.isLaidOut) ? 'after' : 'before';
}

/** The version that has a node of the drawing, and its ID there. */
export function drawnSide(drawn: string, placed: Side): readonly [Side, id: string] {
  const other = otherOf(placed);
  const prefix = otherPrefix[other];
  return drawn.startsWith(prefix) ? [other, drawn.slice(prefix.length)] : [placed, drawn];
}

function otherOf(side: Side): Side {
  return side === 'after' ? 'before' : 'after';
}

/**
 * Both versions of a workflow in one drawing: the one whose places count, with what only the other one has. What
 * changed inside a subgraph is told at its instance, and marked inside it.
 * @param inside the ID of an instance in that version
 * @param room for prompts, whose nodes have no places
 * @returns undefined if there is no such instance
 */
export async function drawDifferences(
  loaded: LoadedVersions,
  compared: ComparedVersions,
  inside = '',
  room?: Room,
): Promise<Drawing | undefined> {
  const placed = placedSide(loaded);
  const [shown, other] = [loaded[placed], loaded[otherOf(placed)]];
  const drawing = shown && (await drawInside(shown, inside, undefined, room));
  if (!drawing) return undefined;
  // Nodes that mean nothing, such as notes, have the same ID in both.
  const { matches } = compared.differences;
  const back = new Map(Array.from(matches, ([before, after]) => [after, before]));
  const [toShown, toOther] = placed === 'after' ? [matches, back] : [back, matches];
  const others = (other && (await drawInside(other, toOther.get(inside) ?? inside))) ?? emptyDrawing;
  const marked = markedNodes(drawing, others, compared, placed, toShown);
  const places = !shown.isLaidOut && other?.isLaidOut === true ? belowAll : besideNodes;
  const nodes = [...marked.shown, ...places(marked.others, drawing)];
  const isOther = new Set(marked.others.map(({ id }) => id));
  const prefix = otherPrefix[otherOf(placed)];
  const shownId = (id: string): string => (isOther.has(prefix + id) ? prefix + id : (toShown.get(id) ?? id));
  const links = bothLinks({ ...drawing, nodes }, others, compared.differences, placed, shownId);
  if (!shown.isLaidOut || marked.others.length === 0) return { ...drawing, nodes, links };
  const { layOutPrompt } = await import('./layOutPrompt');
  const both = { ...drawing, nodes, links };
  return movedDrawing(both, layOutPrompt(both, room));
}

/** The instances around an inner node, innermost first. */
function around(id: string): string[] {
  const path = id.split(':');
  return path.slice(1).map((_, index) => path.slice(0, path.length - 1 - index).join(':'));
}

/** The nodes of the drawing, and those that only the other version has. */
function markedNodes(
  drawing: Drawing,
  others: Drawing,
  { differences, workflows }: ComparedVersions,
  placed: Side,
  toShown: Matches,
): { readonly shown: readonly DrawnNode[]; readonly others: readonly DrawnNode[] } {
  const nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
  const otherNodes = new Map(others.nodes.map((node) => [node.id, node]));
  const added: DrawnNode[] = [];
  for (const difference of differencesByNode(differences.changes)) {
    const { node, sign } = difference;
    const [own, other = ''] = [node[placed]?.id, node[otherOf(placed)]?.id];
    const kind = sign === '~' ? 'changed' : sign === '+' ? 'added' : 'removed';
    // Itself, or the instance that contains it.
    const places =
      own === undefined ? around(other).map((id) => toShown.get(id) ?? id) : [own, ...around(own)];
    const [drawn] = mapDefined(places, (id) => nodes.get(id));
    const only = own === undefined ? otherNodes.get(other) : undefined;
    if (drawn) {
      const marked = drawn.id === own ? markedNode(drawn, kind, difference, workflows) : undefined;
      nodes.set(drawn.id, marked ?? markedInside(drawn, difference, workflows));
    } else if (only) {
      const id = otherPrefix[otherOf(placed)] + only.id;
      added.push({ ...only, id, isInstance: false, mark: { kind, words: [], beside: [] } });
    }
  }
  return { shown: [...nodes.values()], others: added };
}

/** Marks the differences of a node: values in their widgets, the rest in words. */
function markedNode(
  node: DrawnNode,
  kind: NodeMark['kind'],
  { changes }: NodeDifference,
  workflows: ComparedWorkflows,
): DrawnNode {
  const rows = new Map<DrawnRow, DrawnRow>();
  const known = node.mark ?? { words: [], beside: [] };
  const beside = [...known.beside];
  for (const change of changes) {
    const row = change.kind === 'value' && !node.isCollapsed ? rowOf(node.rows, change.input) : undefined;
    if (row && change.kind === 'value') {
      const [was, text] = valueTexts(change, (each) => each);
      rows.set(row, { ...row, was, text });
    } else beside.push(...nodeChangeLines([change], workflows));
  }
  const mark = { kind, words: [...nodeChangeLines(changes, workflows), ...known.words], beside };
  return { ...node, rows: node.rows.map((row) => rows.get(row) ?? row), mark };
}

/** The widget that shows an input; without a definition, it has at most a label. */
function rowOf(rows: readonly DrawnRow[], input: string): DrawnRow | undefined {
  const row =
    rows.find(({ name }) => name === input) ??
    rows.find(
      ({ name, label }, index) => name.startsWith(unnamedRow) && (label === input || String(index) === input),
    );
  return row?.isHidden === true || row?.isLinked === true ? undefined : row;
}

function markedInside(
  instance: DrawnNode,
  { name, sign, changes }: NodeDifference,
  workflows: ComparedWorkflows,
): DrawnNode {
  const lines = [`${sign} ${name}`, ...nodeChangeLines(changes, workflows)];
  const { kind = 'changed', words = [], beside = [] } = instance.mark ?? {};
  return { ...instance, mark: { kind, words: [...words, ...lines], beside: [...beside, ...lines] } };
}

function besideNodes(others: readonly DrawnNode[], { nodes }: Drawing): DrawnNode[] {
  const taken = nodes.map(nodeBox);
  return others.map((node) => {
    let moved = node;
    const isCovered = (box: Box): boolean => {
      const { x, y, width, height } = nodeBox(moved);
      return x < box.x + box.width && box.x < x + width && y < box.y + box.height && box.y < y + height;
    };
    for (let box = taken.find(isCovered); box; box = taken.find(isCovered)) {
      moved = movedTo(moved, { x: moved.x, y: box.y + box.height + gap + titleHeight });
    }
    taken.push(nodeBox(moved));
    return moved;
  });
}

/** Below everything, as they are to each other. */
function belowAll(others: readonly DrawnNode[], drawing: Drawing): DrawnNode[] {
  const [above, own] = [drawingBounds(drawing, 0), drawingBounds({ ...emptyDrawing, nodes: others }, 0)];
  const [right, down] = [above.x - own.x, above.y + above.height + gap - own.y];
  return others.map((node) => movedTo(node, { x: node.x + right, y: node.y + down }));
}

/** The links of the drawing with those that only the other version has, as far as both ends are drawn. */
function bothLinks(
  { nodes, links }: Drawing,
  others: Drawing,
  { changes }: WorkflowDifferences,
  placed: Side,
  shownId: (other: string) => string,
): DrawnLink[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const otherNodes = new Map(others.nodes.map((node) => [node.id, node]));
  const inputOf = ({ to }: DrawnLink, of: ReadonlyMap<string, DrawnNode>): string | undefined =>
    of.get(to[0])?.inputs[to[1]]?.name;
  const onlyIn = (side: Side, of: ReadonlyMap<string, DrawnNode>): ((link: DrawnLink) => boolean) => {
    const alone = new Set(
      changes.map((change) => {
        const { id = '' } = change.node[side] ?? {};
        if (change.kind === 'added' || change.kind === 'removed') return id;
        return change.kind === 'link' && change[side] ? `${id}>${change.input}` : '';
      }),
    );
    return (link) =>
      [link.from[0], link.to[0], `${link.to[0]}>${inputOf(link, of) ?? ''}`].some((each) => alone.has(each));
  };
  const isOnlyShown = onlyIn(placed, byId);
  const [shownChange, otherChange] =
    placed === 'after' ? (['added', 'removed'] as const) : (['removed', 'added'] as const);
  const known = new Set(links.map((link) => linkName(link, byId)));
  const missing = others.links.filter(onlyIn(otherOf(placed), otherNodes)).flatMap((link): DrawnLink[] => {
    const to = shownId(link.to[0]);
    const input = inputOf(link, otherNodes);
    const place = byId.get(to)?.inputs.findIndex(({ name }) => name === input) ?? -1;
    const id = otherPrefix[otherOf(placed)] + link.id;
    const from = [shownId(link.from[0]), link.from[1]] as const;
    const curved = straightLink({ ...link, id, from, to: [to, place], change: otherChange }, byId);
    return !curved || known.has(linkName(curved, byId)) ? [] : [curved];
  });
  return [...links.map((link) => (isOnlyShown(link) ? { ...link, change: shownChange } : link)), ...missing];
}
