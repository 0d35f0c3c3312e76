import { type Palette, palettes } from '../../core/drawing/canvasPalette';
import type { Drawing } from '../../core/drawing/drawing';
import { boundaryElement, groupElement, linkElements, rerouteElement } from '../../core/drawing/drawingSvg';
import { type Box, boxOf, type DrawnNode, type Point, titleHeight } from '../../core/drawing/drawnNode';
import { cut } from '../../core/drawing/interWidths';
import { markElement } from '../../core/drawing/markSvg';
import { nodeElement } from '../../core/drawing/nodeSvg';
import { element, type SvgElement } from '../../core/drawing/svgElement';
import { listText, plural, t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import type { GraphFinding } from '../contract/graphPanel';
import { changeWord } from './differenceBar';
import { type LayerItem, svgElement } from './layer';
import { type NodeRun, runBox, runElements } from './nodeRun';
import { withRowRoles } from './rowActs';
import { boxAround, type Detail } from './viewport';

/** Back to front. */
export const layerNames = ['groups', 'links', 'reroutes', 'nodes', 'boundaries', 'marks'] as const;

export interface Style {
  readonly theme: keyof typeof palettes;
  readonly detail: Detail;
}

/** What is shown on the nodes, by their IDs. */
export interface OnNodes {
  readonly findings: ReadonlyMap<string, readonly GraphFinding[]>;
  readonly runs: ReadonlyMap<string, NodeRun>;
}

/** What the layers show of a drawing. */
export function itemsOf(
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
    groups: groups.map((group, index) => item(String(index), group, [group], () => groupElement(group))),
    links: links.map((link) => {
      const make = (): SvgElement =>
        lessOf(element('g', {}, linkElements(link, byId, palette)), style.detail);
      const id = `${link.id}>${link.to.join(':')}`;
      // Its name has that of the input.
      return item(id, boxAround(link.segments.flat()), [link, byId.get(link.to[0])], make);
    }),
    reroutes: reroutes.map((reroute) => {
      const box = { x: reroute.x - 10, y: reroute.y - 10, width: 20, height: 20 };
      return item(reroute.id, box, [reroute], () => rerouteElement(reroute, palette));
    }),
    nodes: nodes.map((node) => {
      const own = findings.get(node.id) ?? [];
      const run = runs.get(node.id);
      const box = runBox(node, boxOf(node), run);
      const told = own.map(({ severity, text }) => severity + text).join('');
      const look = [node, told, run && JSON.stringify(run)];
      return item(node.id, box, look, () => nodeItem(node, { findings: own, run }, palette, style));
    }),
    boundaries: boundaries.map((boundary) =>
      item(boundary.side, boundary, [boundary], () => boundaryElement(boundary, palette)),
    ),
    marks: nodes.flatMap((node) => {
      const mark = markElement(node, palette);
      return mark ? [item(node.id, boxOf(node), [node], () => lessOf(mark, style.detail))] : [];
    }),
  };
}

function nodeItem(
  node: DrawnNode,
  { findings, run }: { readonly findings: readonly GraphFinding[]; readonly run: NodeRun | undefined },
  palette: Palette,
  { detail }: Style,
): SvgElement {
  const drawn = nodeElement(node, palette);
  const { tag, attributes, children } =
    detail === 'whole' ? withRowRoles(drawn, node) : lessOf(drawn, detail);
  const { width, height, y } = boxOf(node);
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
      element('rect', { class: 'outline', ...outline }),
      ...(detail === 'plain' ? [nameElement(node, palette)] : []),
      ...(run ? runElements(node, run, palette, detail) : []),
      ...badges(findings, { x: width, y: top }),
    ],
  };
}

const details: readonly (string | undefined)[] = ['badge', 'marker', 'edge', 'words'];

/** Far away, nobody could read the texts, and there are many. */
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

/** Findings or changes of one node that are told; all of them are in the text. */
const mostTold = 5;

function toldOf(findings: readonly Pick<GraphFinding, 'text'>[]): string[] {
  const rest = findings.length - mostTold;
  const told = findings.slice(0, mostTold).map(({ text }) => text);
  return rest > 0 ? [...told, t`… and ${rest} more`] : told;
}

function badges(findings: readonly GraphFinding[], { x, y }: Point): SvgElement[] {
  const [worst] = findings;
  if (!worst) return [];
  return [
    element(
      'g',
      { class: `finding ${worst.severity}`, transform: `translate(${x} ${y})` },
      element('title', {}, toldOf(findings).join('\n')),
      element('circle', { r: 10 }),
      element('path', { d: 'M0 -5.5V1.5M0 4.6V4.8' }),
    ),
  ];
}

/** Far away, the title is all that is said of a node, in a size that can be read. */
function nameElement({ title, width, height, isCollapsed }: DrawnNode, palette: Palette): SvgElement {
  const size = 28;
  const middle = isCollapsed ? -titleHeight / 2 : (height - titleHeight) / 2;
  const place = { x: width / 2, y: middle + size / 3, 'font-size': size };
  return element('text', { class: 'name', fill: palette.value, ...place }, cut(title, width - 12, size, '…'));
}

/** What a screen reader says of a node. */
function labelOf(node: DrawnNode, findings: readonly GraphFinding[], run: NodeRun | undefined): string {
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
    count === 0 ? '' : plural(count, t`1 problem`, t`${count} problems`),
    ...toldOf(findings),
  ]);
}
