import type { Drawing } from '../../core/drawing/drawing';
import { type Box, boxOf, type Point } from '../../core/drawing/drawnNode';
import { boundsOf } from '../../core/drawing/drawingSvg';
import { svgElement } from './layer';
import { holds } from './viewport';

/** The whole drawing in a corner, with the frame of the view: a click or drag moves it. */
export class Minimap {
  readonly root: SVGElement;
  readonly #nodes = svgElement({ tag: 'path', attributes: { class: 'map-nodes' }, children: [] });
  readonly #frame = svgElement({ tag: 'rect', attributes: { class: 'map-frame' }, children: [] });
  #bounds: Box = { x: 0, y: 0, width: 1, height: 1 };

  constructor(onMove: (center: Point) => void) {
    // The same by keyboard is what the drawing itself offers.
    this.root = svgElement({
      tag: 'svg',
      attributes: { class: 'minimap', 'aria-hidden': 'true' },
      children: [],
    });
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
    this.#bounds = boundsOf(drawing, 0);
    const { x, y, width, height } = boundsOf(drawing);
    this.root.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    const boxes = drawing.nodes.map(boxOf);
    const paths = boxes.map((box) =>
      ['M', box.x, ' ', box.y, 'h', box.width, 'v', box.height, 'h', -box.width, 'z'].join(''),
    );
    this.#nodes.setAttribute('d', paths.join(''));
  }

  /** Where all is in sight, it says nothing. */
  frame(seen: Box): void {
    this.root.classList.toggle('idle', holds(seen, this.#bounds));
    for (const name of ['x', 'y', 'width', 'height'] as const) {
      this.#frame.setAttribute(name, String(seen[name]));
    }
  }
}
