import { fileColor, type Palette } from '../../core/drawing/canvasPalette';
import {
  type Box,
  type DrawnNode,
  largestNumber,
  rowHeight,
  titleHeight,
} from '../../core/drawing/drawnNode';
import { cutToWidth, textWidth } from '../../core/drawing/interWidths';
import { svgText, type SvgElement } from '../../core/drawing/markSvg';
import { t } from '../../core/safety/localize';
import type { GraphNodeRun } from '../contract/graphPanel';
import type { Detail } from './viewport';

/** A run's state as shown on a node. */
export interface ShownNodeRun extends GraphNodeRun {
  /** The address of the last preview. */
  readonly frame?: string | undefined;
}

const chipHeight = 18;
/** Below a node without room for a picture, as a part of its width; and no higher than this. */
const hung = { share: 0.75, most: 240 } as const;
/** Less than this is no room for a picture. */
const leastRoom = 80;

/** The place of a node's image relative to the node: in the room below its widgets, or else below the node. */
function pictureBox(node: DrawnNode): Box {
  const { width, height, rows, inputs, outputs } = node;
  const shown = rows.filter(({ isHidden }) => !isHidden);
  const sockets = [...inputs.filter(({ widget }) => widget === undefined), ...outputs];
  const ends = shown.map((row) => row.y + row.height);
  const used = largestNumber([...ends, ...sockets.map((slot) => slot.y - node.y + rowHeight / 2)]);
  const room = height - used - 12;
  const [x, wide] = [8, Math.max(0, width - 16)];
  if (room >= leastRoom) return { x, y: used + 4, width: wide, height: room };
  return { x, y: height + 4, width: wide, height: Math.min(wide * hung.share, hung.most) };
}

/** The area that a node with its run covers. @param box of the node @param unit about a pixel */
export function runBox(node: DrawnNode, box: Box, run: ShownNodeRun | undefined, unit: number): Box {
  if (!run) return box;
  const picture = run.picture || run.frame !== undefined ? pictureBox(node) : undefined;
  const low = picture && !node.isCollapsed ? node.y + picture.y + picture.height + 8 : box.y + box.height;
  const above = unit * (chipHeight + 4);
  const below = run.reason === undefined ? 0 : above;
  return { ...box, y: box.y - above, height: low - box.y + above + below };
}

/** A run on a node: its frame, how far it is, the picture, and what is said of it, unless nobody could read that. */
export function runElements(
  node: DrawnNode,
  run: ShownNodeRun,
  palette: Palette,
  { detail, unit }: { readonly detail: Detail; readonly unit: number },
): SvgElement[] {
  const top = node.hasTitle || node.isCollapsed ? -titleHeight : 0;
  const low = node.isCollapsed ? 0 : node.height;
  const frame = { x: -2, y: top - 2, width: node.width + 4, height: low - top + 4, rx: 9 };
  const height = 6 * unit;
  const bar = { class: 'share', x: 0, y: node.isCollapsed ? -height : 0, height };
  return [
    ...(run.share === undefined ? [] : [svgText('rect', { ...bar, width: node.width * run.share })]),
    ...(node.isCollapsed ? [] : pictureElements(node, run, palette)),
    svgText('rect', { class: 'state', ...frame }),
    ...(detail === 'far' ? [] : wordElements(run, { top, low, room: node.width / unit })),
  ];
}

function pictureElements(node: DrawnNode, { picture, frame }: ShownNodeRun, palette: Palette): SvgElement[] {
  const source = picture?.source ?? frame;
  if (source === undefined) return [];
  const { x, y, width, height } = pictureBox(node);
  const back = y > node.height ? [hungBody(node, y + height + 8, palette)] : [];
  const corner = { x: x + width - 6, y: y + height - 6, 'text-anchor': 'end' };
  const middle = { x: x + width / 2, y: y + height / 2, 'text-anchor': 'middle' };
  const more = picture?.more ?? 0;
  return [
    ...back,
    svgText(
      'g',
      {
        class: picture ? 'picture' : 'frame',
        'data-picture': picture && picture.isRemote !== true ? node.id : undefined,
      },
      picture ? [svgText('title', {}, picture.name)] : [],
      svgText('image', { x, y, width, height, href: source }),
      svgText('text', { class: 'lost', ...middle }, cutToWidth(t`Deleted or moved`, width, 12, '…')),
      more > 0 ? [svgText('text', { class: 'more', ...corner }, `+${more}`)] : [],
    ),
  ];
}

function hungBody({ width, height, bgcolor }: DrawnNode, low: number, palette: Palette): SvgElement {
  const fill = fileColor(bgcolor, palette, true) ?? palette.body;
  const d = `M0 ${height - 9}H${width}V${low - 8}a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8z`;
  return svgText('g', { class: 'parts' }, svgText('path', { class: 'body', d, fill }));
}

/** In pixels from the corners of the node, because the canvas keeps their size. @param room from corner to corner */
function wordElements(
  { note, words, reason, state }: ShownNodeRun,
  { top, low, room }: { readonly top: number; readonly low: number; readonly room: number },
): SvgElement[] {
  const wide = room * 1.6;
  const text = cutToWidth(note, Math.max(room - 28, 60), 12, '…');
  const width = textWidth(text, 12) + 28;
  const y = -chipHeight - 4;
  const chip = svgText(
    'g',
    { class: 'chip', transform: `translate(0 ${top})` },
    svgText('title', {}, words),
    svgText('rect', { y, width, height: chipHeight, rx: chipHeight / 2 }),
    svgText('circle', { class: state, cx: 11, cy: y + chipHeight / 2, r: 4 }),
    svgText('text', { x: 20, y: y + 13 }, text),
  );
  const shown = note === '' ? [] : [chip];
  if (reason === undefined) return shown;
  const why = svgText(
    'g',
    { class: 'reason', transform: `translate(0 ${low})` },
    svgText('title', {}, reason),
    svgText('rect', { y: 6, width: wide, height: chipHeight, rx: 4 }),
    svgText('text', { x: 8, y: 19 }, cutToWidth(reason.replaceAll('\n', ' '), wide - 16, 12, '…')),
  );
  return [...shown, why];
}
