import { fileColor, type Palette } from './canvasPalette';
import { type Box, type DrawnNode, type DrawnSlot, type Point, titleHeight } from './drawnNode';
import { cut, textWidth } from './interWidths';
import { rowElements } from './rowSvg';
import { element, short, type SvgElement } from './svgElement';

const bypassed = '#FF00FF';
const opacities = { always: 1, muted: 0.4, bypassed: 0.2 } as const;
/** Of a node that the later version lacks. */
const removedOpacity = 0.6;
export const badgeHeight = 20;
const cornerRadius = 8;

export function nodeElement(node: DrawnNode, palette: Palette): SvgElement {
  const { mark } = node;
  const opacity = opacities[node.mode] * (mark?.kind === 'removed' ? removedOpacity : 1);
  const faded = opacity === 1 ? undefined : opacity;
  const color = fileColor(node.color, palette) ?? palette.node;
  const body = node.mode === 'bypassed' ? bypassed : (fileColor(node.bgcolor, palette, true) ?? palette.body);
  const parts = node.isCollapsed
    ? []
    : [bodyElement(node, body, color), ...node.rows.flatMap((row) => rowElements(row, node, palette))];
  return element(
    'g',
    {
      'data-node': node.id,
      'data-change': mark?.kind,
      transform: `translate(${short(node.x)} ${short(node.y)})`,
    },
    ...(mark && mark.words.length > 0 ? [element('title', {}, mark.words.join('\n'))] : []),
    ...(node.isMissing ? [errorRing(node)] : []),
    ...badgeElements(node, palette, faded),
    element('g', { class: 'parts', opacity: faded }, parts, titleElements(node, color, palette)),
    element('g', { class: 'slots' }, slotElements(node, palette)),
  );
}

function bodyElement({ width, height, shape, hasTitle }: DrawnNode, fill: string, color: string): SvgElement {
  const top = hasTitle ? -titleHeight : 0;
  const d = outline(
    { x: 0, y: top, width, height: height - top },
    shape === 'box' ? 0 : cornerRadius,
    shape === 'round',
  );
  const edge = hasTitle
    ? [element('rect', { x: 0, y: -1, width, height: 2, fill: '#000000', 'fill-opacity': 0.2 })]
    : [];
  const title = outline(
    { x: 0, y: -titleHeight, width, height: titleHeight },
    shape === 'box' ? 0 : cornerRadius,
    false,
  );
  return element(
    'g',
    {},
    element('path', { class: 'body', d, fill }),
    ...(hasTitle ? [element('path', { class: 'title', d: title, fill: color })] : []),
    ...edge,
  );
}

/** A box with round corners, or only those at its top. */
function outline({ x, y, width, height }: Box, radius: number, isRoundBelow: boolean): string {
  const r = Math.min(radius, width / 2, height / 2);
  const below = isRoundBelow ? r : 0;
  const arc = (by: number, dx: number, dy: number): string =>
    by === 0 ? '' : `a${short(by)} ${short(by)} 0 0 1 ${short(dx)} ${short(dy)}`;
  return [
    `M${short(x + r)} ${short(y)}H${short(x + width - r)}`,
    arc(r, r, r),
    `V${short(y + height - below)}`,
    arc(below, -below, below),
    `H${short(x + below)}`,
    arc(below, -below, -below),
    `V${short(y + r)}`,
    arc(r, r, -r),
    'z',
  ].join('');
}

/** Two linked nodes. */
const instanceIcon = 'M10.5 -21h5v5h-5zM18.5 -13h5v5h-5zM13 -16v5.5h5.5';

function titleElements(node: DrawnNode, color: string, palette: Palette): SvgElement[] {
  const { width, isCollapsed, isInstance, shape, hasTitle } = node;
  if (!hasTitle && !isCollapsed) return [];
  const whole = { x: 0, y: -titleHeight, width, height: titleHeight };
  const box = isCollapsed
    ? [element('path', { class: 'body', d: outline(whole, cornerRadius, true), fill: color })]
    : [];
  const dot = isInstance
    ? element(
        'g',
        {},
        element('rect', { x: 6, y: -24.5, width: 22, height: 20, rx: 5, fill: '#3B82F6' }),
        element('path', { d: instanceIcon, fill: 'none', stroke: '#FFFFFF', 'stroke-width': 1.3 }),
      )
    : shape === 'box'
      ? element('rect', { x: 10, y: -20, width: 10, height: 10, fill: palette.dot })
      : element('circle', { cx: 15, cy: -15, r: 5, fill: palette.dot });
  const room = width - (isInstance ? 58 : 60);
  const title = node.isMissing && node.title === node.type ? `❌ ${node.type}` : node.title;
  const text = isCollapsed ? Array.from(title).slice(0, 20).join('') : cut(title, room, 14, '...');
  return [...box, dot, element('text', { x: 30, y: -10, 'font-size': 14, fill: palette.title }, text)];
}

