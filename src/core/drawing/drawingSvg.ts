import type { Cubic } from './curves';
import { middleOf } from './curves';
import type { DrawnBoundary, DrawnGroup, DrawnLink, DrawnReroute, Drawing } from './drawing';
import {
  type Box,
  type DrawnNode,
  type DrawnRow,
  type DrawnSlot,
  type NodeMark,
  type Point,
  rowHeight,
  titleHeight,
} from './drawnNode';
import { fittingStart, textWidth } from './interWidths';
import { fileColor, type Palette } from './canvasPalette';

/** An element of an SVG picture. Texts are plain: who writes or builds it escapes them. */
export interface SvgElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (SvgElement | string)[];
}

type Value = string | number | undefined;

function element(
  tag: string,
  attributes: Readonly<Record<string, Value>>,
  ...children: readonly (SvgElement | string | readonly SvgElement[])[]
): SvgElement {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) given[name] = typeof value === 'number' ? short(value) : value;
  }
  return { tag, attributes: given, children: children.flat() };
}

/** Two digits: a hundredth of a unit is not seen. */
function short(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}

const font = "Inter, 'Inter Variable', system-ui, sans-serif";
const cornerRadius = 8;

type Marks = ReadonlyMap<string, NodeMark>;

/** Everything of a drawing, back to front. */
function drawingElements(drawing: Drawing, palette: Palette, marks: Marks): readonly SvgElement[] {
  const nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
  return [
    element(
      'g',
      { class: 'groups' },
      drawing.groups.map((group) => groupElement(group, palette)),
    ),
    element(
      'g',
      { class: 'links', fill: 'none' },
      drawing.links.flatMap((link) => linkElements(link, nodes, palette)),
    ),
    element(
      'g',
      { class: 'reroutes' },
      drawing.reroutes.map((reroute) => rerouteElement(reroute, palette)),
    ),
    element(
      'g',
      { class: 'nodes' },
      drawing.nodes.map((node) => markedElement(node, palette, marks.get(node.id))),
    ),
    ...drawing.boundaries.map((boundary) => boundaryElement(boundary, palette)),
    ...(marks.size > 0
      ? [
          element(
            'g',
            { class: 'marks' },
            drawing.nodes.flatMap((node) => markElements(node, marks.get(node.id))),
          ),
        ]
      : []),
  ];
}

/** What surrounds a drawing, with a margin. */
export function boundsOf({ nodes, groups, boundaries, reroutes }: Drawing, margin = 40): Box {
  const boxes: Box[] = [
    ...nodes.map(({ x, y, width, height, hasTitle, badges }) => {
      const above = (hasTitle ? titleHeight : 0) + (badges.length > 0 ? badgeHeight + 2 : 0);
      return { x, y: y - above, width, height: height + above };
    }),
    ...groups,
    ...boundaries,
    ...reroutes.map(({ x, y }) => ({ x: x - 10, y: y - 10, width: 20, height: 20 })),
  ];
  if (boxes.length === 0) return { x: 0, y: 0, width: 2 * margin, height: 2 * margin };
  const left = boxes.reduce((least, { x }) => Math.min(least, x), Infinity) - margin;
  const top = boxes.reduce((least, { y }) => Math.min(least, y), Infinity) - margin;
  const right = boxes.reduce((most, { x, width }) => Math.max(most, x + width), -Infinity) + margin;
  const bottom = boxes.reduce((most, { y, height }) => Math.max(most, y + height), -Infinity) + margin;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * A picture of its own: a well-formed SVG document without scripts, foreign markup, or references.
 * @param marks what differs from another version, by node
 */
export function drawingSvg(drawing: Drawing, palette: Palette, marks: Marks = new Map()): string {
  const { x, y, width, height } = boundsOf(drawing);
  const background = element('rect', { x, y, width, height, fill: palette.grid[0] });
  const picture = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: [x, y, width, height].map(short).join(' '),
      width,
      height,
      'font-family': font,
      'font-size': 12,
    },
    background,
    drawingElements(drawing, palette, marks),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(picture)}\n`;
}

function written({ tag, attributes, children }: SvgElement): string {
  const members = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  if (children.length === 0) return `<${tag}${members.join('')}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child)));
  return `<${tag}${members.join('')}>${inside.join('')}</${tag}>`;
}

