import type { JsonObject } from '../json/node';
import { targetsByOrigin, type LinkTargets } from '../workflow/graph/executionOrder';
import { subgraphInputId, subgraphOutputId } from '../workflow/graph/graphLinks';
import type { LiveLevel, LiveLink, LiveNode } from '../workflow/graph/liveNode';
import { idOf, listMember, objectMember, objectsIn, textMember } from '../workflow/graph/members';
import { type Cubic, linkCurve, rerouteAngle, rerouteControl } from './curves';
import { type Box, type DrawnNode, type DrawnSlot, type Point } from './drawnNode';
import { textWidth } from './interWidths';
import { drawnNode, type NodeLayoutOptions, scaled } from './layOutNode';
import { largest, numberOf, pointOf } from './numbers';

export interface DrawnLink {
  readonly id: string;
  readonly from: readonly [nodeId: string, slot: number];
  readonly to: readonly [nodeId: string, slot: number];
  readonly type: string;
  /** One curve, or one from reroute to reroute. */
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

/** Where the inside of a subgraph meets its instance. */
export interface DrawnBoundary extends Box {
  readonly side: 'inputs' | 'outputs';
  readonly slots: readonly DrawnSlot[];
}

/** What is drawn of a workflow: the root, or the inside of one subgraph; in the order in which it is drawn. */
export interface Drawing {
  readonly groups: readonly DrawnGroup[];
  readonly links: readonly DrawnLink[];
  readonly reroutes: readonly DrawnReroute[];
  readonly nodes: readonly DrawnNode[];
  readonly boundaries: readonly DrawnBoundary[];
}

export const emptyDrawing: Drawing = { groups: [], links: [], reroutes: [], nodes: [], boundaries: [] };

/** Where nodes go that the file has no place for, by ID. */
export type Positions = ReadonlyMap<string, Point>;

/**
 * Draws one level of a loaded graph.
 * @param file the object that has its nodes: the graph, or the definition of the subgraph
 * @param knowsTypes whether there are definitions at all: without any, no type is missing
 */
export function drawLevel(
  level: LiveLevel,
  file: JsonObject,
  knowsTypes: boolean,
  positions?: Positions,
): Drawing {
  const targets = targetsByOrigin(level);
  const scale = rendererScale(file);
  const passing = passedTypes(level);
  const outputs = linkedOutputs(level, targets);
  const nodes = level.nodes.map((live) =>
    drawnNode(live, {
      targets: targets.get(live.id) ?? [],
      linkedOutputs: outputs.get(live.id) ?? new Set(),
      passedType: passing.get(live.id),
      position: positions?.get(live.id),
      knowsTypes,
      scale,
    }),
  );
  const boundaries = boundariesOf(level, file, nodes);
  const drawn = new LinkDrawing(level, file, nodes, boundaries);
  return { groups: groupsOf(file, scale), links: drawn.links, reroutes: drawn.reroutes, nodes, boundaries };
}

type Scale = NodeLayoutOptions['scale'];

/**
 * The newer renderer spreads nodes, and the page takes that back for a file that says so: around this point, since no
 * node has a size yet when it does (measured with six files).
 */
const vueScale: Scale = { around: { x: -10, y: -10 }, by: 1 / 1.2 };

function rendererScale(file: JsonObject): Scale {
  const extra = objectMember(file, 'extra');
  return extra && textMember(extra, 'workflowRendererVersion') === 'Vue' ? vueScale : undefined;
}

function linkedOutputs(level: LiveLevel, targets: LinkTargets): Map<string, Set<number>> {
  const linked = new Map([...targets].map(([id, list]) => [id, new Set(list.map(({ slot }) => slot))]));
  for (const { linkIds } of level.subgraph?.outputs ?? []) {
    for (const id of linkIds) {
      const link = level.links.get(id);
      if (!link) continue;
      const slots = linked.get(link.originId) ?? new Set();
      linked.set(link.originId, slots.add(link.originSlot));
    }
  }
  return linked;
}

/** The type that passes each `Reroute`, from its source. */
function passedTypes(level: LiveLevel): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const typeAt = (node: LiveNode, depth: number): string => {
    const known = found.get(node.id);
    if (known !== undefined) return known;
    const [input] = node.inputs;
    const link = input?.link === undefined ? undefined : level.links.get(input.link);
    const origin = link && level.byId.get(link.originId);
    if (!link || depth > level.nodes.length) return '*';
    if (link.originId === subgraphInputId) return level.subgraph?.inputs[link.originSlot]?.type ?? '*';
    if (!origin) return '*';
    const type =
      origin.type === 'Reroute' ? typeAt(origin, depth + 1) : (origin.outputTypes[link.originSlot] ?? '*');
    found.set(node.id, type);
    return type;
  };
  for (const node of level.nodes) if (node.type === 'Reroute') found.set(node.id, typeAt(node, 0));
  return found;
}

