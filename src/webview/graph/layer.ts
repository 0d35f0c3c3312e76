import type { Box } from '../../core/drawing/drawnNode';
import { svgText, type SvgElement } from '../../core/drawing/svgElement';
import { overlaps } from './viewport';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Builds an element with its texts as text nodes: files of strangers are drawn. */
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
  /** What it is made of: while that stays the same, its element is kept. */
  readonly look: readonly unknown[];
  readonly make: () => SVGElement;
}

interface Made extends Pick<LayerItem, 'look'> {
  readonly element: SVGElement;
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
    const known = this.#made.get(item.id);
    if (known) return known.element;
    const element = item.make();
    this.#made.set(item.id, { look: item.look, element });
    return element;
  }
}
