import type { JsonObject } from '../json/node';
import type { LiveNode } from '../workflow/graph/liveNode';
import { objectMember, textMember } from '../workflow/graph/members';
import {
  type DrawnNode,
  type DrawnRow,
  type DrawnSlot,
  type Point,
  rowHeight,
  titleHeight,
} from './drawnNode';
import { isTrue, largest, numberOf, pointOf } from './numbers';
import { textWidth } from './interWidths';
import { control, growingMin, isMissing, isNote, rangeOf, type WidgetRow, rowsOf } from './nodeRows';
import { type OutputLinks, type ShownInput, shownInputs, shownOutputs, type UnplacedSlot } from './nodeSlots';

const slotHeight = 20;
const rowGap = 4;

/** What decides a node's place besides its type. */
export interface NodeLayoutOptions extends OutputLinks {
  readonly knowsTypes: boolean;
  /** Where the page puts it, if the file doesn't say. */
  readonly position?: Point | undefined;
  /** How much smaller the page draws a file of its newer renderer. */
  readonly scale?: { readonly around: Point; readonly by: number } | undefined;
}

/** A node with all its parts, as the page lays it out after loading (measured with its page 1.49.6). */
export function drawnNode(live: LiveNode, options: NodeLayoutOptions): DrawnNode {
  const { node } = live.source;
  const flags = objectMember(node, 'flags');
  const isCollapsed = isTrue(flags?.get('collapsed'));
  const rows = rowsOf(live, options.targets);
  const inputs = shownInputs(live, rows);
  const outputs = shownOutputs(live, options);
  const sockets = inputs.filter(({ row }) => !row).length;
  const size = sizeOf(live, options, { rows, inputs, outputs, sockets });
  const at = options.position ?? scaled(pointOf(node.get('pos')) ?? { x: 0, y: 0 }, options);
  const laidOut = arranged(rows, size.height, Math.max(sockets, outputs.length), inputs);
  const height = largest(
    laidOut.map(({ y, height: own, isHidden }) => (isHidden ? 0 : y + own)),
    size.height,
  );
  const pin = isTrue(flags?.get('pinned')) ? '📌' : '';
  const title = titleOf(live) + pin;
  const isReroute = live.type === 'Reroute';
  const width =
    isCollapsed && !isReroute ? collapsedWidth(measuredTitle(live, options) + pin, size.width) : size.width;
  const place = { x: at.x, y: at.y, width: size.width, height };
  const rowsByName = new Map(laidOut.toReversed().map((row) => [row.name, row]));
  let socket = 0;
  const drawnInputs = inputs.map(({ index, slot, row }): DrawnSlot => {
    const own = row && rowsByName.get(row.name);
    const y = own ? (own.isHidden ? 0 : own.y) + rowHeight / 2 : 14 + slotHeight * (row ? 0 : socket++);
    const { position } = slot;
    if (isCollapsed) return placed(slot, index, at.x, at.y - titleHeight / 2);
    if (position && !row) return placed(slot, index, at.x + position.x, at.y + position.y);
    return placed(slot, index, at.x + 10, at.y + y);
  });
  const drawnOutputs = outputs.map((slot, index): DrawnSlot => {
    const { position } = slot;
    if (isCollapsed) return placed(slot, index, at.x + width, at.y - titleHeight / 2);
    if (position) return placed(slot, index, at.x + position.x, at.y + position.y);
    return placed(slot, index, at.x + size.width - 9, at.y + 14 + slotHeight * index);
  });
  return {
    ...place,
    ...(isCollapsed && { width }),
    id: live.id,
    type: live.type,
    mode: live.mode,
    isInstance: live.inside !== undefined,
    title,
    isCollapsed,
    hasTitle: !isReroute,
    inputs: drawnInputs,
    outputs: drawnOutputs,
    rows: laidOut,
    ...colorsOf(live),
    shape: shapeOf(node),
    isMissing: options.knowsTypes && isMissing(live),
    badges: badgesOf(live),
  };
}

