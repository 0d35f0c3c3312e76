import { type Box, legible, type Point } from '../../core/drawing/drawnNode';
import { svgText, type SvgElement } from '../../core/drawing/markSvg';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Builds an element with its texts as text nodes, because drawn files may come from outside. */
export function svgElement({ tag, attributes, children }: SvgElement): SVGElement {
  const made = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (typeof child === 'string' ? child : svgElement(child))));
  return made;
}

/** Something that is drawn while it is in sight. */
export interface LayerItem {
  readonly id: string;
  readonly box: Box;
  /** The parts it is made of. While they stay the same, its element is kept. */
  readonly look: readonly unknown[];
  readonly make: () => SVGElement;
  /** The names in it, which keep their size on the screen: they alone are made again at another unit. */
  readonly names?: { readonly unit: number; readonly make: () => SVGElement };
}

interface Made extends Pick<LayerItem, 'look'> {
  readonly element: SVGElement;
  unit: number | undefined;
}

function isSameLook(one: LayerItem['look'], other: LayerItem['look']): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** Items that are drawn in their order, as far as they are in sight. */
export class Layer {
  readonly root: SVGElement;
  #items: readonly LayerItem[] = [];
  #made = new Map<string, Made>();

  constructor(name: string) {
    this.root = svgElement(svgText('g', { class: name }));
  }

  set(items: readonly LayerItem[]): void {
    this.#items = items;
    const kept = new Map<string, Made>();
    for (const { id, look } of items) {
      const made = this.#made.get(id);
      if (made && isSameLook(made.look, look)) kept.set(id, made);
    }
    for (const [id, { element }] of this.#made) if (!kept.has(id)) element.remove();
    this.#made = kept;
  }

  /** @param always an item that stays also out of sight, since it has the focus */
  show(seen: Box, always?: string): void {
    let next: SVGElement | null = null;
    for (const item of this.#items.toReversed()) {
      if (item.id !== always && !overlaps(item.box, seen)) {
        this.#made.get(item.id)?.element.remove();
        continue;
      }
      const element = this.#element(item);
      if (element.parentNode !== this.root || element.nextSibling !== next) {
        this.root.insertBefore(element, next);
      }
      next = element;
    }
  }

  find(id: string): SVGElement | undefined {
    return this.#made.get(id)?.element;
  }

  #element(item: LayerItem): SVGElement {
    const { id, look, names } = item;
    const known = this.#made.get(id);
    if (known && names && known.unit !== names.unit) {
      known.element.querySelector('.far-title')?.replaceWith(names.make());
      known.unit = names.unit;
    }
    if (known) return known.element;
    const element = item.make();
    this.#made.set(id, { look, element, unit: names?.unit });
    return element;
  }
}

/** The position of a drawing: a point of it is at `point * scale + (x, y)` on the screen. */
export interface View extends Point {
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Below this, not even a large title could be read. */
const farBelow = 0.2;

/** How much is drawn, by the scale. */
export type Detail = 'whole' | 'plain' | 'far';

export function detailAt({ scale }: View): Detail {
  return scale < farBelow ? 'far' : scale < legible ? 'plain' : 'whole';
}

/** At this scale, the texts of a node are easy to read. */
export const readable = 0.8;

/** How long a pixel is in the drawing, in steps: what keeps its size on the screen is made again at each of them. */
export function unitAt({ scale }: View): number {
  return 2 ** (Math.ceil(-2 * Math.log2(scale)) / 2);
}

const [least, most] = [0.03, 4] as const;

/** Shows all of a box, in the middle and not enlarged. */
export function fitView(box: Box, size: Size): View {
  const scale = clamped(Math.min(size.width / box.width, size.height / box.height, 1));
  return centeredOn(box, size, scale);
}

/** The first view of a drawing: all of it if its values can be read, else a part near a box, filling the panel. */
export function opened(whole: Box, size: Size, near: Box): View {
  const all = fitView(whole, size);
  if (all.scale >= legible) return all;
  const place = (start: number, length: number, from: number, all: number, room: number): number => {
    if (all * readable <= room) return (room - all * readable) / 2 - from * readable;
    // The start of what is larger than the room.
    const before = Math.max(room * 0.05, (room - length * readable) / 2);
    return Math.min(-from * readable, Math.max(room - (from + all) * readable, before - start * readable));
  };
  return {
    scale: readable,
    x: place(near.x, near.width, whole.x, whole.width, size.width),
    y: place(near.y, near.height, whole.y, whole.height, size.height),
  };
}

/** Shows all of a box, or its middle if the box is so large that its values couldn't be read. */
export function broughtNear(box: Box, size: Size): View {
  return centeredOn(box, size, Math.max(fitView(box, size).scale, legible));
}

/** Shows the middle of a box in the middle, at this scale. */
export function centeredOn({ x, y, width, height }: Box, size: Size, scale: number): View {
  return {
    scale,
    x: size.width / 2 - (x + width / 2) * scale,
    y: size.height / 2 - (y + height / 2) * scale,
  };
}

/** Keeps this point of the screen in its place. */
export function zoomView(view: View, at: Point, factor: number): View {
  const scale = clamped(view.scale * factor);
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** The part of a drawing on the screen, and as much around it as `margin` times its size. */
export function seenBox({ x, y, scale }: View, { width, height }: Size, margin = 0): Box {
  const [seenWidth, seenHeight] = [width / scale, height / scale];
  return {
    x: -x / scale - seenWidth * margin,
    y: -y / scale - seenHeight * margin,
    width: seenWidth * (1 + 2 * margin),
    height: seenHeight * (1 + 2 * margin),
  };
}

export function overlaps(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}

export function holds(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}

function clamped(scale: number): number {
  return Math.min(most, Math.max(least, Number.isFinite(scale) ? scale : 1));
}
