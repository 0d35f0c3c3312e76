import { entryAt, mapDefined } from '../safety/lists';
import type { JsonObject } from '../json/node';
import { controlWidget } from '../workflow/graph/extraWidgets';
import type { LiveNode } from '../workflow/graph/liveNode';
import { readId, isTrueNode, objectMember, readPoint, textMember } from '../workflow/graph/members';
import {
  type Box,
  type DrawnNode,
  type DrawnRow,
  type DrawnSlot,
  type Point,
  rowHeight,
  titleHeight,
  largestNumber,
} from './drawnNode';
import { textWidth } from './interWidths';
import { rowActions, growingMin, isMissing, isNote, rowRange, type WidgetRow, nodeRows } from './nodeRows';
import { type OutputLinks, type ShownInput, shownInputs, shownOutputs, type UnplacedSlot } from './nodeSlots';

const slotHeight = 20;
const rowGap = 4;

export interface NodeLayoutOptions extends OutputLinks {
  readonly knowsTypes: boolean;
  readonly isPrompt: boolean;
  /** How much smaller the page draws a file of its newer renderer, which spreads nodes; otherwise 1. */
  readonly scale: number;
}

/** The newer renderer scales files around this point, since no node has a size yet (measured with six files). */
export function scaled({ x, y }: Point, scale: number): Point {
  return scale === 1 ? { x, y } : { x: (x + 10) * scale - 10, y: (y + 10) * scale - 10 };
}

/** A node with all its parts, as the page lays it out after loading (measured with its page 1.49.6). */
export function drawnNode(live: LiveNode, options: NodeLayoutOptions): DrawnNode {
  const { node } = live.source;
  const flags = objectMember(node, 'flags');
  const isCollapsed = isTrueNode(flags?.get('collapsed'));
  const isReroute = live.type === 'Reroute';
  const rows = nodeRows(live, options.targets, options.isPrompt);
  const inputs = shownInputs(live, rows);
  const outputs = shownOutputs(live, options);
  const sockets = inputs.filter(({ row }) => !row).length;
  const size = sizeOf(live, options, { rows, inputs, outputs, sockets });
  const at = scaled(readPoint(node.get('pos')) ?? { x: 0, y: 0 }, options.scale);
  const laidOut = arranged(rows, size.height, Math.max(sockets, outputs.length), inputs);
  const ends = laidOut.map(({ y, height: own, isHidden }) => (isHidden ? 0 : y + own));
  const pin = isTrueNode(flags?.get('pinned')) ? '📌' : '';
  const width =
    isCollapsed && !isReroute
      ? Math.min(size.width, textWidth(measuredTitle(live, options) + pin, 12) + 60)
      : size.width;
  const rowsByName = new Map(laidOut.toReversed().map((row) => [row.name, row]));
  let socket = 0;
  const placed = (slot: UnplacedSlot, index: number, edge: number, own: Point): DrawnSlot => {
    const { x, y } = isCollapsed ? { x: edge, y: -titleHeight / 2 } : (slot.position ?? own);
    // Member by member: to copy the rest of an object takes several times as long, and there are thousands.
    const { name, label, type, shape, isLinked, widget, direction } = slot;
    return { index, name, label, type, shape, isLinked, widget, direction, x: at.x + x, y: at.y + y };
  };
  const { color, bgcolor } = colorsOf(live);
  return {
    x: at.x,
    y: at.y,
    width,
    height: largestNumber(ends, size.height),
    id: live.id,
    type: live.type,
    mode: live.mode,
    ...(live.definition?.isOutputNode === true && live.mode === 'always' ? { isOutput: true } : {}),
    isInstance: live.inside !== undefined,
    title: titleOf(live) + pin,
    isCollapsed,
    hasTitle: !isReroute,
    inputs: inputs.map(({ index, slot, row }) => {
      const own = entryAt(rowsByName, row?.name);
      const top = row ? (own?.isHidden === false ? own.y : 0) : 4 + slotHeight * socket++;
      return placed(slot, index, 0, { x: 10, y: top + rowHeight / 2 });
    }),
    outputs: outputs.map((slot, index) =>
      placed(slot, index, width, { x: size.width - 9, y: 14 + slotHeight * index }),
    ),
    rows: laidOut,
    color,
    bgcolor,
    shape: shapeOf(node),
    isMissing: options.knowsTypes && isMissing(live),
    badges: badgesOf(live),
  };
}

