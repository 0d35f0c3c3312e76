import { mapDefined } from '../safety/lists';
import { fileColor, type Palette } from './canvasPalette';
import {
  type Box,
  nodeBox,
  type DrawnNode,
  type DrawnSlot,
  grownBox,
  type Point,
  titleHeight,
} from './drawnNode';
import { cutToWidth, textWidth } from './interWidths';
import { rowElements } from './rowSvg';
import { svgText, shortNumber, type SvgElement, textElement } from './markSvg';

const bypassed = '#FF00FF';
const opacities = { always: 1, muted: 0.4, bypassed: 0.2 } as const;
const removedOpacity = 0.6;
export const badgeHeight = 20;

export function nodeElement(node: DrawnNode, palette: Palette): SvgElement {
  const { mark, x, y } = node;
  const opacity = opacities[node.mode] * (mark?.kind === 'removed' ? removedOpacity : 1);
  const faded = opacity === 1 ? undefined : opacity;
  const color = fileColor(node.color, palette) ?? palette.node;
  const body = node.mode === 'bypassed' ? bypassed : (fileColor(node.bgcolor, palette, true) ?? palette.body);
  const parts = node.isCollapsed
    ? []
    : [bodyElement(node, body, color), ...node.rows.flatMap((row) => rowElements(row, node, palette))];
  return svgText(
    'g',
    {
      'data-node': node.id,
      'data-change': mark?.kind,
      transform: `translate(${shortNumber(x)} ${shortNumber(y)})`,
    },
    mark && mark.words.length > 0 ? [svgText('title', {}, mark.words.join('\n'))] : [],
    node.isMissing ? [errorRing(node)] : [],
    badgeElements(node, palette, faded),
    svgText('g', { class: 'parts', opacity: faded }, parts, titleElements(node, color, palette)),
    svgText('g', { class: 'slots' }, slotElements(node, palette)),
  );
}

function bodyElement(node: DrawnNode, fill: string, color: string): SvgElement {
  const { width, shape, hasTitle } = node;
  const radius = shape === 'box' ? 0 : cornerRadius;
  const title = [
    svgText('path', { class: 'title', d: outline(titleBox(node), radius, false), fill: color }),
    svgText('rect', { x: 0, y: -1, width, height: 2, fill: '#000000', 'fill-opacity': 0.2 }),
  ];
  const d = outline(ownBox(node), radius, shape === 'round');
  return svgText('g', {}, svgText('path', { class: 'body', d, fill }), hasTitle ? title : []);
}

function ownBox(node: DrawnNode): Box {
  const { y, width, height } = nodeBox(node);
  return { x: 0, y: y - node.y, width, height };
}

function titleBox({ width }: DrawnNode): Box {
  return { x: 0, y: -titleHeight, width, height: titleHeight };
}

const cornerRadius = 8;

function outline({ x, y, width, height }: Box, radius: number, isRoundBelow: boolean): string {
  const r = Math.min(radius, width / 2, height / 2);
  const below = isRoundBelow ? r : 0;
  const arc = (by: number, dx: number, dy: number): string =>
    by === 0 ? '' : `a${shortNumber(by)} ${shortNumber(by)} 0 0 1 ${shortNumber(dx)} ${shortNumber(dy)}`;
  return [
    `M${shortNumber(x + r)} ${shortNumber(y)}H${shortNumber(x + width - r)}${arc(r, r, r)}`,
    `V${shortNumber(y + height - below)}${arc(below, -below, below)}`,
    `H${shortNumber(x + below)}${arc(below, -below, -below)}`,
    `V${shortNumber(y + r)}${arc(r, r, -r)}z`,
  ].join('');
}

const instanceIcon = 'M10.5 -21h5v5h-5zM18.5 -13h5v5h-5zM13 -16v5.5h5.5';