const fallbackGroup: Box = { x: 10, y: 10, width: 200, height: 200 };

function groupsOf(file: JsonObject, scale: Scale): DrawnGroup[] {
  return objectsIn(listMember(file, 'groups')).map((group) => {
    const bounds = listMember(group, 'bounding').map(numberOf);
    const [
      x = fallbackGroup.x,
      y = fallbackGroup.y,
      width = fallbackGroup.width,
      height = fallbackGroup.height,
    ] = bounds;
    const pinned = objectMember(group, 'flags')?.get('pinned');
    const by = scale?.by ?? 1;
    return {
      ...scaled({ x, y }, { scale }),
      width: width * by,
      height: height * by,
      title: textMember(group, 'title') ?? 'Group',
      color: textMember(group, 'color'),
      isPinned: pinned?.kind === 'boolean' && pinned.value,
    };
  });
}

function boundariesOf(
  { subgraph }: LiveLevel,
  file: JsonObject,
  nodes: readonly DrawnNode[],
): DrawnBoundary[] {
  if (!subgraph) return [];
  // That of a group node has no place: it goes beside the nodes.
  const left = nodes.reduce((least, { x }) => Math.min(least, x), Infinity);
  const right = nodes.reduce((most, node) => Math.max(most, node.x + node.width), -Infinity);
  const top = nodes.reduce((least, { y }) => Math.min(least, y), Infinity);
  const beside =
    nodes.length === 0
      ? { inputs: 0, outputs: 0, y: 0 }
      : { inputs: left - 260, outputs: right + 120, y: top };
  return (['inputs', 'outputs'] as const).map((side) => {
    const bounds = listMember(
      objectMember(file, side === 'inputs' ? 'inputNode' : 'outputNode'),
      'bounding',
    ).map(numberOf);
    const [x = beside[side], y = beside.y] = bounds;
    const labels = subgraph[side].map(({ name, label }) => label ?? name);
    const width =
      largest(
        labels.map((label) => textWidth(label, 12) + 20),
        100,
      ) + 28;
    const slotX = side === 'inputs' ? x + width - 24 : x + 24;
    const slots = subgraph[side].map(({ name, type, linkIds }, index): DrawnSlot => ({
      index,
      name,
      label: labels[index] ?? name,
      type,
      shape: 'circle',
      isLinked: linkIds.length > 0,
      x: slotX,
      y: y + 24 + 20 * index,
    }));
    return { side, x, y, width, height: 28 + 20 * (slots.length + 1), slots };
  });
}

interface RerouteOfFile extends Point {
  readonly id: string;
  readonly parent: string | undefined;
}

/** Of all links together: a small file can lead thousands of links through thousands of reroutes. */
const mostPassed = 50_000;

/** Links with the reroutes that they pass. */
class LinkDrawing {
  readonly links: DrawnLink[];
  readonly reroutes: DrawnReroute[];
  private readonly byId: ReadonlyMap<string, RerouteOfFile>;
  /** The last reroute of a link, by the link's ID. */
  private readonly lastReroutes: ReadonlyMap<string, string>;
  private readonly angles: ReadonlyMap<string, number>;
  private readonly nodes: ReadonlyMap<string, DrawnNode>;
  /** By node: where each input of the loaded node is in the drawing. */
  private readonly places: ReadonlyMap<string, ReadonlyMap<number, number>>;
  private left = mostPassed;

