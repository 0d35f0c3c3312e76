import type { Palette } from '../../core/drawing/canvasPalette';
import type { Drawing } from '../../core/drawing/drawing';
import { type Box, nodeBox, changeKinds, type DrawnNode, type Point } from '../../core/drawing/drawnNode';
import { drawingBounds } from '../../core/drawing/drawingSvg';
import { svgText } from '../../core/drawing/markSvg';
import type { GraphFinding, GraphNodeState, GraphRun, GraphSeverity } from '../contract/graphPanel';
import { svgElement } from './viewport';
import { holds } from './viewport';

/** The whole drawing in a corner, with the frame of the view. Nodes have the color of what is shown on them. */
export class Minimap {
  readonly root: SVGElement;
  readonly #nodes = svgElement(svgText('g', { class: 'map-nodes' }));
  readonly #frame = svgElement(svgText('rect', { class: 'map-frame' }));
  #bounds: Box = { x: 0, y: 0, width: 1, height: 1 };
  #drawn: readonly DrawnNode[] = [];
  #states: ReadonlyMap<string, GraphNodeState | undefined> = new Map();
  #severities: ReadonlyMap<string, GraphSeverity> = new Map();

  constructor(onMove: (center: Point) => void) {
    // Keyboards use the drawing itself instead.
    this.root = svgElement(svgText('svg', { class: 'minimap', 'aria-hidden': 'true' }));
    this.root.append(this.#nodes, this.#frame);
    const move = (event: PointerEvent): void => {
      if (event.buttons % 2 === 0) return;
      this.root.setPointerCapture(event.pointerId);
      const matrix = this.#nodes instanceof SVGGraphicsElement ? this.#nodes.getScreenCTM() : null;
      if (matrix) onMove(new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()));
    };
    this.root.addEventListener('pointerdown', move);
    this.root.addEventListener('pointermove', move);
  }

  show(drawing: Drawing): void {
    this.#bounds = drawingBounds(drawing, 0);
    const { x, y, width, height } = drawingBounds(drawing);
    this.root.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    this.#drawn = drawing.nodes;
    this.#fill();
  }

  /** Uses the colors of the current theme. */
  restyle({ changes }: Palette): void {
    for (const kind of changeKinds) this.root.style.setProperty(`--${kind}`, changes[kind]);
  }

  showRun(run: GraphRun | null): void {
    this.#states = new Map(run?.nodes.map(({ node, state }) => [node, state]));
    this.#fill();
  }

  /** @param findings worst first */
  showFindings(findings: readonly GraphFinding[]): void {
    this.#severities = new Map(findings.toReversed().map(({ node, severity }) => [node, severity]));
    this.#fill();
  }

  #fill(): void {
    const paths = new Map([['plain', '']]);
    for (const node of this.#drawn) {
      const { x, y, width, height } = nodeBox(node);
      const kind = this.#kindOf(node);
      paths.set(kind, `${paths.get(kind) ?? ''}M${x} ${y}h${width}v${height}h${-width}z`);
    }
    const drawn = Array.from(paths, ([kind, d]) => svgElement(svgText('path', { class: `map-${kind}`, d })));
    this.#nodes.replaceChildren(...drawn);
  }

  #kindOf({ id, mark }: DrawnNode): string {
    const state = this.#states.get(id);
    const urgent = state === 'failed' || state === 'running' ? state : undefined;
    return mark?.kind ?? urgent ?? this.#severities.get(id) ?? (state === 'done' ? state : 'plain');
  }

  /** If everything is in sight, the frame says nothing. */
  frame(seen: Box): void {
    this.root.classList.toggle('idle', holds(seen, this.#bounds));
    for (const name of ['x', 'y', 'width', 'height'] as const) {
      this.#frame.setAttribute(name, String(seen[name]));
    }
  }
}