const ownTitles: ReadonlyMap<string, string> = new Map([
  ['MarkdownNote', 'Markdown Note'],
  ['PrimitiveNode', 'Primitive'],
]);

function titleOf({ title, type }: LiveNode): string {
  return title === type ? (ownTitles.get(type) ?? title) : title;
}

/** The title that a node must have room for. The page makes one up for a missing type only when it draws it. */
function measuredTitle(live: LiveNode, { knowsTypes }: NodeLayoutOptions): string {
  return knowsTypes && live.title === live.type && isMissing(live) ? '' : titleOf(live);
}

type Size = Pick<Box, 'width' | 'height'>;

interface Parts {
  readonly rows: readonly WidgetRow[];
  readonly inputs: readonly ShownInput[];
  readonly outputs: readonly UnplacedSlot[];
  readonly sockets: number;
}

/** Nodes that are larger when they are new. */
const freshSizes: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['ImageCompare', [400, 350]],
  ['ImageCropV2', [300, 450]],
  ['Painter', [450, 550]],
  ['CreateBoundingBoxes', [420, 560]],
  ['Load3D', [300, 600]],
  ['Preview3D', [400, 550]],
  ['ImageCompositor', [300, 400]],
]);

/** Room for the image that a node loads, in a file without sizes. */
const imageRoom = 160;

function sizeOf(live: LiveNode, options: NodeLayoutOptions, parts: Parts): Size {
  if (live.type === 'Reroute') {
    // As wide as its type, if it shows it.
    const type = isTrueNode(live.source.properties?.get('showOutputText')) ? (options.passedType ?? '*') : '';
    return { width: Math.max(75, type === '' ? 0 : 8.4 * type.length + 40), height: 26 };
  }
  const least = leastSize(live, options, parts);
  const file = readPoint(live.source.node.get('size'));
  if (!file) {
    const { rows } = parts;
    const [more, hasText] = isNote(live.type)
      ? [0, false]
      : [rows.length > 0 ? 60 : 0, rows.some(({ kind }) => kind === 'textBox')];
    const [width, height] = freshSizes.get(live.type) ?? (hasText ? [400, 200] : [0, 0]);
    const takesImage = rows.some(({ spec }) => spec?.kind === 'combo' && spec.upload === 'image');
    const room = options.isPrompt && takesImage ? imageRoom : 0;
    return { width: Math.max(least.width + more, width), height: Math.max(least.height + room, height) };
  }
  // Setting a stored value of these makes the page lay out the node anew.
  const isReset = live.definition?.inputs.some(({ spec }) => spec.kind === 'dynamicCombo') === true;
  const { scale } = options;
  const height = isReset ? least.height : Math.max(file.y * scale, least.height);
  return { width: Math.max(file.x * scale, least.width), height };
}

