import { fileColor, type Palette, palettes } from './canvasPalette';
import { type Cubic, middleOf } from './curves';
import type { DrawnBoundary, DrawnGroup, DrawnLink, DrawnReroute, Drawing } from './drawing';
import { type Box, boxAround, type DrawnNode, grown, type Point, titleHeight } from './drawnNode';
import { markElement } from './markSvg';
import { badgeHeight, nodeElement, slotColor, typeColor } from './nodeSvg';
import { element, short, type SvgElement, written } from './svgElement';

const font = "Inter, 'Inter Variable', system-ui, sans-serif";

/** Everything of a drawing, back to front. */
function drawingElements(drawing: Drawing, palette: Palette): readonly SvgElement[] {
  const nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
  const marks = drawing.nodes.flatMap((node) => markElement(node, palette) ?? []);
  return [
    element(
      'g',
      { class: 'groups' },
      drawing.groups.map((group) => groupElement(group)),
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
      drawing.nodes.map((node) => nodeElement(node, palette)),
    ),
    ...drawing.boundaries.map((boundary) => boundaryElement(boundary, palette)),
    ...(marks.length > 0 ? [element('g', { class: 'marks' }, marks)] : []),
  ];
}

/** What surrounds a drawing, with a margin. */
export function boundsOf({ nodes, groups, boundaries, reroutes }: Drawing, margin = 40): Box {
  const boxes = [
    ...nodes.map(({ x, y, width, height, hasTitle, badges }) => {
      const above = (hasTitle ? titleHeight : 0) + (badges.length > 0 ? badgeHeight + 2 : 0);
      return { x, y: y - above, width, height: height + above };
    }),
    ...groups,
    ...boundaries,
    ...reroutes.map(({ x, y }) => grown({ x, y, width: 0, height: 0 }, 10)),
  ];
  return grown(boxAround(boxes), margin);
}

/** A picture of its own: a well-formed SVG document without scripts, foreign markup, or references. */
export function drawingSvg(drawing: Drawing, palette: Palette): string {
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
    drawingElements(drawing, palette),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(picture)}\n`;
}

export function groupElement(group: DrawnGroup): SvgElement {
  const { x, y, width, height, title, isPinned } = group;
  // Unlike those of nodes, colors of groups are the same in both palettes.
  const fill = fileColor(group.color, palettes.dark) ?? '#333355';
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
  link: DrawnLink,
  nodes: ReadonlyMap<string, DrawnNode>,
  palette: Palette,
): SvgElement[] {
  const { type, segments, change } = link;
  const color = typeColor(type, palette) ?? palette.link;
  const d = segments.map(curveText).join('');
  const isNear = segments.map((segment) => middleOf(segment));
  const edge = change
    ? { class: 'change', stroke: palette.changes[change], 'stroke-width': 9 }
    : { class: 'edge', stroke: '#000000', 'stroke-opacity': 0.5, 'stroke-width': 7 };
  const dashes = change === 'removed' ? '10 6' : undefined;
  return [
    element('path', { d, ...edge, 'stroke-dasharray': dashes }),
    element('path', {
      d,
      'data-link': linkName(link, nodes),
      'data-change': change,
      stroke: color,
      'stroke-width': 3,
      'stroke-dasharray': dashes,
    }),
    ...isNear.map(({ x, y }) => element('circle', { class: 'marker', cx: x, cy: y, r: 5, fill: color })),
  ];
}

/** A link by its ends: `FROM:SLOT>TO:INPUT`. */
export function linkName({ from, to }: DrawnLink, nodes: ReadonlyMap<string, DrawnNode>): string {
  const input = nodes.get(to[0])?.inputs[to[1]]?.name ?? String(to[1]);
  return `${from[0]}:${from[1]}>${to[0]}:${input}`;
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
    element('path', { d: bracket, fill: 'none', stroke: palette.bracket, 'stroke-width': 2 }),
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
