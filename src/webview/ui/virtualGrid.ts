import { element } from './element';
import { cellAfterKey, type GridLayout, type GridLine, lineAt, gridLineAt } from './gridLayout';

/** The content of a grid at a place. */
export interface GridCell {
  readonly root: HTMLElement;
  /** Its width in pixels of the page may have changed. */
  resize?(width: number): void;
  /** Frees what it shows: it is out of sight. */
  close(): void;
}

export interface GridParts<C extends GridCell> {
  readonly role: 'grid' | 'listbox';
  readonly label: string;
  /** @param width in sight, in pixels */
  readonly layOut: (width: number) => GridLayout;
  /** The key by which a cell is kept while it is in sight, wherever it moves. */
  readonly keyOf: (index: number) => number;
  readonly make: (index: number) => C;
  /** Shows the state of a cell, each time the grid is drawn. @param isSeen it is in sight, not only near */
  readonly update: (cell: C, index: number, isSeen: boolean) => void;
  readonly heading: (line: GridLine, index: number) => HTMLElement | undefined;
}

interface Line {
  readonly root: HTMLElement;
  readonly heading: string | undefined;
}

/** A grid of any length: only the cells near the view are in the page. */
export class VirtualGrid<C extends GridCell> {
  readonly root: HTMLElement;
  readonly #space = element('div', { class: 'space', role: 'presentation' });
  readonly #lines = new Map<number, Line>();
  readonly #cells = new Map<number, C>();
  #layout: GridLayout = { lines: [], columns: 1, width: 1, step: 1, left: 0, top: 0, height: 0 };
  #placed: GridLayout | undefined;
  #frame = 0;

  constructor(private readonly parts: GridParts<C>) {
    const { role, label } = parts;
    this.root = element('div', { class: 'grid', role, tabindex: '0', 'aria-label': label }, this.#space);
    this.root.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => this.layOut()).observe(this.root);
  }

  get cells(): ReadonlyMap<number, C> {
    return this.#cells;
  }

  layOut(): void {
    const { clientWidth } = this.root;
    if (clientWidth === 0) return;
    this.#layout = this.parts.layOut(clientWidth);
    const { lines, columns, step, left, height } = this.#layout;
    this.#space.style.height = `${height}px`;
    this.#space.style.width = left > 0 ? `${left + columns * step}px` : '';
    for (const [index, line] of this.#lines)
      if (left > 0 || line.heading !== lines[index]?.heading) this.#dropLine(index, line);
    this.#draw();
  }

  /** Removes all cells: none of them is the same any more. */
  clear(): void {
    for (const [key, cell] of this.#cells) this.#dropCell(key, cell);
    for (const [index, line] of this.#lines) this.#dropLine(index, line);
  }

  draw(): void {
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
  }

  reveal(index: number): void {
    const { lines, step, width, left, top } = this.#layout;
    const at = gridLineAt(this.#layout, index);
    const line = lines[at];
    if (index < 0 || !line) return;
    const above = lines[at - 1];
    const first = above?.heading === undefined ? line.top : above.top;
    const bottom = line.top + line.height;
    const x = (index - line.from) * step;
    const { root } = this;
    root.scrollTop = Math.min(first, Math.max(root.scrollTop, bottom + top + 8 - root.clientHeight));
    root.scrollLeft = Math.min(x, Math.max(root.scrollLeft, x + width + left - root.clientWidth));
    this.#draw();
  }

  /** The cell that a key leads to; undefined for a key that moves nowhere. */
  after(key: string, index: number): number | undefined {
    return cellAfterKey(key, this.#layout, index, this.root.clientHeight);
  }

  #draw(): void {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.root;
    if (clientWidth === 0) return;
    const { lines, columns, step } = this.#layout;
    const ahead = clientHeight / 2;
    const first = lineAt(this.#layout, scrollTop - ahead);
    const last = Math.min(lines.length - 1, lineAt(this.#layout, scrollTop + clientHeight + ahead));
    const left = Math.max(0, Math.floor(scrollLeft / step) - 2);
    const right = Math.min(columns, Math.ceil((scrollLeft + clientWidth) / step) + 2);
    for (const [index, line] of this.#lines) if (index < first || index > last) this.#dropLine(index, line);
    const shown = new Set<number>();
    const isSeen = ({ top, height }: GridLine): boolean =>
      top + height > scrollTop && top < scrollTop + clientHeight;
    for (const [offset, line] of lines.slice(first, last + 1).entries()) {
      const { root } = this.#line(line, first + offset);
      const seen = isSeen(line);
      for (let at = line.from + left; at < Math.min(line.to, line.from + right); at++)
        shown.add(this.#cell(root, line, at, seen));
    }
    this.#placed = this.#layout;
    for (const [key, cell] of this.#cells) if (!shown.has(key)) this.#dropCell(key, cell);
  }

  #line(line: GridLine, index: number): Line {
    let known = this.#lines.get(index);
    if (!known) {
      const { role } = this.parts;
      const root = element('div', { class: 'line', role: role === 'grid' ? 'row' : 'presentation' });
      const heading = this.parts.heading(line, index);
      if (heading) root.append(heading);
      if (role === 'grid') root.setAttribute('aria-rowindex', String(index + 1));
      known = { root, heading: line.heading };
      this.#lines.set(index, known);
      this.#space.append(root);
    }
    known.root.style.transform = `translateY(${line.top}px)`;
    known.root.style.height = `${line.height}px`;
    return known;
  }

  #cell(root: HTMLElement, line: GridLine, index: number, isSeen: boolean): number {
    const key = this.parts.keyOf(index);
    let cell = this.#cells.get(key);
    if (!cell) {
      cell = this.parts.make(index);
      this.#cells.set(key, cell);
    }
    if (this.#placed !== this.#layout || cell.root.parentElement !== root) {
      const { left, step, width } = this.#layout;
      root.append(cell.root);
      const { style } = cell.root;
      style.left = `${left + (index - line.from) * step}px`;
      style.width = `${width}px`;
      cell.resize?.(width);
    }
    this.parts.update(cell, index, isSeen);
    return key;
  }

  #dropCell(key: number, cell: C): void {
    cell.close();
    cell.root.remove();
    this.#cells.delete(key);
  }

  /** Its cells may have moved to another line; those that have not are dropped with the next drawing. */
  #dropLine(index: number, line: Line): void {
    line.root.remove();
    this.#lines.delete(index);
  }
}
