import { entryAt, listAt } from '../../core/safety/lists';
import { type Palette, palettes } from '../../core/drawing/canvasPalette';
import { type Drawing, emptyDrawing } from '../../core/drawing/drawing';
import { drawingBounds } from '../../core/drawing/drawingSvg';
import {
  type Box,
  nodeBox,
  type DrawnNode,
  grownBox,
  legible,
  type Point,
} from '../../core/drawing/drawnNode';
import { svgText } from '../../core/drawing/markSvg';
import { nodesText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import type { GraphFinding } from '../contract/graphPanel';
import { drawingItems, layerNames } from './items';
import { Layer, svgElement } from './viewport';
import type { ShownNodeRun } from './nodeRun';
import {
  broughtNear,
  centeredOn,
  type Detail,
  detailAt,
  fitView,
  holds,
  opened,
  readable,
  seenBox,
  type Size,
  unitAt,
  type View,
  zoomView,
} from './viewport';
import { firstNode } from './walk';

/** Around the view, this share of it is drawn too: then not every step of a drag has something new. */
const margin = 0.4;
const marks = ':is(.finding, .sign, .chip, .reason) > *';
const edge = 40;
/** After zooming in, more than this many views are out of sight. */
const mostDrawn = 3;

/** The ID of the node that an element belongs to. */
export function nodeAround(target: Element): string | undefined {
  return target.closest<SVGElement>('[data-node]')?.dataset['node'];
}

/** The drawing: what is in sight of it. */
export class GraphCanvas {
  readonly root: SVGElement;
  readonly #world = svgElement(svgText('g', { class: 'world' }));
  readonly #layers = {
    groups: new Layer('groups'),
    links: new Layer('links'),
    reroutes: new Layer('reroutes'),
    nodes: new Layer('nodes'),
    names: new Layer('names'),
    boundaries: new Layer('boundaries'),
    marks: new Layer('marks'),
  };
  #drawing: Drawing = emptyDrawing;
  #nodes: ReadonlyMap<string, DrawnNode> = new Map();
  #findings: ReadonlyMap<string, readonly GraphFinding[]> = new Map();
  #runs: ReadonlyMap<string, ShownNodeRun> = new Map();
  #view: View | undefined;
  #near: string | undefined;
  /** Until somebody moves it, it is found again when the room changes. */
  #home: { readonly view: View; readonly find: () => View } | undefined;
  /** Its place on the page: to ask for it in each event would lay out what the last one has moved. */
  #rect = new DOMRect();
  #detail: Detail = 'whole';
  #unit = 1;
  readonly #marks = new CSSStyleSheet();
  /** Undefined if the grid has the colors of another theme. */
  #gridScale: number | undefined;
  #drawn: Box | undefined;
  #selected: string | undefined;
  #frame: number | undefined;
  /** The layers are older than what they are to show. */
  #isStale = false;

  constructor(
    private readonly viewed: (view: View) => void,
    private readonly chose: (node: string | undefined) => void,
  ) {
    const attributes = { class: 'canvas', role: 'application', tabindex: '0', 'aria-label': t`Graph` };
    this.root = svgElement(svgText('svg', attributes));
    this.#world.append(...layerNames.map((name) => this.#layers[name].root));
    this.root.append(this.#world);
    this.#marks.insertRule(`${marks} {}`);
    document.adoptedStyleSheets.push(this.#marks);
    // A screen reader moves the focus itself.
    this.root.addEventListener('focusin', ({ target }) => {
      const node = target instanceof Element ? nodeAround(target) : undefined;
      if (node !== undefined && node !== this.#selected) this.select(node);
    });
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  get drawing(): Drawing {
    return this.#drawing;
  }

  get view(): View | undefined {
    return this.#view;
  }

  get size(): Size {
    return this.#rect;
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  get palette(): Palette {
    return palettes[isLightTheme() ? 'light' : 'dark'];
  }

  get nodes(): ReadonlyMap<string, DrawnNode> {
    return this.#nodes;
  }

  /** The place on the canvas of a pointer event. */
  pointOf({ clientX, clientY }: MouseEvent): Point {
    return { x: clientX - this.#rect.left, y: clientY - this.#rect.top };
  }

  findings(node: string): readonly GraphFinding[] {
    return listAt(this.#findings, node);
  }

  place(node: string, part: string): DOMRect | undefined {
    return this.#layers.nodes.find(node)?.querySelector(part)?.getBoundingClientRect();
  }

  /** @param opens at another place than before: at a view, or else where it can be read, near a node */
  show(
    drawing: Drawing,
    opens?: { readonly view: View | undefined; readonly near: string | undefined },
  ): void {
    this.#drawing = drawing;
    this.#nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
    if (opens) [this.#view, this.#near, this.#home] = [opens.view, opens.near, undefined];
    // A view that nobody has moved is found again, because its nodes may have other sizes now.
    else if (this.#home && this.#view === this.#home.view) {
      this.#view = undefined;
      if (this.#home.find !== this.#fitted) this.#home = undefined;
    }
    const count = drawing.nodes.length;
    this.root.setAttribute('aria-label', t`Graph with ${nodesText(count)}`);
    if (this.#selected !== undefined && !this.#nodes.has(this.#selected)) this.#selected = undefined;
    this.#fill();
  }

  showFindings(findings: readonly GraphFinding[]): void {
    if (findings.length + this.#findings.size === 0) return;
    const byNode = new Map<string, GraphFinding[]>();
    for (const finding of findings) {
      const own = byNode.get(finding.node);
      if (own) own.push(finding);
      else byNode.set(finding.node, [finding]);
    }
    this.#findings = byNode;
    this.#fillSoon();
  }

  showRuns(runs: ReadonlyMap<string, ShownNodeRun>): void {
    if (runs.size + this.#runs.size === 0) return;
    this.#runs = runs;
    this.#fillSoon();
  }

  /** Shows the next preview in the place of the last one of this node. */
  showFrame(node: string, address: string): void {
    const run = this.#runs.get(node);
    // For when the node is drawn again, since the last address is no longer valid.
    if (run) this.#runs = new Map(this.#runs).set(node, { ...run, frame: address });
    this.#layers.nodes.find(node)?.querySelector('.frame image')?.setAttribute('href', address);
  }

  /** Draws with the colors of the theme that VS Code has now. */
  restyle(): void {
    this.#gridScale = undefined;
    this.#fill();
  }

  fit(): void {
    if (this.#rect.width > 0) this.#look(this.#settle(this.#fitted));
  }

  readonly #fitted = (): View => fitView(drawingBounds(this.#drawing), this.#rect);

  readonly #opened = (): View => {
    const { nodes } = this.#drawing;
    const near = entryAt(this.#nodes, this.#near) ?? nodes.find(({ mark }) => mark) ?? firstNode(nodes);
    const bounds = drawingBounds(this.#drawing);
    return opened(bounds, this.#rect, near ? grownBox(nodeBox(near), edge) : bounds);
  };

  /** If everything is in sight, it stays so when the room changes. */
  #opening(): () => View {
    return this.#opened().scale === readable ? this.#opened : () => this.#fitted();
  }

  #settle(find: () => View): View {
    const view = find();
    this.#home = { view, find };
    return view;
  }

  zoom(factor: number, at: Point = { x: this.#rect.width / 2, y: this.#rect.height / 2 }): void {
    if (this.#view) this.#look(zoomView(this.#view, at, factor));
  }

  pan(x: number, y: number): void {
    if (this.#view) this.#look({ ...this.#view, x: this.#view.x + x, y: this.#view.y + y });
  }

  center({ x, y }: Point): void {
    if (this.#view) this.#look(centeredOn({ x, y, width: 0, height: 0 }, this.#rect, this.#view.scale));
  }

  bring(id: string, takesFocus: boolean): void {
    const node = this.#nodes.get(id);
    if (!node || !this.#view) return;
    this.#lookAt(node, Math.max(this.#view.scale, readable));
    this.select(id, takesFocus);
  }

  /** Selects a node, which comes near if it can't be read where it is. */
  showFound(id: string): void {
    if ((this.#view?.scale ?? 0) < legible) this.bring(id, false);
    else this.select(id);
  }

  /** As near as all of a node can be seen. */
  zoomTo(id: string): void {
    const node = this.#nodes.get(id);
    if (node && this.#view) this.#look(broughtNear(grownBox(nodeBox(node), edge), this.#rect));
  }

  /** @param takesFocus the keyboard goes on from there */
  select(id: string | undefined, takesFocus = false): void {
    const before = this.#selected;
    if (before !== undefined) this.#mark(before, false);
    this.#selected = id;
    if (id !== before) this.chose(id);
    const node = entryAt(this.#nodes, id);
    if (!node || id === undefined || !this.#view) return;
    if (!this.#sees(node)) this.#lookAt(node, this.#view.scale);
    this.#cull(true);
    this.#mark(id, true);
    if (takesFocus) this.#layers.nodes.find(id)?.focus({ preventScroll: true });
  }

  focusRow(id: string, name: string): void {
    const node = this.#nodes.get(id);
    if (!node) return;
    if (this.#selected !== id) this.select(id);
    if (this.#detail !== 'whole') this.#lookAt(node, 1);
    this.#row(id, name)?.focus({ preventScroll: true });
  }

  #row(id: string, name: string): SVGElement | undefined {
    const node = this.#layers.nodes.find(id);
    return node?.querySelector<SVGElement>(`[data-row="${CSS.escape(name)}"]`) ?? undefined;
  }

  #mark(id: string, isSelected: boolean): void {
    const node = this.#layers.nodes.find(id);
    node?.classList.toggle('selected', isSelected);
    node?.setAttribute('tabindex', isSelected ? '0' : '-1');
  }

  #sees(node: DrawnNode): boolean {
    return this.#view !== undefined && holds(seenBox(this.#view, this.#rect), nodeBox(node));
  }

  #resize(): void {
    const selected = entryAt(this.#nodes, this.#selected);
    const wasSeen = selected !== undefined && this.#sees(selected);
    this.#rect = this.root.getBoundingClientRect();
    if (this.#rect.width === 0) return;
    if (!this.#view || this.#isStale) this.#fill();
    if (!this.#view) return;
    if (this.#home?.view === this.#view) this.#look(this.#settle(this.#home.find));
    else {
      this.#cull(true);
      this.viewed(this.#view);
    }
    // A click has opened a text beside the graph, which takes half of its room.
    if (wasSeen && !this.#sees(selected)) this.#lookAt(selected, this.#view.scale);
  }

  #lookAt(node: DrawnNode, scale: number): void {
    this.#look(centeredOn(nodeBox(node), this.#rect, scale));
  }

  #look(view: View): void {
    this.#view = view;
    if (detailAt(view) !== this.#detail || unitAt(view) !== this.#unit) this.#fill();
    this.#nextFrame();
  }

  /** Once in a frame: a server may send more than can be drawn, and what comes late would queue. */
  #fillSoon(): void {
    this.#isStale = true;
    this.#nextFrame();
  }

  #nextFrame(): void {
    if (this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      if (this.#isStale) this.#fill();
      else this.#place();
    });
  }

  #place(): void {
    if (!this.#view) return;
    const { x, y, scale } = this.#view;
    this.#world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    // Variables would be inherited by everything that is drawn.
    const { style } = this.root;
    style.backgroundPosition = `${x}px ${y}px`;
    if (scale !== this.#gridScale) {
      this.#drawGrid(scale);
      // Only the elements that it matches get new styles.
      const [rule] = this.#marks.cssRules;
      if (rule instanceof CSSStyleRule) rule.style.transform = `scale(${1 / scale})`;
    }
    this.#cull(false);
    this.viewed(this.#view);
  }

  /** As on the page: it fades away with the scale. */
  #drawGrid(scale: number): void {
    this.#gridScale = scale;
    const [, fine, edge] = this.palette.grid;
    const alpha = Math.max(0, 1 - 0.5 / scale);
    const { style } = this.root;
    style.backgroundImage = 'none';
    if (alpha === 0) return;
    const lines = (color: string): string[] =>
      ['right', 'bottom'].map(
        (side) =>
          `linear-gradient(to ${side}, color-mix(in srgb, ${color} ${100 * alpha}%, transparent) 1px, transparent 1px)`,
      );
    style.backgroundImage = [...lines(edge), ...lines(fine)].join();
    style.backgroundSize = [100, 100, 10, 10].map((each) => `${each * scale}px ${each * scale}px`).join();
  }

  #cull(isChanged: boolean): void {
    if (!this.#view || this.#rect.width === 0) return;
    const seen = seenBox(this.#view, this.#rect);
    const { width = Infinity } = this.#drawn ?? {};
    const isEnough = this.#drawn !== undefined && holds(this.#drawn, seen) && width < mostDrawn * seen.width;
    if (!isChanged && isEnough) return;
    this.#drawn = seenBox(this.#view, this.#rect, margin);
    for (const layer of Object.values(this.#layers)) layer.show(this.#drawn, this.#selected);
  }

  #fill(): void {
    this.#isStale = this.#rect.width === 0;
    if (this.#isStale || (!this.#view && this.#drawing === emptyDrawing)) return;
    this.#view ??= this.#settle(this.#home?.find ?? this.#opening());
    this.#detail = detailAt(this.#view);
    this.#unit = unitAt(this.#view);
    this.root.classList.toggle('plain', this.#detail !== 'whole');
    const isLight = isLightTheme();
    this.root.classList.toggle('light', isLight);
    const { activeElement } = document;
    const focused = this.#layers.nodes.root.contains(activeElement);
    const row = activeElement instanceof SVGElement ? activeElement.dataset['row'] : undefined;
    const items = drawingItems(
      this.#drawing,
      { findings: this.#findings, runs: this.#runs },
      { theme: isLight ? 'light' : 'dark', detail: this.#detail, unit: this.#unit },
    );
    for (const name of layerNames) this.#layers[name].set(items[name]);
    this.#drawn = undefined;
    this.#place();
    if (this.#selected !== undefined) {
      this.#mark(this.#selected, true);
      const again = row === undefined ? undefined : this.#row(this.#selected, row);
      if (focused) (again ?? this.#layers.nodes.find(this.#selected))?.focus({ preventScroll: true });
    }
  }
}

function isLightTheme(): boolean {
  const { classList } = document.body;
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
}