/** Member by member: to copy the rest of an object takes several times as long, and there are thousands. */
function placed(slot: UnplacedSlot, index: number, x: number, y: number): DrawnSlot {
  const { name, label, type, shape, isLinked, widget, direction } = slot;
  return { index, name, label, type, shape, isLinked, widget, direction, x, y };
}

/** The page's names for its own types. */
const ownTitles: ReadonlyMap<string, string> = new Map([
  ['MarkdownNote', 'Markdown Note'],
  ['PrimitiveNode', 'Primitive'],
]);

function titleOf({ title, type }: LiveNode): string {
  return title === type ? (ownTitles.get(type) ?? title) : title;
}

/** What a node must have room for: the page makes up a title for a missing type only when it draws it. */
function measuredTitle(live: LiveNode, { knowsTypes }: NodeLayoutOptions): string {
  return knowsTypes && live.title === live.type && isMissing(live) ? '' : titleOf(live);
}

interface Parts {
  readonly rows: readonly WidgetRow[];
  readonly inputs: readonly ShownInput[];
  readonly outputs: readonly UnplacedSlot[];
  readonly sockets: number;
}

function sizeOf(live: LiveNode, options: NodeLayoutOptions, parts: Parts): { width: number; height: number } {
  if (live.type === 'Reroute') return rerouteSize(live, options);
  const least = leastSize(live, options, parts);
  const file = pointOf(live.source.node.get('size'));
  if (!file) return freshSize(live, parts, least);
  const by = options.scale?.by ?? 1;
  const width = Math.max(file.x * by, least.width);
  // Setting a stored value of these makes the page lay out the node anew.
  const isReset = live.definition?.inputs.some(({ spec }) => spec.kind === 'dynamicCombo');
  return { width, height: isReset === true ? least.height : Math.max(file.y * by, least.height) };
}

function leastSize(
  live: LiveNode,
  options: NodeLayoutOptions,
  { rows, inputs, outputs, sockets }: Parts,
): { width: number; height: number } {
  const shown = rows.filter(({ isHidden }) => !isHidden);
  const widest = (labels: readonly string[]): number => largest(labels.map((label) => textWidth(label, 12)));
  const ins = widest(inputs.filter(({ row }) => !row).map(({ slot }) => slot.label));
  const outs = widest(outputs.map(({ label }) => label));
  const ofWidgets = inputs.filter(({ row }) => row).map(({ slot, row }) => row?.label ?? slot.label);
  const both = ins + outs + 40 + (ins > 0 && outs > 0 ? 5 : 0);
  const width = Math.max(
    titleHeight + textWidth(measuredTitle(live, options), 14) + 9.9,
    both,
    ofWidgets.length > 0 ? widest(ofWidgets) + 104 : 0,
    rows.length > 0 ? 210 : 140,
  );
  const heights = shown.reduce((sum, row) => sum + leastHeight(row) + rowGap, 0);
  const slots = Math.max(1, sockets, outputs.length);
  return { width, height: slotHeight * slots + 6 + (rows.length > 0 ? 8 + heights : 0) };
}

function leastHeight({ kind, name }: WidgetRow): number {
  if (name === 'preview_text') return 60;
  return growingMin[kind] ?? rowHeight;
}

const freshSizes: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['ImageCompare', [400, 350]],
  ['ImageCropV2', [300, 450]],
  ['Painter', [450, 550]],
  ['CreateBoundingBoxes', [420, 560]],
  ['Load3D', [300, 600]],
  ['Preview3D', [400, 550]],
  ['ImageCompositor', [300, 400]],
]);

function freshSize(
  live: LiveNode,
  { rows }: Parts,
  least: { width: number; height: number },
): { width: number; height: number } {
  const special = freshSizes.get(live.type);
  const width = least.width + (rows.length > 0 && !isNote(live.type) ? 60 : 0);
  const hasText = rows.some(({ kind }) => kind === 'textBox') && !isNote(live.type);
  const [x, y] = special ?? (hasText ? [400, 200] : [0, 0]);
  return { width: Math.max(width, x), height: Math.max(least.height, y) };
}

