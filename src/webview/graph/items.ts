import { listAt } from '../../core/safety/lists';
import { type Palette, palettes } from '../../core/drawing/canvasPalette';
import type { DrawnGroup, Drawing } from '../../core/drawing/drawing';
import {
  boundaryElement,
  groupColor,
  groupElement,
  linkElements,
  rerouteElement,
} from '../../core/drawing/drawingSvg';
import { type Box, boxAround, nodeBox, type DrawnNode, titleHeight } from '../../core/drawing/drawnNode';
import { cutToWidth } from '../../core/drawing/interWidths';
import { markElement } from '../../core/drawing/markSvg';
import { nodeElement } from '../../core/drawing/nodeSvg';
import { svgText, type SvgElement } from '../../core/drawing/markSvg';
import { problemsText } from '../../core/safety/countText';
import { listText, t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import type { GraphFinding } from '../contract/graphPanel';
import { changeWord } from './differenceBar';
import { type LayerItem, svgElement } from './viewport';
import { type ShownNodeRun, runBox, runElements } from './nodeRun';
import { withRowRoles } from './rowActs';
import type { Detail } from './viewport';

/** Back to front. */
export const layerNames = ['groups', 'links', 'reroutes', 'nodes', 'names', 'boundaries', 'marks'] as const;

export interface Style {
  readonly theme: keyof typeof palettes;
  readonly detail: Detail;
  /** About the length of a pixel in the drawing. */
  readonly unit: number;
}

/** The marks shown on the nodes, by their IDs. */
export interface OnNodes {
  readonly findings: ReadonlyMap<string, readonly GraphFinding[]>;
  readonly runs: ReadonlyMap<string, ShownNodeRun>;
}

/** The content of the layers of a drawing. */
export function drawingItems(
  { groups, links, reroutes, boundaries, nodes }: Drawing,
  { findings, runs }: OnNodes,
  style: Style,
): Record<(typeof layerNames)[number], readonly LayerItem[]> {
  const palette = palettes[style.theme];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const item = (id: string, box: Box, look: readonly unknown[], make: () => SvgElement): LayerItem => ({
    id,
    box,
    look: [style.theme, style.detail, ...look],
    make: () => svgElement(make()),
  });
  return {
    groups: groups.map((group, index) =>
      item(String(index), group, [group], () => lessOf(groupElement(group), style.detail)),
    ),
    links: links.map((link) => {
      const make = (): SvgElement =>
        lessOf(svgText('g', {}, linkElements(link, byId, palette)), style.detail);
      const id = `${link.id}>${link.to.join(':')}`;
      // Its name has that of the input.
      return item(id, boxAround(link.segments.flat()), [link, byId.get(link.to[0])], make);
    }),
    reroutes: reroutes.map((reroute) => {
      const box = { x: reroute.x - 10, y: reroute.y - 10, width: 20, height: 20 };
      return item(reroute.id, box, [reroute], () => rerouteElement(reroute, palette));
    }),
    nodes: inFront(nodes, runs).map((node) => {
      const own = listAt(findings, node.id);
      const run = runs.get(node.id);
      const box = runBox(node, nodeBox(node), run, style.unit);
      const told = own.map(({ severity, text }) => severity + text).join('');
      const look = [node, told, run && JSON.stringify(run), run && style.unit];
      const { unit } = style;
      const made = item(node.id, box, look, () => nodeItem(node, { findings: own, run }, palette, style));
      if (style.detail === 'whole') return made;
      return { ...made, names: { unit, make: () => svgElement(nameElement(node, palette, unit)) } };
    }),
    names: groups.flatMap((group, index) =>
      groupNames(group, style).map((name) => item(String(index), group, [group, style.unit], () => name)),
    ),
    boundaries: boundaries.map((boundary) =>
      item(boundary.side, boundary, [boundary], () => boundaryElement(boundary, palette)),
    ),
    marks: nodes.flatMap((node) => {
      const mark = markElement(node, palette);
      return mark ? [item(node.id, nodeBox(node), [node], () => lessOf(mark, style.detail))] : [];
    }),
  };
}

function inFront(nodes: readonly DrawnNode[], runs: OnNodes['runs']): readonly DrawnNode[] {
  const hasPreview = ({ id }: DrawnNode): number => Number(runs.get(id)?.frame !== undefined);
  return [...nodes].sort((one, other) => hasPreview(one) - hasPreview(other));
}

function nodeItem(
  node: DrawnNode,
  { findings, run }: { readonly findings: readonly GraphFinding[]; readonly run: ShownNodeRun | undefined },
  palette: Palette,
  { detail, unit }: Style,
): SvgElement {
  const drawn = nodeElement(node, palette);
  const { tag, attributes, children } =
    detail === 'whole' ? withRowRoles(drawn, node) : lessOf(drawn, detail);
  const { width, height, y } = nodeBox(node);
  const top = y - node.y;
  // Around the ring of a difference.
  const gap = node.mark ? 9 : 3;
  const outline = {
    ...{ x: -gap, y: top - gap, width: width + 2 * gap, height: height + 2 * gap },
    rx: gap + 7,
  };
  return {
    tag,
    attributes: {
      ...attributes,
      class: `node ${node.mode}`,
      role: 'group',
      'aria-roledescription': t`node`,
      'aria-label': labelOf(node, findings, run),
      tabindex: '-1',
      'aria-keyshortcuts': [
        'F2',
        ...(findings.length > 0 ? ['.'] : []),
        ...(run?.picture && run.picture.isRemote !== true ? ['O'] : []),
      ].join(' '),
      ...(run?.state ? { 'data-state': run.state } : {}),
      ...(node.isInstance ? { 'data-instance': node.id } : {}),
    },
    children: [
      ...children,
      svgText('rect', { class: 'outline', ...outline }),
      ...(detail === 'whole' ? [] : [nameElement(node, palette, unit)]),
      ...(run ? runElements(node, run, palette, { detail, unit }) : []),
      ...badges(findings, width, top),
    ],
  };
}

const details: readonly (string | undefined)[] = ['badge', 'marker', 'edge', 'words'];

function lessOf(whole: SvgElement, detail: Detail): SvgElement {
  if (detail === 'whole') return whole;
  const children = whole.children.flatMap((child): (SvgElement | string)[] => {
    if (typeof child === 'string') return [child];
    const { tag, attributes } = child;
    const kind = attributes['class'];
    const isLeft = details.includes(kind) || (kind === 'slots' && detail === 'far');
    return isLeft || tag === 'text' || attributes['data-row'] !== undefined ? [] : [lessOf(child, detail)];
  });
  return { ...whole, children };
}

/** The number of findings or changes of one node that are listed; all of them are in the text. */
const mostTold = 5;

function toldOf(findings: readonly Pick<GraphFinding, 'text'>[]): string[] {
  const rest = findings.length - mostTold;
  const told = findings.slice(0, mostTold).map(({ text }) => text);
  return rest > 0 ? [...told, t`… and ${rest} more`] : told;
}

function badges(findings: readonly GraphFinding[], x: number, y: number): SvgElement[] {
  const [worst] = findings;
  if (!worst) return [];
  return [
    svgText(
      'g',
      { class: `finding ${worst.severity}`, transform: `translate(${x} ${y})` },
      svgText('title', {}, toldOf(findings).join('\n')),
      svgText('circle', { r: 10 }),
      svgText('path', { d: 'M0 -5.5V1.5M0 4.6V4.8' }),
    ),
  ];
}

/** Sizes of titles that are seen from afar, px. */
const [nodeFont, groupFont] = [11, 15] as const;
const lineHeight = 1.2;
/** A title is not cut to fewer characters, with the dots. */
const leastLetters = 4;

/** Far away, the title is all that is said of a node, where it fits in a size that can be read. */
export function nameElement(node: DrawnNode, palette: Palette, unit: number): SvgElement {
  const { y, width, height } = nodeBox(node);
  const [size, line] = [nodeFont * unit, nodeFont * unit * lineHeight];
  const lines = titleLines(node.title, width - 6 * unit, size, Math.floor(height / line));
  const top = y - node.y + (height - lines.length * line) / 2;
  const texts = lines.map((text, index) => {
    const place = { x: width / 2, y: top + line * (index + 0.8) };
    return svgText('text', place, text);
  });
  return svgText('g', { class: 'far-title', fill: palette.value, 'font-size': size }, texts);
}

/** A line may end between words, also those of a name such as `EmptyImage`, and anywhere in Chinese. */
const breaks = /(?<=\S)\s|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[_/-])(?=\w)|(?<=[\u2E80-\uFFEF])/gu;