function titleElements(node: DrawnNode, color: string, palette: Palette): SvgElement[] {
  const { width, isCollapsed, isInstance, shape, hasTitle } = node;
  if (!hasTitle && !isCollapsed) return [];
  const d = outline(titleBox(node), cornerRadius, true);
  const box = isCollapsed ? [svgText('path', { class: 'body', d, fill: color })] : [];
  const dot = isInstance
    ? svgText(
        'g',
        {},
        svgText('rect', { x: 6, y: -24.5, width: 22, height: 20, rx: 5, fill: '#3B82F6' }),
        svgText('path', { d: instanceIcon, fill: 'none', stroke: '#FFFFFF', 'stroke-width': 1.3 }),
      )
    : shape === 'box'
      ? svgText('rect', { x: 10, y: -20, width: 10, height: 10, fill: palette.dot })
      : svgText('circle', { cx: 15, cy: -15, r: 5, fill: palette.dot });
  const title = node.isMissing && node.title === node.type ? `❌ ${node.type}` : node.title;
  const room = width - (isInstance ? 58 : 60);
  const text = isCollapsed ? Array.from(title).slice(0, 20).join('') : cutToWidth(title, room, 14, '...');
  return [...box, dot, textElement(30, -10, palette.title, text, { 'font-size': 14 })];
}

function errorRing(node: DrawnNode): SvgElement {
  const edge = { fill: 'none', stroke: '#EE0000', 'stroke-opacity': 0.8, 'stroke-width': 10 };
  return svgText('rect', { class: 'error', ...grownBox(ownBox(node), 12), rx: 20, ...edge });
}

function badgeElements(
  { badges, width }: DrawnNode,
  palette: Palette,
  opacity: number | undefined,
): SvgElement[] {
  let x = width;
  return badges.map((text) => {
    const own = textWidth(text, 12) + 12;
    x -= own + 2;
    return svgText(
      'g',
      { class: 'badge', opacity },
      svgText('rect', { x, y: -52, width: own, height: badgeHeight, rx: 5, fill: palette.badge }),
      textElement(x + 6, -38, palette.badgeText, text),
    );
  });
}

function slotElements(node: DrawnNode, palette: Palette): SvgElement[] {
  const inputs = node.inputs.filter(({ widget, isLinked }) => widget === undefined || isLinked);
  if (node.isCollapsed) {
    const linked = mapDefined([inputs, node.outputs], (side) => side.find(({ isLinked }) => isLinked));
    return linked.map(({ x, y }) =>
      svgText('circle', { cx: x - node.x, cy: y - node.y, r: 4, fill: '#668866' }),
    );
  }
  const drawn = (slot: DrawnSlot, isInput: boolean): SvgElement[] => {
    const at = { x: slot.x - node.x, y: slot.y - node.y };
    const hasLabel = slot.widget === undefined && slot.label !== '';
    const stroke = isInput ? undefined : '#000000';
    const dot = slotElement(slot, at, slotColor(slot, palette), stroke);
    return [dot, ...(hasLabel ? [slotLabel(slot.label, at, isInput, palette)] : [])];
  };
  return [
    ...inputs.flatMap((slot) => drawn(slot, true)),
    ...node.outputs.flatMap((slot) => drawn(slot, false)),
  ];
}

export function slotLabel(label: string, { x, y }: Point, isRight: boolean, palette: Palette): SvgElement {
  const more = { 'text-anchor': isRight ? undefined : 'end' };
  return textElement(x + (isRight ? 10 : -10), y + 5, palette.slotText, label, more);
}

function slotElement({ shape }: DrawnSlot, { x, y }: Point, fill: string, stroke?: string): SvgElement {
  switch (shape) {
    case 'hollow':
      return svgText('circle', { cx: x, cy: y, r: 2.75, fill: 'none', stroke: fill, 'stroke-width': 2.5 });
    case 'box':
      return svgText('rect', { x: x - 5.5, y: y - 4.5, width: 14, height: 10, fill, stroke });
    case 'arrow': {
      const d = `M${shortNumber(x + 8)} ${shortNumber(y + 0.5)}L${shortNumber(x - 4)} ${shortNumber(y + 6.5)}V${shortNumber(y - 5.5)}z`;
      return svgText('path', { d, fill, stroke });
    }
    case 'grid': {
      const steps = [-4, -1, 2];
      const cells = steps.flatMap((dx) =>
        steps.map((dy) => `M${shortNumber(x + dx)} ${shortNumber(y + dy)}h2v2h-2z`),
      );
      return svgText('path', { d: cells.join(''), fill });
    }
    case 'circle':
      return svgText('circle', { cx: x, cy: y, r: 4, fill, stroke });
  }
}

export function slotColor({ type, isLinked }: DrawnSlot, palette: Palette): string {
  return typeColor(type, palette) ?? (isLinked ? '#77FF77' : '#777788');
}

export function typeColor(type: string, { types }: Palette): string | undefined {
  const [first = type] = type.split(',');
  return Object.hasOwn(types, first) ? types[first] : undefined;
}