/** A reroute is as wide as its type, if it shows it. */
function rerouteSize(
  { source }: LiveNode,
  { passedType = '*' }: NodeLayoutOptions,
): { width: number; height: number } {
  const showsType = isTrue(source.properties?.get('showOutputText'));
  return { width: showsType ? Math.max(75, 8.4 * passedType.length + 40) : 75, height: 26 };
}

/** A link's value is known only when the workflow runs. The choice of an instance is that of the widget inside. */
function hidesLinkedValue({ kind, isPromoted }: WidgetRow): boolean {
  return (
    kind === 'number' || kind === 'text' || kind === 'color' || (kind === 'combo' && isPromoted !== true)
  );
}

/** Rows one below the other; those that grow share what is left. */
function arranged(
  rows: readonly WidgetRow[],
  height: number,
  slots: number,
  inputs: readonly ShownInput[],
): readonly DrawnRow[] {
  const start = slots === 0 ? 2 : slotHeight * slots + 6;
  const shown = rows.filter(({ isHidden }) => !isHidden);
  const growing = new Set(
    shown.filter((row) => leastHeight(row) !== rowHeight || growingMin[row.kind] !== undefined),
  );
  const fixed = (shown.length - growing.size) * (rowHeight + rowGap);
  const least = shown.reduce((sum, row) => sum + (growing.has(row) ? leastHeight(row) : 0), 0);
  const free = height - start - fixed;
  const more = growing.size > 0 ? Math.max(0, (free - least) / growing.size) : 0;
  const linked = new Set(inputs.flatMap(({ slot, row }) => (row && slot.isLinked ? [row.name] : [])));
  let y = start;
  return rows.map((row, index) => {
    const isGrowing = growing.has(row);
    const own = row.isHidden ? 0 : isGrowing ? leastHeight(row) + more : rowHeight + rowGap;
    // What happens to a value after a run goes with the value.
    const isLinked = linked.has((row.name === control ? rows[index - 1] : row)?.name ?? '');
    const text = isLinked && hidesLinkedValue(row) ? '' : row.text;
    const { name, label, kind, isHidden } = row;
    const drawn = { name, label, kind, isHidden, ...rangeOf(row), text, y, height: own, isLinked };
    y += own;
    return drawn;
  });
}

function collapsedWidth(title: string, width: number): number {
  return Math.min(width, textWidth(title, 12) + 60);
}

function colorsOf(live: LiveNode): Pick<DrawnNode, 'color' | 'bgcolor'> {
  const { node } = live.source;
  const [color, bgcolor] = [textMember(node, 'color'), textMember(node, 'bgcolor')];
  const isYellow = isNote(live.type) || live.definition?.apiNode === true;
  const standard = isYellow && color === undefined && bgcolor === undefined;
  return standard ? { color: '#432', bgcolor: '#653' } : { color, bgcolor };
}

function shapeOf(node: JsonObject): DrawnNode['shape'] {
  const shape = node.get('shape');
  if (numberOf(shape) === 1 || (shape?.kind === 'string' && shape.value === 'box')) return 'box';
  return numberOf(shape) === 4 || (shape?.kind === 'string' && shape.value === 'card') ? 'card' : 'round';
}

const longestBadge = 31;

/** What the page says above a node: how finished its type is, and its pack. */
function badgesOf({ definition }: LiveNode): readonly string[] {
  if (!definition) return [];
  const { deprecated, experimental, pythonModule, raw } = definition;
  const isDev = raw.get('dev_only') === true;
  const state = deprecated ? '[DEPR]' : experimental ? '[BETA]' : isDev ? '[DEV]' : '';
  const pack = /^custom_nodes\.([^@]+)/.exec(pythonModule)?.[1] ?? '';
  const name = pack.replace(/^(?:ComfyUI|Comfy)[-_]/, '');
  const text = [state, name]
    .filter((each) => each !== '')
    .join(' ')
    .slice(0, longestBadge);
  return text === '' ? [] : [text];
}

export function scaled(point: Point, { scale }: Pick<NodeLayoutOptions, 'scale'>): Point {
  if (!scale) return point;
  const { around, by } = scale;
  return { x: around.x + (point.x - around.x) * by, y: around.y + (point.y - around.y) * by };
}
