import {
  boundaryElement,
  boundsOf,
  groupElement,
  linkElements,
  rerouteElement,
} from '../../core/drawing/drawingSvg';
import { cut } from '../../core/drawing/interWidths';
import { nodeElement } from '../../core/drawing/nodeSvg';
import type { SvgElement } from '../../core/drawing/svgElement';
import { type Drawing, emptyDrawing } from '../../core/drawing/drawing';
import { type Box, type DrawnNode, type Point, titleHeight } from '../../core/drawing/drawnNode';
import { type Palette, palettes } from '../../core/drawing/canvasPalette';
import { listText, plural, t } from '../../core/safety/localize';
import type { GraphFinding } from '../contract/graphPanel';
import { Layer, type LayerItem, svgElement } from './layer';
import {
  centeredOn,
  farBelow,
  fitted,
  holds,
  plainBelow,
  seenBox,
  type Size,
  type View,
  zoomed,
} from './viewport';

export interface CanvasEvents {
  readonly viewed: (view: View) => void;
  readonly chosen: (node: string, input: string | undefined) => void;
  readonly opened: (node: string) => void;
}

/** A pointer that moves less than this has clicked (px). */
const still = 4;
/** A transform is cheap while it changes, but blurs what it enlarges (ms). */
const settled = 200;
/** How much is drawn, by the scale. */
type Detail = 'whole' | 'plain' | 'far';
const details: readonly string[] = ['badge', 'marker', 'edge'];

function detailAt({ scale }: View): Detail {
  return scale < farBelow ? 'far' : scale < plainBelow ? 'plain' : 'whole';
}

/** Around the view, this share of it is drawn too: then not every step of a drag has something new. */
const margin = 0.4;
/** After zooming in, more than this many views are out of sight. */
const mostDrawn = 3;

