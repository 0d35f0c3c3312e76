import { countAt, entryAt, listAt, mapDefined } from '../safety/lists';
import type { JsonObject } from '../json/node';
import { sourceTextIn } from '../json/textEdit';
import { targetsByOrigin } from '../workflow/graph/executionOrder';
import { subgraphInputId, subgraphOutputId } from '../workflow/graph/graphLinks';
import { groupByKey } from '../workflow/graph/grouped';
import type { LiveLevel, LiveNode } from '../workflow/graph/liveNode';
import {
  readId,
  isTrueNode,
  listMember,
  readNumber,
  objectMember,
  objectsAmong,
  readPoint,
  textMember,
} from '../workflow/graph/members';
import { isPrimitive } from '../workflow/graph/virtualNodes';
import { type Cubic, linkCurve, rerouteAngle, rerouteControl } from './curves';
import {
  type Box,
  boxAround,
  type DrawnNode,
  type DrawnSlot,
  movedTo,
  type Point,
  largestNumber,
} from './drawnNode';
import { textWidth } from './interWidths';
import { drawnNode, scaled } from './layOutNode';

export interface DrawnLink {
  readonly id: string;
  readonly from: readonly [nodeId: string, slot: number];
  readonly to: readonly [nodeId: string, slot: number];
  readonly type: string;
  readonly segments: readonly Cubic[];
  /** Only one of two versions has it. */
  readonly change?: 'added' | 'removed' | undefined;
}

export interface DrawnReroute extends Point {
  readonly id: string;
  readonly type: string;
}

export interface DrawnGroup extends Box {
  readonly title: string;
  readonly color: string | undefined;
  readonly isPinned: boolean;
}

export interface DrawnBoundary extends Box {
  readonly side: 'inputs' | 'outputs';
  readonly slots: readonly DrawnSlot[];
}

/** The drawing of a workflow, either its root or the inside of one subgraph, in drawing order. */
export interface Drawing {
  readonly groups: readonly DrawnGroup[];
  readonly links: readonly DrawnLink[];
  readonly reroutes: readonly DrawnReroute[];
  readonly nodes: readonly DrawnNode[];
  readonly boundaries: readonly DrawnBoundary[];
}

export const emptyDrawing: Drawing = { groups: [], links: [], reroutes: [], nodes: [], boundaries: [] };

export interface SourceLevel {
  readonly level: LiveLevel;
  /** The object that has its nodes: the graph, or the definition of the subgraph. */
  readonly file: JsonObject;
  readonly text: string;
  /** Whether there are definitions at all: without any, no type is missing. */
  readonly knowsTypes: boolean;
  readonly isPrompt: boolean;
}

export interface LevelBefore extends SourceLevel {
  readonly drawing: Drawing;
}

/** @param before what looks the same is taken from it, the same objects */
export function drawLevel(source: SourceLevel, before?: LevelBefore): Drawing {
  const { level, file, knowsTypes, isPrompt } = source;
  const targets = targetsByOrigin(level);
  const scale = scaleOf(file);
  const passing = passedTypes(level);
  const outputs = linkedOutputs(level);
  const isAlike = before?.knowsTypes === knowsTypes && scaleOf(before.file) === scale;
  const last = new Map(isAlike ? before.drawing.nodes.map((node) => [node.id, node]) : []);
  const nodes = level.nodes.map((live) => {
    const linkedOutputs = outputs.get(live.id) ?? new Set();
    const node = last.get(live.id);
    if (node && before && isSameNode(live, source, before) && isLinkedAlike(node, linkedOutputs)) return node;
    return drawnNode(live, {
      targets: listAt(targets, live.id),
      linkedOutputs,
      passedType: passing.get(live.id),
      knowsTypes,
      isPrompt,
      scale,
    });
  });
  const boundaries = boundariesOf(level, file, nodes);
  const isKept = new Set(nodes.flatMap((node) => (last.get(node.id) === node ? [node.id] : [])));
  // A link that passes reroutes depends on all other links.
  const kept = (before?.drawing.links ?? []).filter(
    ({ from, to, segments }) => segments.length === 1 && isKept.has(from[0]) && isKept.has(to[0]),
  );
  const links = linksOf(level, file, nodes, boundaries, new Map(kept.map((link) => [endsName(link), link])));
  return { groups: groupsOf(file, scale), ...links, nodes, boundaries };
}

/** Whether a node looks as before. Of an instance, a primitive and a reroute, the text alone does not tell. */
function isSameNode(now: LiveNode, { text }: SourceLevel, before: LevelBefore): boolean {
  const last = before.level.byId.get(now.id);
  if (!last || now.inside || last.inside || isPrimitive(now.type) || now.type === 'Reroute') return false;
  return (
    now.definition === last.definition &&
    now.role === last.role &&
    sourceTextIn(text, now.source.node) === sourceTextIn(before.text, last.source.node) &&
    now.inputs.every(
      ({ link }, index) => (link === undefined) === (last.inputs[index]?.link === undefined),
    ) &&
    // Primitives write into those of other nodes.
    now.widgets.every(({ current }, index) => Object.is(current.value, last.widgets[index]?.current.value))
  );
}

