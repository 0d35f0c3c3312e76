import { t } from '../safety/localize';
import type { Palette } from './canvasPalette';
import { type Box, nodeBox, type DrawnNode, grownBox, type NodeMark, largestNumber } from './drawnNode';
import { cutToWidth, textWidth } from './interWidths';

/** An element of an SVG picture. Texts are plain: who writes or builds it escapes them. */
export interface SvgElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (SvgElement | string)[];
}

type Value = string | number | undefined;

/** More than a line has room for; browsers take seconds to lay out a line of a million characters. */
const longestLine = 1_000;

export function svgText(
  tag: string,
  attributes: Readonly<Record<string, Value>>,
  ...children: readonly (SvgElement | string | readonly SvgElement[])[]
): SvgElement {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) given[name] = typeof value === 'number' ? shortNumber(value) : value;
  }
  const all = children.flat();
  return { tag, attributes: given, children: tag === 'text' ? all.map(shortened) : all };
}

export function textElement(
  x: number,
  y: number,
  fill: string,
  text: string,
  more: Readonly<Record<string, Value>> = {},
): SvgElement {
  return svgText('text', { x, y, ...more, fill }, text);
}

function shortened(child: SvgElement | string): SvgElement | string {
  const isLong = typeof child === 'string' && child.length > longestLine;
  return isLong ? `${child.slice(0, longestLine)}…` : child;
}

/** Two digits: a hundredth of a unit is not seen. */
export function shortNumber(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}

export function written({ tag, attributes, children }: SvgElement): string {
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

/** Lines below a node; all of them are its title. */
const mostLines = 4;
const [lineHeight, padding] = [16, 8] as const;
/** Wider than a narrow node, for names and both values. */
const leastRoom = 420;

/** Not by color alone. */
const signs: Readonly<Record<NodeMark['kind'], string>> = {
  added: 'M-5 0H5M0 -5V5',
  removed: 'M-5 0H5',
  changed: 'M-6 1C-3 -5 3 5 6 -1',
};

/** Around a node that differs from the other version, the color of the difference; below it, what no widget shows. */
export function markElement(node: DrawnNode, palette: Palette): SvgElement | undefined {
  const { mark } = node;
  if (!mark) return undefined;
  const box = nodeBox(node);
  const stroke = palette.changes[mark.kind];
  const dashes = mark.kind === 'removed' ? '10 6' : undefined;
  const edge = { fill: 'none', stroke, 'stroke-width': 4, 'stroke-dasharray': dashes };
  const sign = { class: 'sign', transform: `translate(${box.x} ${box.y})` };
  return svgText(
    'g',
    { class: 'mark' },
    svgText('rect', { class: 'ring', ...grownBox(box, 4), rx: 12, ...edge }),
    svgText('g', sign, signElements(mark.kind, palette)),
    wordElements(box, mark, palette),
  );
}

export function signElements(kind: NodeMark['kind'], palette: Palette): SvgElement[] {
  return [
    svgText('circle', { r: 10, fill: palette.changes[kind] }),
    svgText('path', { d: signs[kind], fill: 'none', stroke: palette.grid[0], 'stroke-width': 2.5 }),
  ];
}

function wordElements({ x, y, width, height }: Box, mark: NodeMark, palette: Palette): SvgElement[] {
  const { kind, beside } = mark;
  const rest = beside.length - mostLines;
  const more = rest > 0 ? [t`${rest} more`] : [];
  const room = Math.max(width, leastRoom) - 2 * padding;
  const lines = [...beside.slice(0, mostLines), ...more].map((line) => cutToWidth(line, room, 12, '…'));
  if (lines.length === 0) return [];
  const top = y + height + 8;
  const size = {
    width: largestNumber(lines.map((line) => textWidth(line, 12))) + 2 * padding,
    height: lines.length * lineHeight + padding,
  };
  const edge = { fill: palette.widget, stroke: palette.changes[kind], 'stroke-width': 1.5 };
  const words = lines.map((line, index) =>
    textElement(x + padding, top + lineHeight * (index + 1), palette.value, line),
  );
  return [svgText('g', { class: 'words' }, svgText('rect', { x, y: top, ...size, rx: 4, ...edge }), words)];
}