/** A title in lines that fit, and cut at its end; none if hardly a word of it would be seen. */
export function titleLines(title: string, room: number, size: number, most: number): string[] {
  const lines: string[] = [];
  for (let rest = title.trim(); rest !== '' && lines.length < most;) {
    const { length } = cutToWidth(rest, room, size, '');
    const isLast = length === rest.length || lines.length === most - 1;
    const end = isLast ? undefined : [...rest.slice(0, length + 1).matchAll(breaks)].at(-1)?.index;
    const line = end === undefined ? cutToWidth(rest, room, size, '…') : rest.slice(0, end);
    if (line.length < leastLetters && !rest.startsWith(line)) return lines;
    lines.push(line);
    rest = end === undefined ? '' : rest.slice(end).trimStart();
  }
  return lines;
}

/** Over the nodes, which would cover a large title in its place. */
export function groupNames(
  group: DrawnGroup,
  { detail, unit }: Pick<Style, 'detail' | 'unit'>,
): SvgElement[] {
  const size = groupFont * unit;
  const title = cutToWidth(group.title, group.width - size, size, '…');
  if (detail === 'whole' || (title.length < leastLetters && title !== group.title)) return [];
  const place = { x: group.x + size / 3, y: group.y + titleHeight - 8, 'font-size': size };
  return [svgText('text', { class: 'group-name', fill: groupColor(group), ...place }, title)];
}

/** The label of a node for screen readers. */
function labelOf(node: DrawnNode, findings: readonly GraphFinding[], run: ShownNodeRun | undefined): string {
  const { id, title, type, mode, isCollapsed, isMissing, isInstance, mark } = node;
  const count = findings.length;
  return listText([
    plainText(title),
    isInstance ? t`subgraph` : title === type ? '' : plainText(type),
    t`node ${plainText(id)}`,
    mode === 'always' ? '' : mode === 'muted' ? t`muted` : t`bypassed`,
    isCollapsed ? t`collapsed` : '',
    isMissing ? t`unknown node type` : '',
    mark ? changeWord(mark.kind) : '',
    ...toldOf(mark?.words.map((text) => ({ text })) ?? []),
    run?.words,
    run?.reason,
    run?.picture ? t`image ${run.picture.name}` : '',
    count === 0 ? '' : problemsText(count),
    ...toldOf(findings),
  ]);
}