/** The drawing: what is in sight of it, moved and scaled by pointer and wheel. */
export class GraphCanvas {
  readonly root: SVGElement;
  readonly #world = svgElement({ tag: 'g', attributes: { class: 'world' }, children: [] });
  readonly #layers = {
    groups: new Layer('groups'),
    links: new Layer('links'),
    reroutes: new Layer('reroutes'),
    nodes: new Layer('nodes'),
    boundaries: new Layer('boundaries'),
  };
  readonly #looks = new WeakMap<object, string>();
  #drawing: Drawing = emptyDrawing;
  #nodes: ReadonlyMap<string, DrawnNode> = new Map();
  #findings: ReadonlyMap<string, readonly GraphFinding[]> = new Map();
  #view: View | undefined;
  #size: Size = { width: 0, height: 0 };
  #detail: Detail = 'whole';
  /** What the layers have drawn. */
  #drawn: Box | undefined;
  #selected: string | undefined;
  #frame: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly events: CanvasEvents) {
    this.root = svgElement({
      tag: 'svg',
      attributes: { class: 'canvas', role: 'application', tabindex: '0', 'aria-label': t`Graph` },
      children: [],
    });
    const { groups, links, reroutes, nodes, boundaries } = this.#layers;
    this.#world.append(groups.root, links.root, reroutes.root, nodes.root, boundaries.root);
    this.root.append(this.#world);
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  get drawing(): Drawing {
    return this.#drawing;
  }

  get view(): View | undefined {
    return this.#view;
  }

  get size(): Size {
    return this.#size;
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  node(id: string): DrawnNode | undefined {
    return this.#nodes.get(id);
  }

  /** @param view where it is seen; where it was before, or all of it, if undefined */
  show(drawing: Drawing, view?: View): void {
    this.#drawing = drawing;
    this.#nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
    this.#view = view ?? this.#view;
    const count = drawing.nodes.length;
    this.root.setAttribute('aria-label', plural(count, t`Graph with 1 node`, t`Graph with ${count} nodes`));
    if (this.#selected !== undefined && !this.#nodes.has(this.#selected)) this.#selected = undefined;
    this.#fill();
  }

  showFindings(findings: readonly GraphFinding[]): void {
    const byNode = new Map<string, GraphFinding[]>();
    for (const finding of findings) {
      byNode.set(finding.node, [...(byNode.get(finding.node) ?? []), finding]);
    }
    this.#findings = byNode;
    this.#fill();
  }

  /** Draws with the colors of the theme that VS Code has now. */
  restyle(): void {
    this.#fill();
  }

  fit(): void {
    if (this.#size.width > 0) this.#look(fitted(boundsOf(this.#drawing), this.#size));
  }

  zoom(factor: number, at: Point = { x: this.#size.width / 2, y: this.#size.height / 2 }): void {
    if (this.#view) this.#look(zoomed(this.#view, at, factor));
  }

  pan(x: number, y: number): void {
    if (this.#view) this.#look({ ...this.#view, x: this.#view.x + x, y: this.#view.y + y });
  }

  /** Brings a point of the drawing to the middle. */
  center({ x, y }: Point): void {
    if (this.#view) this.#look(centeredOn({ x, y, width: 0, height: 0 }, this.#size, this.#view.scale));
  }

  /** @param takesFocus the keyboard goes on from there */
  select(id: string | undefined, takesFocus = false): void {
    const before = this.#selected;
    if (before !== undefined) this.#mark(before, false);
    this.#selected = id;
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (!node || id === undefined || !this.#view) return;
    if (!holds(seenBox(this.#view, this.#size), boxOf(node))) {
      this.#look(centeredOn(boxOf(node), this.#size, this.#view.scale));
    }
    this.#cull(true);
    this.#mark(id, true);
    if (takesFocus) this.#layers.nodes.find(id)?.focus({ preventScroll: true });
  }

  #mark(id: string, isSelected: boolean): void {
    const element = this.#layers.nodes.find(id);
    element?.classList.toggle('selected', isSelected);
    element?.setAttribute('tabindex', isSelected ? '0' : '-1');
  }

  #resize(): void {
    const { width, height } = this.root.getBoundingClientRect();
    this.#size = { width, height };
    if (width === 0) return;
    if (this.#view) this.#cull(true);
    else this.#fill();
  }

  #look(view: View): void {
    this.#view = view;
    this.root.classList.add('moving');
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.root.classList.remove('moving'), settled);
    if (detailAt(view) !== this.#detail) this.#fill();
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#place();
    });
  }

  #place(): void {
    if (!this.#view) return;
    const { x, y, scale } = this.#view;
    this.#world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    // Not as variables: all that is drawn would inherit them.
    const { style } = this.root;
    style.backgroundPosition = `${x}px ${y}px`;
    style.backgroundSize = `${100 * scale}px ${100 * scale}px`;
    this.#cull(false);
    this.events.viewed(this.#view);
  }

  /** Draws what has come into sight. */
  #cull(isChanged: boolean): void {
    if (!this.#view || this.#size.width === 0) return;
    const seen = seenBox(this.#view, this.#size);
    const { width = Infinity } = this.#drawn ?? {};
    const isEnough = this.#drawn !== undefined && holds(this.#drawn, seen) && width < mostDrawn * seen.width;
    if (!isChanged && isEnough) return;
    this.#drawn = seenBox(this.#view, this.#size, margin);
    for (const layer of Object.values(this.#layers)) layer.show(this.#drawn, this.#selected);
  }

  #fill(): void {
    if (this.#size.width === 0) return;
    const bounds = boundsOf(this.#drawing);
    if (!this.#view && this.#drawing === emptyDrawing) return;
    this.#view ??= fitted(bounds, this.#size);
    this.#detail = detailAt(this.#view);
    this.root.classList.toggle('plain', this.#detail !== 'whole');
    const { classList } = document.body;
    const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
    const theme = isLight ? 'light' : 'dark';
    const palette = palettes[theme];
    this.root.classList.toggle('light', isLight);
    const style = `${theme}-${this.#detail}`;
    const item = (id: string, box: Box, drawn: object, make: () => SVGElement): LayerItem => ({
      id,
      box,
      look: style + this.#lookOf(drawn),
      make,
    });
    const { groups, links, reroutes, boundaries, nodes } = this.#drawing;
    const focused = this.#layers.nodes.root.contains(document.activeElement);
    this.#layers.groups.set(
      groups.map((group, index) => item(String(index), group, group, () => svgElement(groupElement(group)))),
    );
    this.#layers.links.set(
      links.map((link) => {
        const make = (): SVGElement => this.#link(linkElements(link, this.#nodes, palette));
        return item(`${link.id}>${link.to.join(':')}`, linkBox(link.segments.flat()), link, make);
      }),
    );
    this.#layers.reroutes.set(
      reroutes.map((reroute) => {
        const box = { x: reroute.x - 10, y: reroute.y - 10, width: 20, height: 20 };
        return item(reroute.id, box, reroute, () => svgElement(rerouteElement(reroute, palette)));
      }),
    );
    this.#layers.nodes.set(
      nodes.map((node) => {
        const findings = this.#findings.get(node.id) ?? [];
        const made = item(node.id, boxOf(node), node, () => this.#node(node, findings, palette));
        return { ...made, look: made.look + findings.map(({ severity, text }) => severity + text).join('') };
      }),
    );
    this.#layers.boundaries.set(
      boundaries.map((boundary) =>
        item(boundary.side, boundary, boundary, () => svgElement(boundaryElement(boundary, palette))),
      ),
    );
    this.#drawn = undefined;
    this.#place();
    if (this.#selected !== undefined) {
      this.#mark(this.#selected, true);
      if (focused) this.#layers.nodes.find(this.#selected)?.focus({ preventScroll: true });
    }
  }

  #link(elements: readonly SvgElement[]): SVGElement {
    return svgElement(this.#plain({ tag: 'g', attributes: {}, children: elements }));
  }

  #node(node: DrawnNode, findings: readonly GraphFinding[], palette: Palette): SVGElement {
    const { id, mode, isInstance } = node;
    const drawn = this.#plain(nodeElement(node, palette));
    const [worst] = findings;
    const box = { ...boxOf(node), x: 0, y: boxOf(node).y - node.y };
    const { width, height } = box;
    const outline = { x: -3, y: box.y - 3, width: width + 6, height: height + 6, rx: 10 };
    const made = svgElement({
      tag: 'g',
      attributes: {
        ...drawn.attributes,
        class: `node ${mode}`,
        role: 'group',
        'aria-roledescription': t`node`,
        'aria-label': labelOf(node, findings),
        tabindex: '-1',
        ...(isInstance ? { 'data-instance': id } : {}),
      },
      children: [
        ...drawn.children,
        { tag: 'rect', attributes: { class: 'outline', ...textsOf(outline) }, children: [] },
        ...(this.#detail === 'plain' ? [nameElement(node, palette)] : []),
        ...(worst ? [badge(worst, findings, { x: width, y: box.y })] : []),
      ],
    });
    return made;
  }

  /** The same for what is drawn again unchanged. */
  #lookOf(drawn: object): string {
    const look = this.#looks.get(drawn) ?? JSON.stringify(drawn);
    this.#looks.set(drawn, look);
    return look;
  }

  /** Far away, nobody could read the texts, and there are many. */
  #plain(element: SvgElement): SvgElement {
    if (this.#detail === 'whole') return element;
    const left = this.#detail === 'far' ? ['slots', ...details] : details;
    const children = element.children.flatMap((child): (SvgElement | string)[] => {
      if (typeof child === 'string') return [child];
      const { tag, attributes } = child;
      const isLeft =
        tag === 'text' || attributes['data-row'] !== undefined || left.includes(attributes['class'] ?? '');
      return isLeft ? [] : [this.#plain(child)];
    });
    return { ...element, children };
  }

  #listen(): void {
    const { root } = this;
    let pressed: { readonly start: Point; last: Point; isDrag: boolean } | undefined;
    const at = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = root.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    root.addEventListener('pointerdown', (event) => {
      if (event.button > 1) return;
      const point = at(event);
      pressed = { start: point, last: point, isDrag: false };
    });
    root.addEventListener('pointermove', (event) => {
      if (!pressed) return;
      const point = at(event);
      if (!pressed.isDrag && Math.hypot(point.x - pressed.start.x, point.y - pressed.start.y) < still) return;
      if (!pressed.isDrag) root.setPointerCapture(event.pointerId);
      pressed.isDrag = true;
      this.pan(point.x - pressed.last.x, point.y - pressed.last.y);
      pressed.last = point;
    });
    const release = (): void => {
      pressed = undefined;
    };
    root.addEventListener('pointercancel', release);
    root.addEventListener('pointerup', (event) => {
      const isClick = pressed?.isDrag === false && event.button === 0;
      release();
      if (isClick && event.target instanceof Element) this.#click(event.target);
    });
    // A screen reader moves the focus itself.
    root.addEventListener('focusin', ({ target }) => {
      const node = target instanceof SVGElement ? target.dataset['node'] : undefined;
      if (node !== undefined && node !== this.#selected) this.select(node);
    });
    root.addEventListener('dblclick', ({ target }) => {
      const instance = target instanceof Element ? target.closest<SVGElement>('[data-instance]') : null;
      const id = instance?.dataset['instance'];
      if (id !== undefined) this.events.opened(id);
    });
    root.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
        // A pinch arrives as a wheel with Ctrl, in small steps.
        if (event.ctrlKey || event.metaKey) {
          this.zoom(Math.exp(-Math.max(-25, Math.min(25, dy)) * 0.01), at(event));
        } else if (event.shiftKey) this.pan(-dy, -dx);
        else this.pan(-dx, -dy);
      },
      { passive: false },
    );
  }

  #click(target: Element): void {
    const node = target.closest<SVGElement>('[data-node]')?.dataset['node'];
    if (node !== undefined) {
      this.select(node, true);
      this.events.chosen(node, target.closest<SVGElement>('[data-row]')?.dataset['row']);
      return;
    }
    const link = target.closest('g')?.querySelector<SVGElement>('[data-link]')?.dataset['link'];
    const drawn = this.#drawing.links.find(
      ({ from, to }) => link?.startsWith(`${from[0]}:${from[1]}>${to[0]}:`) === true,
    );
    const consumer = drawn && this.#nodes.get(drawn.to[0]);
    if (!drawn || !consumer) return;
    this.select(consumer.id, true);
    this.events.chosen(consumer.id, consumer.inputs[drawn.to[1]]?.name);
  }
}

/** A node with its title. */
export function boxOf({ x, y, width, height, hasTitle, isCollapsed }: DrawnNode): Box {
  const above = hasTitle || isCollapsed ? titleHeight : 0;
  return { x, y: y - above, width, height: isCollapsed ? titleHeight : height + above };
}

function linkBox(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function badge(worst: GraphFinding, findings: readonly GraphFinding[], { x, y }: Point): SvgElement {
  const text = findings.map((finding) => finding.text).join('\n');
  return {
    tag: 'g',
    attributes: { class: `finding ${worst.severity}`, transform: `translate(${x} ${y})` },
    children: [
      { tag: 'title', attributes: {}, children: [text] },
      { tag: 'circle', attributes: { r: '10' }, children: [] },
      { tag: 'path', attributes: { d: 'M0 -5.5V1.5M0 4.6V4.8' }, children: [] },
    ],
  };
}

/** Far away, the title is all that is said of a node, in a size that can be read. */
function nameElement({ title, width, height, isCollapsed }: DrawnNode, palette: Palette): SvgElement {
  const size = 28;
  const y = isCollapsed ? -titleHeight / 2 : (height - titleHeight) / 2;
  const text = cut(title, width - 12, size, '…');
  const place = textsOf({ x: width / 2, y: y + size / 3, 'font-size': size });
  return { tag: 'text', attributes: { class: 'name', fill: palette.value, ...place }, children: [text] };
}

function textsOf(values: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** What a screen reader says of a node. */
function labelOf(node: DrawnNode, findings: readonly GraphFinding[]): string {
  const { id, title, type, mode, isCollapsed, isMissing, isInstance } = node;
  const count = findings.length;
  return listText([
    title,
    isInstance ? t`subgraph` : title === type ? '' : type,
    t`node ${id}`,
    mode === 'always' ? '' : mode === 'muted' ? t`muted` : t`bypassed`,
    isCollapsed ? t`collapsed` : '',
    isMissing ? t`unknown node type` : '',
    count === 0 ? '' : plural(count, t`1 problem`, t`${count} problems`),
    ...findings.map(({ text }) => text),
  ]);
}
