import { entryAt } from '../../core/safety/lists';
import { linkName } from '../../core/drawing/drawingSvg';
import type { DrawnNode, DrawnRow, Point } from '../../core/drawing/drawnNode';
import { largestGiven } from '../contract/constants';
import type { FromGraph, GraphAct } from '../contract/graphPanel';
import { type GraphCanvas, nodeAround } from './canvas';
import { hasEditor, rowNamed, stepAt } from './rowActs';

export interface PointerEvents {
  readonly chosen: (node: string, input: string | undefined) => void;
  readonly opened: (node: string) => void;
  readonly asked: (node: string) => void;
  /** Did what a menu does, too. */
  readonly acted: (act: GraphAct, node: string, row?: string) => void;
  readonly stepped: (node: string, row: string, by: 1 | -1) => void;
}

/** A pointer that moves less than this has clicked (px). */
const still = 4;

/** Two clicks within this are a double-click (ms). */
const doubleClick = 500;

/** Moves and scales the drawing by pointer and wheel, and tells what is clicked. */
export function listenToPointer(canvas: GraphCanvas, events: PointerEvents): void {
  const { root } = canvas;
  let pressed: { readonly start: Point; last: Point; isDrag: boolean } | undefined;
  /** The first click of what may be a double-click. It may have opened a text, which moves the nodes away. */
  let first: { readonly target: Element; readonly point: Point; readonly at: number } | undefined;
  root.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    const point = canvas.pointOf(event);
    pressed = { start: point, last: point, isDrag: false };
  });
  root.addEventListener('pointermove', (event) => {
    // Outside of the page it may have been released unseen.
    if (event.buttons === 0) pressed = undefined;
    if (!pressed) return;
    const point = canvas.pointOf(event);
    if (!pressed.isDrag && isNear(point, pressed.start)) return;
    if (!pressed.isDrag) root.setPointerCapture(event.pointerId);
    pressed.isDrag = true;
    canvas.pan(point.x - pressed.last.x, point.y - pressed.last.y);
    pressed.last = point;
  });
  const release = (): void => {
    pressed = undefined;
  };
  root.addEventListener('pointercancel', release);
  root.addEventListener('pointerup', (event) => {
    const isClick = pressed?.isDrag === false && event.button === 0;
    release();
    const { target, timeStamp } = event;
    if (!isClick || !(target instanceof Element)) return;
    const point = canvas.pointOf(event);
    const isFirst = !first || timeStamp - first.at > doubleClick || !isNear(point, first.point);
    if (isFirst) first = { target, point, at: timeStamp };
    else if (first && nodeAround(target) !== nodeAround(first.target)) return;
    click(canvas, target, point, events);
  });
  root.addEventListener('dblclick', (event) => {
    const target = first?.target;
    first = undefined;
    if (!target) return;
    const row = rowAt(canvas, target, canvas.pointOf(event));
    // The two clicks have acted.
    if (row?.step !== undefined || target.closest('.finding, [data-picture], .die')) return;
    const node = nodeAround(target);
    const instance = target.closest<SVGElement>('[data-instance]')?.dataset['instance'];
    if (row && hasEditor(row.row)) events.acted('edit', row.node.id, row.row.name);
    else if (instance !== undefined) events.opened(instance);
    else if (node !== undefined) canvas.zoomTo(node);
  });
  root.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      // A pinch arrives as a wheel with Ctrl, in small steps.
      if (event.ctrlKey || event.metaKey) {
        canvas.zoom(Math.exp(-Math.max(-25, Math.min(25, dy)) * 0.01), canvas.pointOf(event));
      } else if (event.shiftKey) canvas.pan(-dy, -dx);
      else canvas.pan(-dx, -dy);
    },
    { passive: false },
  );
}

/** Tells which file is dropped onto a node that names one, or pasted while it is selected. */
export function listenToGiven(canvas: GraphCanvas, send: (message: FromGraph) => void): void {
  const takes = (id: string | undefined): string | undefined =>
    entryAt(canvas.nodes, id)?.rows.some(({ takes: kind }) => kind !== undefined) === true ? id : undefined;
  const take = async (node: string, { files, list }: Given): Promise<void> => {
    const [file] = files;
    if (list !== '') send({ type: 'useImage', node, file: list });
    if (list !== '' || !file || file.size > largestGiven) return;
    const content = new Uint8Array(await file.arrayBuffer());
    send({ type: 'useImage', node, file: { name: file.name, content } });
  };
  const nodeOf = ({ target }: Event): string | undefined =>
    target instanceof Element ? takes(nodeAround(target)) : undefined;
  canvas.root.addEventListener('dragover', (event) => {
    if (nodeOf(event) !== undefined) event.preventDefault();
  });
  canvas.root.addEventListener('drop', (event) => {
    const node = nodeOf(event);
    if (node === undefined || !event.dataTransfer) return;
    event.preventDefault();
    void take(node, givenIn(event.dataTransfer));
  });
  document.addEventListener('paste', (event) => {
    const { target, clipboardData } = event;
    const node = takes(canvas.selected);
    const isField = target instanceof HTMLElement && target.matches('input, textarea');
    if (node === undefined || isField || !clipboardData) return;
    void take(node, givenIn(clipboardData));
  });
}

interface Given {
  readonly files: readonly File[];
  /** The address of the first one, as VS Code gives it. */
  readonly list: string;
}

/** Read at once, because the data is gone afterwards. */
function givenIn(data: DataTransfer): Given {
  const list = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
  const [first = ''] = list.split(/\r?\n/);
  return { files: [...data.files], list: first };
}

function isNear(one: Point, other: Point): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < still;
}

interface RowHit {
  readonly node: DrawnNode;
  readonly row: DrawnRow;
  readonly step: 1 | -1 | undefined;
}

function rowAt(canvas: GraphCanvas, target: Element, at: Point): RowHit | undefined {
  const { view } = canvas;
  const node = entryAt(canvas.nodes, nodeAround(target));
  const row = rowNamed(node, target.closest<SVGElement>('[data-row]')?.dataset['row']);
  if (!node || !row || !view) return undefined;
  return { node, row, step: stepAt(row, (at.x - view.x) / view.scale - node.x, node) };
}

function click(canvas: GraphCanvas, target: Element, at: Point, events: PointerEvents): void {
  const pictured = target.closest<SVGElement>('[data-picture]')?.dataset['picture'];
  if (pictured !== undefined) {
    events.acted('openImage', pictured);
    return;
  }
  const node = nodeAround(target);
  if (node !== undefined) {
    canvas.select(node, true);
    const row = rowAt(canvas, target, at);
    if (target.closest('.finding')) events.asked(node);
    else if (target.closest('.die')) events.acted('newSeed', node);
    else if (row?.row.kind === 'button') events.acted('edit', node, row.row.name);
    else if (row?.step !== undefined) events.stepped(node, row.row.name, row.step);
    else events.chosen(node, row?.row.name);
    return;
  }
  const link = target.closest('g')?.querySelector<SVGElement>('[data-link]')?.dataset['link'];
  const drawn = canvas.drawing.links.find((each) => linkName(each, canvas.nodes) === link);
  const consumer = drawn && canvas.nodes.get(drawn.to[0]);
  if (!drawn || !consumer) return;
  canvas.select(consumer.id, true);
  events.chosen(consumer.id, consumer.inputs[drawn.to[1]]?.name);
}