function errorRing({ width, height, isCollapsed, hasTitle }: DrawnNode): SvgElement {
  const top = hasTitle || isCollapsed ? -titleHeight : 0;
  const low = isCollapsed ? 0 : height;
  return element('rect', {
    class: 'error',
    x: -12,
    y: top - 12,
    width: width + 24,
    height: low - top + 24,
    rx: 20,
    fill: 'none',
    stroke: '#EE0000',
    'stroke-opacity': 0.8,
    'stroke-width': 10,
  });
}

function badgeElements(
  { badges, width }: DrawnNode,
  palette: Palette,
  opacity: number | undefined,
): SvgElement[] {
  let right = width;
  return badges.map((text) => {
    const own = textWidth(text, 12) + 12;
    right -= own + 2;
    return element(
      'g',
      { class: 'badge', opacity },
      element('rect', { x: right, y: -52, width: own, height: badgeHeight, rx: 5, fill: palette.badge }),
      element('text', { x: right + 6, y: -38, fill: palette.badgeText }, text),
    );
  });
}

/** Sockets always; inputs of widgets only if they are linked. */
function slotElements(node: DrawnNode, palette: Palette): SvgElement[] {
  const shown = [
    ...node.inputs
      .filter(({ widget, isLinked }) => widget === undefined || isLinked)
      .map((slot) => ({ slot, isInput: true })),
    ...node.outputs.map((slot) => ({ slot, isInput: false })),
  ];
  if (node.isCollapsed) {
    const sides = [
      shown.find(({ slot, isInput }) => isInput && slot.isLinked),
      shown.find(({ slot, isInput }) => !isInput && slot.isLinked),
    ];
    return sides.flatMap((side) => (side ? [dotAt(side.slot, node, '#668866')] : []));
  }
  return shown.flatMap(({ slot, isInput }) => {
    const color = slotColor(slot, palette);
    const label = slot.widget === undefined ? slot.label : '';
    const x = slot.x - node.x + (isInput ? 10 : -10);
    const text = element(
      'text',
      { x, y: slot.y - node.y + 5, fill: palette.slotText, 'text-anchor': isInput ? undefined : 'end' },
      label,
    );
    const stroke = isInput || slot.shape === 'hollow' ? undefined : '#000000';
    return [slotElement(slot, node, color, stroke), ...(label === '' ? [] : [text])];
  });
}

function dotAt(slot: DrawnSlot, node: Point, fill: string): SvgElement {
  return element('circle', { cx: slot.x - node.x, cy: slot.y - node.y, r: 4, fill });
}

function slotElement(slot: DrawnSlot, node: Point, fill: string, stroke: string | undefined): SvgElement {
  const [x, y] = [slot.x - node.x, slot.y - node.y];
  switch (slot.shape) {
    case 'hollow':
      return element('circle', { cx: x, cy: y, r: 2.75, fill: 'none', stroke: fill, 'stroke-width': 2.5 });
    case 'box':
      return element('rect', { x: x - 5.5, y: y - 4.5, width: 14, height: 10, fill, stroke });
    case 'arrow':
      return element('path', {
        d: `M${short(x + 8)} ${short(y + 0.5)}L${short(x - 4)} ${short(y + 6.5)}V${short(y - 5.5)}z`,
        fill,
        stroke,
      });
    case 'grid': {
      const cells = [-4, -1, 2].flatMap((dx) =>
        [-4, -1, 2].map((dy) => `M${short(x + dx)} ${short(y + dy)}h2v2h-2z`),
      );
      return element('path', { d: cells.join(''), fill });
    }
    case 'circle':
      return element('circle', { cx: x, cy: y, r: 4, fill, stroke });
  }
}

export function slotColor({ type, isLinked }: DrawnSlot, palette: Palette): string {
  return typeColor(type, palette) ?? (isLinked ? '#77FF77' : '#777788');
}

export function typeColor(type: string, { types }: Palette): string | undefined {
  const [first = type] = type.split(',');
  return Object.hasOwn(types, first) ? types[first] : undefined;
}