function isLinkedAlike({ outputs }: DrawnNode, linked: ReadonlySet<number>): boolean {
  return outputs.every(({ isLinked }, index) => isLinked === linked.has(index));
}

function endsName({ id, from, to }: Pick<DrawnLink, 'id' | 'from' | 'to'>): string {
  return JSON.stringify([id, from, to]);
}

function scaleOf(file: JsonObject): number {
  return textMember(objectMember(file, 'extra'), 'workflowRendererVersion') === 'Vue' ? 1 / 1.2 : 1;
}

/** A drawing with nodes where they are put, and with its links straight to them. */
export function movedDrawing(drawing: Drawing, places: ReadonlyMap<string, Point>): Drawing {
  const nodes = drawing.nodes.map((node) => movedTo(node, places.get(node.id) ?? node));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return { ...drawing, nodes, links: mapDefined(drawing.links, (link) => straightLink(link, byId)) };
}

/** The link between its ends where they are now; undefined if one of them isn't drawn. */
export function straightLink(link: DrawnLink, nodes: ReadonlyMap<string, DrawnNode>): DrawnLink | undefined {
  const start = nodes.get(link.from[0])?.outputs[link.from[1]];
  const end = nodes.get(link.to[0])?.inputs[link.to[1]];
  return start && end && { ...link, segments: [linkCurve(start, end)] };
}

/** The outputs that links leave from, also to what is outside of a subgraph: by the ID of the node. */
function linkedOutputs({ nodes, links, subgraph }: LiveLevel): ReadonlyMap<string, ReadonlySet<number>> {
  const inner = nodes.flatMap(({ inputs }) => inputs.map(({ link }) => link));
  const outer = (subgraph?.outputs ?? []).flatMap(({ linkIds }) => linkIds);
  const found = [...inner, ...outer].flatMap((id) => (id === undefined ? [] : (links.get(id) ?? [])));
  const byOrigin = groupByKey(found, ({ originId }) => originId);
  return new Map(Array.from(byOrigin, ([id, own]) => [id, new Set(own.map(({ originSlot }) => originSlot))]));
}

/** The type that passes each `Reroute`, from its source. */
function passedTypes(level: LiveLevel): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const passedBy = ({ id, inputs }: LiveNode): string => {
    const known = found.get(id);
    if (known !== undefined) return known;
    // Nothing passes a cycle of reroutes.
    found.set(id, '*');
    const { originId = '', originSlot = 0 } = entryAt(level.links, inputs[0]?.link) ?? {};
    const origin = level.byId.get(originId);
    const source = originId === subgraphInputId ? level.subgraph?.inputs[originSlot]?.type : undefined;
    const passed = origin?.type === 'Reroute' ? passedBy(origin) : origin?.outputTypes[originSlot];
    const type = source ?? passed ?? '*';
    found.set(id, type);
    return type;
  };
  for (const node of level.nodes) if (node.type === 'Reroute') passedBy(node);
  return found;
}

function groupsOf(file: JsonObject, scale: number): DrawnGroup[] {
  return objectsAmong(listMember(file, 'groups')).map((group) => {
    const [x = 10, y = 10, width = 200, height = 200] = listMember(group, 'bounding').map(readNumber);
    return {
      ...scaled({ x, y }, scale),
      width: width * scale,
      height: height * scale,
      title: textMember(group, 'title') ?? 'Group',
      color: textMember(group, 'color'),
      isPinned: isTrueNode(objectMember(group, 'flags')?.get('pinned')),
    };
  });
}

function boundariesOf(
  { subgraph }: LiveLevel,
  file: JsonObject,
  nodes: readonly DrawnNode[],
): DrawnBoundary[] {
  if (!subgraph) return [];
  // The inside of a group node has no place, so it goes beside the nodes.
  const around = boxAround(nodes);
  return (['inputs', 'outputs'] as const).map((side) => {
    const isLeft = side === 'inputs';
    const bounds = listMember(objectMember(file, isLeft ? 'inputNode' : 'outputNode'), 'bounding');
    const [x = isLeft ? around.x - 260 : around.x + around.width + 120, y = around.y] =
      bounds.map(readNumber);
    const widths = subgraph[side].map(({ name, label = name }) => textWidth(label, 12) + 20);
    const width = largestNumber(widths, 100) + 28;
    const slots = subgraph[side].map(({ name, label = name, type, linkIds }, index): DrawnSlot => ({
      index,
      name,
      label,
      type,
      shape: 'circle',
      isLinked: linkIds.length > 0,
      x: isLeft ? x + width - 24 : x + 24,
      y: y + 24 + 20 * index,
    }));
    return { side, x, y, width, height: 28 + 20 * (slots.length + 1), slots };
  });
}

interface RerouteOfFile extends Point {
  readonly id: string;
  readonly parent: string | undefined;
}

