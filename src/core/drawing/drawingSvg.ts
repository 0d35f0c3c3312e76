import { mapDefined } from '../safety/lists';
import { fileColor, type Palette, palettes } from './canvasPalette';
import { type Cubic, curveMiddle } from './curves';
import type { DrawnBoundary, DrawnGroup, DrawnLink, DrawnReroute, Drawing } from './drawing';
import { type Box, boxAround, type DrawnNode, grownBox, type Point, titleHeight } from './drawnNode';
import { markElement } from './markSvg';
import { badgeHeight, nodeElement, slotColor, slotLabel, typeColor } from './nodeSvg';
import { svgText, shortNumber, type SvgElement, textElement, written } from './markSvg';

const font = "Inter, 'Inter Variable', system-ui, sans-serif";

function drawingElements(drawing: Drawing, palette: Palette): readonly SvgElement[] {
  const { groups, links, reroutes, nodes, boundaries } = drawing;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layer = (name: string, parts: readonly SvgElement[], fill?: string): SvgElement =>
    svgText('g', { class: name, fill }, parts);
  const curves = links.flatMap((link) => linkElements(link, byId, palette));
  const dots = reroutes.map((reroute) => rerouteElement(reroute, palette));
  const boxes = nodes.map((node) => nodeElement(node, palette));
  const marks = mapDefined(nodes, (node) => markElement(node, palette));
  return [
    layer('groups', groups.map(groupElement)),
    layer('links', curves, 'none'),
    layer('reroutes', dots),
    layer('nodes', boxes),
    ...boundaries.map((boundary) => boundaryElement(boundary, palette)),
    ...(marks.length > 0 ? [layer('marks', marks)] : []),
  ];
}

export function drawingBounds({ nodes, groups, boundaries, reroutes }: Drawing, margin = 40): Box {
  const boxes = [
    ...nodes.map(({ x, y, width, height, hasTitle, badges }) => {
      const above = (hasTitle ? titleHeight : 0) + (badges.length > 0 ? badgeHeight + 2 : 0);
      return { x, y: y - above, width, height: height + above };
    }),
    ...groups,
    ...boundaries,
    ...reroutes.map(({ x, y }) => grownBox({ x, y, width: 0, height: 0 }, 10)),
  ];
  return grownBox(boxAround(boxes), margin);
}

/** A picture of its own: a well-formed SVG document without scripts, foreign markup, or references. */
export function drawingSvg(drawing: Drawing, palette: Palette): string {
  const bounds = drawingBounds(drawing);
  const { x, y, width, height } = bounds;
  const picture = svgText(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: [x, y, width, height].map(shortNumber).join(' '),
      width,
      height,
      'font-family': font,
      'font-size': 12,
    },
    svgText('rect', { ...bounds, fill: palette.grid[0] }),
    drawingElements(drawing, palette),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(picture)}\n`;
}

/** Unlike those of nodes, colors of groups are the same in both palettes. */
export function groupColor({ color }: DrawnGroup): string {
  return fileColor(color, palettes.dark) ?? '#333355';
}

export function groupElement(group: DrawnGroup): SvgElement {
  const { x, y, width, height, title, isPinned } = group;
  const fill = groupColor(group);
  const light = { fill, 'fill-opacity': 0.25 };
  return svgText(
    'g',
    { class: 'group' },
    svgText('rect', { x, y, width, height, ...light, stroke: fill }),
    svgText('rect', { x, y, width, height: titleHeight, ...light }),
    svgText('path', { d: `M${shortNumber(x + width)} ${shortNumber(y + height)}h-10l10 -10z`, fill }),
    textElement(x + 10, y + 20, fill, title + (isPinned ? '📌' : ''), { 'font-size': 20 }),
  );
}

export function linkElements(
  link: DrawnLink,
  nodes: ReadonlyMap<string, DrawnNode>,
  palette: Palette,
): SvgElement[] {
  const { type, segments, change } = link;
  const color = typeColor(type, palette) ?? palette.link;
  const d = segments.map(curveText).join('');
  const edge = change
    ? { class: 'change', stroke: palette.changes[change], 'stroke-width': 9 }
    : { class: 'edge', stroke: '#000000', 'stroke-opacity': 0.5, 'stroke-width': 7 };
  const dashes = { 'stroke-dasharray': change === 'removed' ? '10 6' : undefined };
  const names = { 'data-link': linkName(link, nodes), 'data-change': change };
  return [
    svgText('path', { d, ...edge, ...dashes }),
    svgText('path', { d, ...names, stroke: color, 'stroke-width': 3, ...dashes }),
    ...segments
      .map(curveMiddle)
      .map(({ x, y }) => svgText('circle', { class: 'marker', cx: x, cy: y, r: 5, fill: color })),
  ];
}

/** A link by its ends: `FROM:SLOT>TO:INPUT`. */
export function linkName({ from, to }: DrawnLink, nodes: ReadonlyMap<string, DrawnNode>): string {
  const input = nodes.get(to[0])?.inputs[to[1]]?.name ?? String(to[1]);
  return `${from[0]}:${from[1]}>${to[0]}:${input}`;
}

function curveText([start, one, other, end]: Cubic): string {
  const at = ({ x, y }: Point): string => `${shortNumber(x)} ${shortNumber(y)}`;
  return `M${at(start)}C${at(one)} ${at(other)} ${at(end)}`;
}

export function rerouteElement({ x, y, type }: DrawnReroute, palette: Palette): SvgElement {
  const fill = typeColor(type, palette) ?? palette.link;
  return svgText(
    'g',
    { class: 'reroute' },
    svgText('circle', { cx: x, cy: y, r: 10, fill, stroke: '#000000', 'stroke-opacity': 0.5 }),
    svgText('circle', { cx: x, cy: y, r: 8, fill: '#FFFFFF', 'fill-opacity': 0.33 }),
  );
}

export function boundaryElement(
  { side, x, y, width, height, slots }: DrawnBoundary,
  palette: Palette,
): SvgElement {
  const isLeft = side === 'inputs';
  const [edge, turn, sweep] = isLeft ? [x + width, -14, 1] : [x, 14, 0];
  const d = [
    `M${shortNumber(edge + turn)} ${shortNumber(y)}a14 14 0 0 ${sweep} ${-turn} 14`,
    `V${shortNumber(y + height - 14)}a14 14 0 0 ${sweep} ${turn} 14`,
  ].join('');
  return svgText(
    'g',
    { class: 'boundary' },
    svgText('path', { d, fill: 'none', stroke: palette.bracket, 'stroke-width': 2 }),
    slots.flatMap((slot) => [
      svgText('circle', { cx: slot.x, cy: slot.y, r: 4, fill: slotColor(slot, palette) }),
      slotLabel(slot.label, slot, !isLeft, palette),
    ]),
  );
}