  constructor(
    level: LiveLevel,
    file: JsonObject,
    nodes: readonly DrawnNode[],
    private readonly boundaries: readonly DrawnBoundary[],
  ) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.places = new Map(
      nodes.map(({ id, inputs }) => [id, new Map(inputs.map(({ index }, place) => [index, place]))]),
    );
    this.byId = reroutesOf(file);
    this.lastReroutes = lastReroutes(file);
    const ends = this.endsIn(level);
    this.angles = this.anglesOf(ends);
    this.links = ends.map((end) => this.drawn(end));
    const types = new Map(ends.flatMap((end) => end.passed.map(({ id }) => [id, end.type] as const)));
    this.reroutes = Array.from(this.byId.values(), ({ id, x, y }) => ({
      id,
      x,
      y,
      type: types.get(id) ?? '*',
    }));
  }

  private endsIn(level: LiveLevel): LinkEnds[] {
    const inputs = level.nodes.flatMap((node) =>
      node.inputs.flatMap(({ link: id }, slot) => {
        const link = id === undefined ? undefined : level.links.get(id);
        return link && id !== undefined ? (this.ends(id, link, [node.id, slot]) ?? []) : [];
      }),
    );
    const outputs = (level.subgraph?.outputs ?? []).flatMap(({ linkIds }, slot) =>
      linkIds.flatMap((id) => {
        const link = level.links.get(id);
        return link ? (this.ends(id, link, [subgraphOutputId, slot]) ?? []) : [];
      }),
    );
    return [...inputs, ...outputs];
  }

  private ends(id: string, link: LiveLink, to: readonly [string, number]): LinkEnds | undefined {
    const from = [link.originId, link.originSlot] as const;
    const [start, end] = [this.slotAt(from, 'outputs'), this.slotAt(to, 'inputs')];
    if (!start || !end) return undefined;
    const type = start.type === '*' ? end.type : start.type;
    const place = this.places.get(to[0])?.get(to[1]) ?? to[1];
    return { id, from, to: [to[0], place], start, end, passed: this.passedBy(id), type };
  }

  /** The reroutes of a link, first to last. */
  private passedBy(linkId: string): readonly RerouteOfFile[] {
    const passed = new Set<RerouteOfFile>();
    let at = this.byId.get(this.lastReroutes.get(linkId) ?? '');
    for (; at && !passed.has(at) && this.left > 0; at = this.byId.get(at.parent ?? '')) {
      passed.add(at);
      this.left--;
    }
    return [...passed].reverse();
  }

  private slotAt(
    [nodeId, slot]: readonly [string, number],
    side: 'inputs' | 'outputs',
  ): DrawnSlot | undefined {
    const isBoundary = nodeId === (side === 'outputs' ? subgraphInputId : subgraphOutputId);
    const node = this.nodes.get(nodeId);
    if (!isBoundary) {
      return side === 'outputs'
        ? node?.outputs[slot]
        : node?.inputs[this.places.get(nodeId)?.get(slot) ?? -1];
    }
    const wanted = side === 'outputs' ? 'inputs' : 'outputs';
    return this.boundaries.find((boundary) => boundary.side === wanted)?.slots[slot];
  }

  /** A reroute turns its links by what comes after it in all of them. */
  private anglesOf(ends: readonly LinkEnds[]): ReadonlyMap<string, number> {
    const around = new Map<string, { readonly before: Point; readonly after: Point[] }>();
    for (const { start, end, passed } of ends) {
      for (const [index, reroute] of passed.entries()) {
        const known = around.get(reroute.id) ?? { before: passed[index - 1] ?? start, after: [] };
        around.set(reroute.id, known);
        known.after.push(passed[index + 1] ?? end);
      }
    }
    return new Map(
      Array.from(around, ([id, { before, after }]) => {
        const at = this.byId.get(id);
        return [id, at ? rerouteAngle(before, at, after) : 0];
      }),
    );
  }

  private drawn({ start, end, passed, ...link }: LinkEnds): DrawnLink {
    const points = [start, ...passed, end];
    const segments = points.slice(1).map((to, index) => {
      const from = points[index] ?? start;
      const [before, after] = [passed[index - 1], passed[index]];
      const angle = (reroute: RerouteOfFile): number => this.angles.get(reroute.id) ?? 0;
      const controls = {
        start: before && rerouteControl(before, to, angle(before), 'after'),
        end: after && rerouteControl(after, from, angle(after), 'before'),
      };
      return linkCurve(from, to, controls, { start: start.direction, end: end.direction });
    });
    return { ...link, segments: segments.map(([a, b, c, d]) => [plain(a), b, c, plain(d)] as const) };
  }
}

interface LinkEnds extends Omit<DrawnLink, 'segments'> {
  readonly start: DrawnSlot;
  readonly end: DrawnSlot;
  readonly passed: readonly RerouteOfFile[];
}

function plain({ x, y }: Point): Point {
  return { x, y };
}

/** Version 0.4 has them in `extra`, version 1 and subgraphs beside the nodes. */
function reroutesOf(file: JsonObject): ReadonlyMap<string, RerouteOfFile> {
  const lists = [listMember(file, 'reroutes'), listMember(objectMember(file, 'extra'), 'reroutes')];
  const reroutes = objectsIn(lists.flat()).flatMap((reroute) => {
    const [id, at] = [idOf(reroute.get('id')), pointOf(reroute.get('pos'))];
    return id !== undefined && at
      ? [[id, { id, ...at, parent: idOf(reroute.get('parentId')) }] as const]
      : [];
  });
  return new Map(reroutes);
}

function lastReroutes(file: JsonObject): ReadonlyMap<string, string> {
  const extended = objectsIn(listMember(objectMember(file, 'extra'), 'linkExtensions'));
  const links = objectsIn(listMember(file, 'links'));
  return new Map(
    [...links, ...extended].flatMap((link) => {
      const [id, parent] = [idOf(link.get('id')), idOf(link.get('parentId'))];
      return id !== undefined && parent !== undefined ? [[id, parent] as const] : [];
    }),
  );
}