interface LinkEnds extends Omit<DrawnLink, 'segments'> {
  readonly start: DrawnSlot;
  readonly end: DrawnSlot;
  /** First to last. */
  readonly passed: readonly RerouteOfFile[];
}

/** The total for all links, because a small file can lead thousands of links through thousands of reroutes. */
const mostPassed = 50_000;

/** @param kept the links between nodes that look as before */
function linksOf(
  level: LiveLevel,
  file: JsonObject,
  nodes: readonly DrawnNode[],
  boundaries: readonly DrawnBoundary[],
  kept: ReadonlyMap<string, DrawnLink>,
): Pick<Drawing, 'links' | 'reroutes'> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const slotsAt = (side: DrawnBoundary['side']): readonly DrawnSlot[] =>
    boundaries.find((each) => each.side === side)?.slots ?? [];
  const [ofInputs, ofOutputs] = [slotsAt('inputs'), slotsAt('outputs')];
  const reroutes = reroutesOf(file);
  const lastReroute = lastReroutes(file);
  let left = mostPassed;
  const passedBy = (linkId: string): readonly RerouteOfFile[] => {
    const passed = new Set<RerouteOfFile>();
    let at = entryAt(reroutes, lastReroute.get(linkId));
    for (; at && !passed.has(at) && left > 0; at = entryAt(reroutes, at.parent)) {
      passed.add(at);
      left--;
    }
    return [...passed].reverse();
  };
  const endsOf = (id: string | undefined, to: DrawnLink['to'], end: DrawnSlot | undefined): LinkEnds[] => {
    const link = id === undefined ? undefined : level.links.get(id);
    if (!link || id === undefined || !end) return [];
    const { originId, originSlot } = link;
    const start = (originId === subgraphInputId ? ofInputs : byId.get(originId)?.outputs)?.[originSlot];
    const type = start?.type === '*' ? end.type : start?.type;
    if (!start || type === undefined) return [];
    return [{ id, from: [originId, originSlot], to, type, start, end, passed: passedBy(id) }];
  };
  const ends = [
    ...nodes.flatMap(({ id, inputs }, index) => {
      const live = level.nodes[index]?.inputs;
      const places = Array.from(inputs, (slot, place) => ({ slot, place }));
      places.sort((one, other) => one.slot.index - other.slot.index);
      return places.flatMap(({ slot, place }) => endsOf(live?.[slot.index]?.link, [id, place], slot));
    }),
    ...(level.subgraph?.outputs ?? []).flatMap(({ linkIds }, slot) =>
      linkIds.flatMap((id) => endsOf(id, [subgraphOutputId, slot], ofOutputs[slot])),
    ),
  ];
  const steps = groupByKey(
    ends.flatMap(({ start, end, passed, type }) =>
      passed.map((at, index) => {
        return { at, type, before: passed[index - 1] ?? start, after: passed[index + 1] ?? end };
      }),
    ),
    ({ at }) => at,
  );
  // A reroute turns its links by what comes after it in all of them.
  const angles = new Map(
    Array.from(steps, ([at, own]) => {
      const after = own.map((each) => each.after);
      return [at, rerouteAngle(own[0]?.before ?? at, at, after)];
    }),
  );
  const control = (at: RerouteOfFile | undefined, other: Point, way: 1 | -1): Point | undefined =>
    at && rerouteControl(at, other, countAt(angles, at), way);
  return {
    links: ends.map(({ start, end, passed, ...link }) => {
      const before = passed.length === 0 ? kept.get(endsName(link)) : undefined;
      if (before) return before;
      const points = [start, ...passed, end];
      const segments = points.slice(1).map((to, index) => {
        const from = points[index] ?? start;
        return linkCurve(from, to, control(passed[index - 1], to, 1), control(passed[index], from, -1));
      });
      return { ...link, segments };
    }),
    reroutes: Array.from(reroutes.values(), (reroute) => {
      const { id, x, y } = reroute;
      return { id, x, y, type: steps.get(reroute)?.at(-1)?.type ?? '*' };
    }),
  };
}

/** Version 0.4 has them in `extra`, version 1 and subgraphs beside the nodes. */
function reroutesOf(file: JsonObject): ReadonlyMap<string, RerouteOfFile> {
  const lists = [listMember(file, 'reroutes'), listMember(objectMember(file, 'extra'), 'reroutes')];
  const found = new Map<string, RerouteOfFile>();
  for (const reroute of objectsAmong(lists.flat())) {
    const [id, at] = [readId(reroute.get('id')), readPoint(reroute.get('pos'))];
    if (id !== undefined && at) found.set(id, { id, ...at, parent: readId(reroute.get('parentId')) });
  }
  return found;
}

function lastReroutes(file: JsonObject): ReadonlyMap<string, string> {
  const lists = [listMember(file, 'links'), listMember(objectMember(file, 'extra'), 'linkExtensions')];
  const found = new Map<string, string>();
  for (const link of objectsAmong(lists.flat())) {
    const [id, parent] = [readId(link.get('id')), readId(link.get('parentId'))];
    if (id !== undefined && parent !== undefined) found.set(id, parent);
  }
  return found;
}