function leastSize(
  live: LiveNode,
  options: NodeLayoutOptions,
  { rows, inputs, outputs, sockets }: Parts,
): Size {
  const widest = (labels: readonly string[]): number =>
    largestNumber(labels.map((label) => textWidth(label, 12)));
  const ins = widest(inputs.filter(({ row }) => !row).map(({ slot }) => slot.label));
  const outs = widest(outputs.map(({ label }) => label));
  const ofWidgets = mapDefined(inputs, ({ row }) => row?.label);
  const width = Math.max(
    titleHeight + textWidth(measuredTitle(live, options), 14) + 9.9,
    ins + outs + 40 + (ins > 0 && outs > 0 ? 5 : 0),
    ofWidgets.length > 0 ? widest(ofWidgets) + 104 : 0,
    rows.length > 0 ? 210 : 140,
  );
  const heights = rows.reduce((sum, row) => sum + (row.isHidden ? 0 : leastHeight(row) + rowGap), 0);
  const slots = Math.max(1, sockets, outputs.length);
  return { width, height: slotHeight * slots + 6 + (rows.length > 0 ? 8 + heights : 0) };
}

function leastHeight({ kind, name }: WidgetRow): number {
  return name === 'preview_text' ? 60 : (growingMin[kind] ?? rowHeight);
}

/** A link's value is known only when the workflow runs. The choice of an instance is that of the widget inside. */
function hidesLinkedValue({ kind, isPromoted }: WidgetRow): boolean {
  return ['number', 'text', 'color'].includes(kind) || (kind === 'combo' && isPromoted !== true);
}

/** Rows one below the other; those that grow share what is left. */
function arranged(
  rows: readonly WidgetRow[],
  height: number,
  slots: number,
  inputs: readonly ShownInput[],
): readonly DrawnRow[] {
  let y = slots === 0 ? 2 : slotHeight * slots + 6;
  const shown = rows.filter(({ isHidden }) => !isHidden).map(leastHeight);
  const growing = shown.filter((each) => each !== rowHeight);
  const fixed = (shown.length - growing.length) * (rowHeight + rowGap);
  const free = height - y - fixed - growing.reduce((sum, each) => sum + each, 0);
  const linked = new Set(inputs.flatMap(({ slot, row }) => (row && slot.isLinked ? [row.name] : [])));
  return rows.map((row, index) => {
    const { name, label, kind, isHidden } = row;
    const least = leastHeight(row);
    const grown = least === rowHeight ? rowHeight + rowGap : least + Math.max(0, free / growing.length);
    // The control after a run goes with its value.
    const isLinked = linked.has((name === controlWidget ? rows[index - 1]?.name : name) ?? '');
    const text = isLinked && hidesLinkedValue(row) ? '' : row.text;
    const drawn = { y, height: isHidden ? 0 : grown };
    y += drawn.height;
    return { name, label, kind, isHidden, ...rowRange(row), ...rowActions(row), text, ...drawn, isLinked };
  });
}

function colorsOf(live: LiveNode): Pick<DrawnNode, 'color' | 'bgcolor'> {
  const { node } = live.source;
  const [color, bgcolor] = [textMember(node, 'color'), textMember(node, 'bgcolor')];
  const isYellow = isNote(live.type) || live.definition?.apiNode === true;
  const standard = isYellow && color === undefined && bgcolor === undefined;
  return standard ? { color: '#432', bgcolor: '#653' } : { color, bgcolor };
}

function shapeOf(node: JsonObject): DrawnNode['shape'] {
  const shape = readId(node.get('shape')) ?? '';
  if (shape === '1' || shape === 'box') return 'box';
  return shape === '4' || shape === 'card' ? 'card' : 'round';
}

const longestBadge = 31;

/** The badges above a node: how finished its type is, and its pack. */
function badgesOf({ definition }: LiveNode): readonly string[] {
  if (!definition) return [];
  const { deprecated, experimental, pythonModule, raw } = definition;
  const isDev = raw.get('dev_only') === true;
  const state = deprecated ? '[DEPR]' : experimental ? '[BETA]' : isDev ? '[DEV]' : '';
  const pack = /^custom_nodes\.([^@]+)/.exec(pythonModule)?.[1] ?? '';
  const name = pack.replace(/^(?:ComfyUI|Comfy)[-_]/, '');
  const text = `${state} ${name}`.trim().slice(0, longestBadge);
  return text === '' ? [] : [text];
}