/** Characters that XML can't hold, even escaped, are dropped. */
function escaped(text: string): string {
  if (/^[\w #.,()-]*$/.test(text)) return text;
  return text
    .replace(/[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function groupElement(group: DrawnGroup, palette: Palette): SvgElement {
  const { x, y, width, height, title, isPinned } = group;
  const fill = fileColor(group.color, palette) ?? '#333355';
  const corner = `M${short(x + width)} ${short(y + height)}h-10l10 -10z`;
  return element(
    'g',
    { class: 'group' },
    element('rect', { x, y, width, height, fill, 'fill-opacity': 0.25, stroke: fill }),
    element('rect', { x, y, width, height: titleHeight, fill, 'fill-opacity': 0.25 }),
    element('path', { d: corner, fill }),
    element('text', { x: x + 10, y: y + 16 + 4, 'font-size': 20, fill }, title + (isPinned ? '📌' : '')),
  );
}

export function linkElements(
  { from, to, type, segments }: DrawnLink,
  nodes: ReadonlyMap<string, DrawnNode>,
  palette: Palette,
): SvgElement[] {
  const color = typeColor(type, palette) ?? palette.link;
  const d = segments.map(curveText).join('');
  const input = nodes.get(to[0])?.inputs[to[1]]?.name ?? String(to[1]);
  const isNear = segments.map((segment) => middleOf(segment));
  return [
    element('path', { d, class: 'edge', stroke: '#000000', 'stroke-opacity': 0.5, 'stroke-width': 7 }),
    element('path', {
      d,
      'data-link': `${from[0]}:${from[1]}>${to[0]}:${input}`,
      stroke: color,
      'stroke-width': 3,
    }),
    ...isNear.map(({ x, y }) => element('circle', { class: 'marker', cx: x, cy: y, r: 5, fill: color })),
  ];
}

function curveText([start, one, other, end]: Cubic): string {
  const at = ({ x, y }: Point): string => `${short(x)} ${short(y)}`;
  return `M${at(start)}C${at(one)} ${at(other)} ${at(end)}`;
}

export function rerouteElement({ x, y, type }: DrawnReroute, palette: Palette): SvgElement {
  const fill = typeColor(type, palette) ?? palette.link;
  return element(
    'g',
    { class: 'reroute' },
    element('circle', { cx: x, cy: y, r: 10, fill, stroke: '#000000', 'stroke-opacity': 0.5 }),
    element('circle', { cx: x, cy: y, r: 8, fill: '#FFFFFF', 'fill-opacity': 0.33 }),
  );
}

const bypassed = '#FF00FF';
const opacities = { always: 1, muted: 0.4, bypassed: 0.2 } as const;
const badgeHeight = 20;

export function nodeElement(node: DrawnNode, palette: Palette): SvgElement {
  const opacity = opacities[node.mode];
  const faded = opacity === 1 ? undefined : opacity;
  const color = fileColor(node.color, palette) ?? palette.node;
  const body = node.mode === 'bypassed' ? bypassed : (fileColor(node.bgcolor, palette, true) ?? palette.body);
  const parts = node.isCollapsed
    ? []
    : [bodyElement(node, body, color), ...node.rows.flatMap((row) => rowElements(row, node, palette))];
  return element(
    'g',
    { 'data-node': node.id, transform: `translate(${short(node.x)} ${short(node.y)})` },
    ...(node.isMissing ? [errorRing(node)] : []),
    ...badgeElements(node, palette, faded),
    element('g', { class: 'parts', opacity: faded }, parts, titleElements(node, color, palette)),
    element('g', { class: 'slots' }, slotElements(node, palette)),
  );
}

const markColors: Readonly<Record<NodeMark['kind'], string>> = {
  added: '#3FB950',
  removed: '#F85149',
  changed: '#D29922',
};

/** A node that differs from the other version: what differs is its title, and a removed one is faded. */
function markedElement(node: DrawnNode, palette: Palette, mark: NodeMark | undefined): SvgElement {
  const { tag, attributes, children } = nodeElement(node, palette);
  if (!mark) return { tag, attributes, children };
  const title = mark.words.length > 0 ? [element('title', {}, mark.words.join('\n'))] : [];
  const opacity = mark.kind === 'removed' ? { opacity: '0.6' } : {};
  return {
    tag,
    attributes: { ...attributes, ...opacity, 'data-change': mark.kind },
    children: [...title, ...children],
  };
}

/** The color of a difference around a node, and the words below it. */
function markElements(node: DrawnNode, mark: NodeMark | undefined): SvgElement[] {
  if (!mark) return [];
  const { x, y, width, hasTitle, isCollapsed } = node;
  const color = markColors[mark.kind];
  const top = hasTitle || isCollapsed ? -titleHeight : 0;
  const low = isCollapsed ? 0 : node.height;
  const frame = element('rect', {
    x: x - 4,
    y: y + top - 4,
    width: width + 8,
    height: low - top + 8,
    rx: 12,
    fill: 'none',
    stroke: color,
    'stroke-width': 4,
  });
  const words = mark.words.map((line, index) =>
    element('text', { x, y: y + low + 20 + 16 * index, fill: color }, cut(line, 2 * width, 12, '…')),
  );
  return [frame, ...words];
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

function titleElements(node: DrawnNode, color: string, palette: Palette): SvgElement[] {
  const { width, isCollapsed, isInstance, shape, hasTitle } = node;
  if (!hasTitle && !isCollapsed) return [];
  const whole = { x: 0, y: -titleHeight, width, height: titleHeight };
  const box = isCollapsed
    ? [element('path', { class: 'body', d: outline(whole, cornerRadius, true), fill: color })]
    : [];
  const dot = isInstance
    ? element('rect', { x: 6, y: -24.5, width: 22, height: 20, rx: 5, fill: '#3B82F6' })
    : shape === 'box'
      ? element('rect', { x: 10, y: -20, width: 10, height: 10, fill: palette.dot })
      : element('circle', { cx: 15, cy: -15, r: 5, fill: palette.dot });
  const room = width - (isInstance ? 58 : 60);
  const text = isCollapsed ? Array.from(node.title).slice(0, 20).join('') : cut(node.title, room, 14, '...');
  return [...box, dot, element('text', { x: 30, y: -10, 'font-size': 14, fill: palette.title }, text)];
}

/** The longest start of a text that fits. */
export function cut(text: string, room: number, size: number, ending: string): string {
  if (textWidth(text, size) <= room) return text;
  return fittingStart(text, room - textWidth(ending, size), size) + ending;
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

function slotColor({ type, isLinked }: DrawnSlot, palette: Palette): string {
  return typeColor(type, palette) ?? (isLinked ? '#77FF77' : '#777788');
}

function typeColor(type: string, { types }: Palette): string | undefined {
  const [first = type] = type.split(',');
  return Object.hasOwn(types, first) ? types[first] : undefined;
}

function rowElements(row: DrawnRow, { width }: DrawnNode, palette: Palette): SvgElement[] {
  if (row.isHidden) return [];
  if (row.kind === 'textBox' || row.kind === 'markdown' || row.kind === 'box') {
    return row.isLinked ? [] : [textBoxElement(row, width, palette)];
  }
  const { y, kind, isLinked } = row;
  const isSquare = kind === 'button' || kind === 'slider' || kind === 'notice';
  const frame = element('rect', {
    x: 15,
    y,
    width: Math.max(0, width - 30),
    height: rowHeight,
    rx: isSquare ? undefined : rowHeight / 2,
    fill: palette.widget,
    stroke: isLinked ? undefined : palette.outline,
  });
  const inside = isSquare ? centered(row, width, palette) : labelled(row, width, palette);
  return [element('g', { 'data-row': row.name, opacity: isLinked ? 0.5 : undefined }, frame, ...inside)];
}

function centered({ kind, y, label, text, share }: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const words = kind === 'button' ? label : kind === 'slider' ? `${label}  ${text}` : label;
  const bar =
    kind === 'slider' && share !== undefined
      ? [element('rect', { x: 15, y, width: (width - 30) * share, height: rowHeight, fill: '#667788' })]
      : [];
  return [
    ...bar,
    element(
      'text',
      { x: width / 2, y: y + 14, 'text-anchor': 'middle', fill: palette.value },
      cut(words, width - 40, 12, '…'),
    ),
  ];
}

/** Where the label begins, where the value ends, and how much room both have, by kind. */
const spans: Readonly<
  Partial<Record<DrawnRow['kind'], readonly [start: number, end: number, room: number]>>
> = {
  text: [30, 30, 60],
  toggle: [30, 40, 70],
  color: [30, 70, 100],
};

function labelled(row: DrawnRow, width: number, palette: Palette): SvgElement[] {
  const { y, kind, label, text, isLinked, isOn, ends } = row;
  const [start, end, taken] = spans[kind] ?? [35, 50, 85];
  const room = Math.max(0, width - taken);
  const value = cut(text, room, 12, '…');
  const left = room - textWidth(value, 12) - (value === '' ? 0 : 5);
  const baseline = y + 14;
  const texts = [
    element(
      'text',
      { x: start, y: baseline, fill: palette.label },
      left > 0 ? cut(label, left, 12, '…') : '',
    ),
    element(
      'text',
      {
        x: width - end,
        y: baseline,
        'text-anchor': 'end',
        fill: kind === 'toggle' && isOn !== true ? palette.label : palette.value,
      },
      value,
    ),
  ];
  const middle = y + rowHeight / 2;
  if (kind === 'toggle') {
    return [
      ...texts,
      element('circle', { cx: width - 30, cy: middle, r: 7.2, fill: isOn === true ? '#8899AA' : '#333333' }),
    ];
  }
  if (kind === 'color') {
    const fill = fileColor(text, { ...palette, lighten: 0 }) ?? palette.widget;
    return [...texts, element('rect', { x: width - 65, y: y + 3, width: 40, height: 14, rx: 7, fill })];
  }
  if (isLinked || kind === 'text') return texts;
  const arrow = (tip: number, base: number, isDead: boolean): SvgElement =>
    element('path', {
      d: `M${short(tip)} ${short(middle)}L${short(base)} ${short(y + 5)}V${short(y + 15)}z`,
      fill: isDead ? palette.deadArrow : palette.value,
    });
  return [...texts, arrow(21, 31, ends?.first === true), arrow(width - 21, width - 31, ends?.last === true)];
}

const lineHeight = 12;
/** A page has a scroll bar; a picture shows the start. */
const mostLines = 200;

function textBoxElement(
  { name, kind, y, height, text }: DrawnRow,
  width: number,
  palette: Palette,
): SvgElement {
  const [boxWidth, boxHeight] = [Math.max(0, width - 20), Math.max(0, height - 20)];
  const lines = wrapped(text, boxWidth - 4, kind === 'markdown').slice(
    0,
    Math.min(mostLines, Math.floor((boxHeight - 4) / lineHeight)),
  );
  const frame = element('rect', {
    x: 10,
    y: y + 10,
    width: boxWidth,
    height: boxHeight,
    fill: kind === 'markdown' ? 'none' : palette.textBox,
  });
  const words = lines.map((line, index) =>
    element('text', { x: 12, y: y + 21 + lineHeight * index, 'xml:space': 'preserve' }, line),
  );
  const family = kind === 'markdown' ? undefined : 'monospace';
  const fill = kind === 'markdown' ? palette.value : palette.boxText;
  return element('g', { 'data-row': name, 'font-size': 10, 'font-family': family, fill }, frame, words);
}

/** The width of a character of the monospaced font at 10 px. */
const monospaced = 6.02;

/** Lines that fit, broken between words. */
function wrapped(text: string, room: number, isProportional: boolean): string[] {
  const widthOf = (line: string): number => (isProportional ? textWidth(line, 10) : line.length * monospaced);
  const lines: string[] = [];
  for (const paragraph of text.slice(0, 20_000).split(/\r\n|[\n\r]/)) {
    let line = '';
    let width = 0;
    for (const word of paragraph.split(/(?<= )/)) {
      const own = widthOf(word.trimEnd());
      if (line !== '' && width + own > room) {
        lines.push(line);
        [line, width] = ['', 0];
      }
      line += word;
      width += widthOf(word);
      let shown = width - widthOf(word) + own;
      while (shown > room && line.length > 1 && lines.length <= mostLines) {
        const fit = Math.max(1, Math.floor(line.length * (room / width)));
        lines.push(line.slice(0, fit));
        line = line.slice(fit);
        width = widthOf(line);
        shown = widthOf(line.trimEnd());
      }
    }
    lines.push(line);
    if (lines.length > mostLines) break;
  }
  return lines;
}

export function boundaryElement(
  { side, x, y, width, height, slots }: DrawnBoundary,
  palette: Palette,
): SvgElement {
  const edge = side === 'inputs' ? x + width : x;
  const turn = side === 'inputs' ? -14 : 14;
  const sweep = side === 'inputs' ? 1 : 0;
  const bracket = `M${short(edge + turn)} ${short(y)}a14 14 0 0 ${sweep} ${-turn} 14V${short(y + height - 14)}a14 14 0 0 ${sweep} ${turn} 14`;
  return element(
    'g',
    { class: 'boundary' },
    element('path', { d: bracket, fill: 'none', stroke: '#EFEFEF', 'stroke-width': 2 }),
    slots.flatMap((slot) => {
      const isInput = side === 'inputs';
      return [
        element('circle', { cx: slot.x, cy: slot.y, r: 4, fill: slotColor(slot, palette) }),
        element(
          'text',
          {
            x: slot.x + (isInput ? -10 : 10),
            y: slot.y + 5,
            'text-anchor': isInput ? 'end' : undefined,
            fill: palette.slotText,
          },
          slot.label,
        ),
      ];
    }),
  );
}
