import { plural, t } from '../safety/localize';
import type { Palette } from './canvasPalette';
import { boxOf, type DrawnNode, type NodeMark } from './drawnNode';
import { cut, textWidth } from './interWidths';
import { element, type SvgElement } from './svgElement';

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
  const { x, y, width, height } = boxOf(node);
  const color = palette.changes[mark.kind];
  const frame = element('rect', {
    class: 'ring',
    x: x - 4,
    y: y - 4,
    width: width + 8,
    height: height + 8,
    rx: 12,
    fill: 'none',
    stroke: color,
    'stroke-width': 4,
    'stroke-dasharray': mark.kind === 'removed' ? '10 6' : undefined,
  });
  const sign = { class: 'sign', transform: `translate(${x} ${y})` };
  return element(
    'g',
    { class: 'mark' },
    frame,
    element('g', sign, signElements(mark.kind, palette)),
    ...wordElements(node, mark, palette),
  );
}

/** A disc of 20 x 20 in the color of a change. */
export function signElements(kind: NodeMark['kind'], palette: Palette): SvgElement[] {
  return [
    element('circle', { r: 10, fill: palette.changes[kind] }),
    element('path', { d: signs[kind], fill: 'none', stroke: palette.grid[0], 'stroke-width': 2.5 }),
  ];
}

function wordElements(node: DrawnNode, { kind, beside }: NodeMark, palette: Palette): SvgElement[] {
  const rest = beside.length - mostLines;
  const more = rest > 0 ? [plural(rest, t`1 more change`, t`${rest} more changes`)] : [];
  const { x, y, width, height } = boxOf(node);
  const room = Math.max(width, leastRoom) - 2 * padding;
  const lines = [...beside.slice(0, mostLines), ...more].map((line) => cut(line, room, 12, '…'));
  if (lines.length === 0) return [];
  const top = y + height + 8;
  const box = element('rect', {
    x,
    y: top,
    width: Math.max(...lines.map((line) => textWidth(line, 12))) + 2 * padding,
    height: lines.length * lineHeight + padding,
    rx: 4,
    fill: palette.widget,
    stroke: palette.changes[kind],
    'stroke-width': 1.5,
  });
  const words = lines.map((line, index) =>
    element('text', { x: x + padding, y: top + lineHeight * (index + 1), fill: palette.value }, line),
  );
  return [element('g', { class: 'words' }, box, words)];
}
