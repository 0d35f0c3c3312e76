import { t } from '../../core/safety/localize';
import { element } from '../ui/element';
import { CellView } from './cellView';
import type { SheetContent } from './sheetContent';
import { shapeOf, type SheetShape } from './sheetLayout';

const [narrowest, widest, usual] = [112, 260, 176];
/** Of the names of the lines, and of those of the columns and below a cell. */
const [headWidth, headHeight, captionHeight] = [136, 40, 22];
/** Lines and columns that exist beyond those in sight. */
const ahead = 2;

interface Line {
  readonly root: HTMLElement;
  readonly cells: Map<number, CellView>;
}

/** One page of the sheet. Only the cells in sight exist. */
export class SheetGrid {
  readonly root = element('div', { class: 'grid', role: 'grid', tabindex: '0', 'aria-label': t`Runs` });
  readonly #space = element('div', { class: 'space', role: 'presentation' });
  readonly #heads = element('div', { class: 'heads', role: 'row' });
  readonly #lines = new Map<number, Line>();
  readonly #open: (row: number) => void;
  #content: SheetContent | undefined;
  #page: readonly number[] = [];
  #shape: SheetShape = { cells: 0, columns: 1, lines: 0, wraps: true };
  #width = usual;
  #active = 0;
  #frame = 0;

  constructor(open: (row: number) => void) {
    this.#open = open;
    this.root.append(this.#heads, this.#space);
    this.root.addEventListener('scroll', () => this.draw(), { passive: true });
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    this.root.addEventListener('click', ({ target }) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
      if (!cell) return;
      this.#active = Number(cell.dataset.cell);
      this.#openActive();
      this.draw();
    });
    new ResizeObserver(() => this.#layOut()).observe(this.root);
  }

  show(content: SheetContent, page: readonly number[]): void {
    this.#content = content;
    this.#page = page;
    this.#active = 0;
    this.#layOut();
  }

  /** Draws what is in sight, with the next frame. */
  draw(): void {
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
  }

  get #height(): number {
    return this.#width + (this.#shape.wraps ? captionHeight : 0);
  }

  get #left(): number {
    return this.#shape.wraps ? 0 : headWidth;
  }

  get #top(): number {
    return this.#shape.wraps ? 0 : headHeight;
  }

  #layOut(): void {
    const { clientWidth } = this.root;
    if (!this.#content || clientWidth === 0) return;
    const { counts, axes } = this.#content;
    this.#shape = shapeOf(counts, axes, Math.max(1, Math.floor(clientWidth / usual)));
    const { columns, lines, wraps } = this.#shape;
    const share = Math.floor((clientWidth - this.#left) / columns);
    this.#width = Math.min(widest, Math.max(narrowest, share));
    this.#space.style.height = `${lines * this.#height}px`;
    this.#space.style.width = `${this.#left + columns * this.#width}px`;
    this.#heads.hidden = wraps;
    this.#heads.style.width = this.#space.style.width;
    this.root.setAttribute('aria-rowcount', String(lines + (wraps ? 0 : 1)));
    this.root.setAttribute('aria-colcount', String(columns + (wraps ? 0 : 1)));
    for (const { root } of this.#lines.values()) root.remove();
    this.#lines.clear();
    this.#heads.replaceChildren(...(wraps ? [] : this.#headings(this.#content)));
    this.#draw();
  }

  #headings(content: SheetContent): HTMLElement[] {
    const { axes, batch, counts } = content;
    const name = (axis = 0): string => batch.axes[axis]?.name ?? '';
    const head = (text: string, kind: string, width: number, title = text): HTMLElement => {
      const made = element('div', { class: kind, role: 'columnheader', title }, text);
      made.style.width = `${width}px`;
      return made;
    };
    const steps = Array.from({ length: counts[axes.across ?? 0] ?? 0 }, (_, step) =>
      head(content.label(axes.across, step), 'head', this.#width, content.step(axes.across, step)),
    );
    return [head(`${name(axes.across)} →\n${name(axes.down)} ↓`, 'corner', headWidth), ...steps];
  }

  #draw(): void {
    if (!this.#content) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.root;
    const { columns, lines, cells } = this.#shape;
    const from = Math.max(0, Math.floor(scrollTop / this.#height) - ahead);
    const to = Math.min(lines, Math.ceil((scrollTop + clientHeight) / this.#height) + ahead);
    const left = Math.max(0, Math.floor(scrollLeft / this.#width) - ahead);
    const right = Math.min(columns, Math.ceil((scrollLeft + clientWidth) / this.#width) + ahead);
    for (const [line, { root }] of this.#lines) {
      if (line >= from && line < to) continue;
      root.remove();
      this.#lines.delete(line);
    }
    for (let line = from; line < to; line++) {
      const known = this.#line(line, this.#content);
      for (const [column, view] of known.cells) {
        if (column >= left && column < right) continue;
        view.root.remove();
        known.cells.delete(column);
      }
      for (let column = left; column < right; column++) {
        const cell = line * columns + column;
        if (cell < cells) this.#cell(known, column, cell, this.#content);
      }
    }
    this.root.setAttribute('aria-activedescendant', `cell${this.#active}`);
  }

  #line(line: number, content: SheetContent): Line {
    const known = this.#lines.get(line);
    if (known) return known;
    const root = element('div', { class: 'line', role: 'row', 'aria-rowindex': String(line + 1) });
    root.style.transform = `translateY(${line * this.#height}px)`;
    if (!this.#shape.wraps) {
      const { down } = content.axes;
      const text = element('span', {}, content.label(down, line));
      const head = element(
        'div',
        { class: 'side', role: 'rowheader', title: content.step(down, line) },
        text,
      );
      head.style.width = `${headWidth}px`;
      head.style.height = `${this.#height}px`;
      root.append(head);
    }
    const made = { root, cells: new Map<number, CellView>() };
    this.#lines.set(line, made);
    this.#space.append(root);
    return made;
  }

  #cell({ root, cells }: Line, column: number, cell: number, content: SheetContent): void {
    let view = cells.get(column);
    if (!view) {
      const caption = this.#shape.wraps ? content.label(content.axes.across, cell) : undefined;
      view = new CellView(cell, content.wordsOf(this.#page, cell), caption);
      view.root.setAttribute('aria-colindex', String(column + 1));
      const { style } = view.root;
      style.left = `${this.#left + column * this.#width}px`;
      style.width = `${this.#width}px`;
      style.height = `${this.#height}px`;
      cells.set(column, view);
      root.append(view.root);
    }
    view.show(content.at(this.#page, cell));
    view.root.classList.toggle('active', cell === this.#active);
  }

  #openActive(): void {
    const cell = this.#content?.at(this.#page, this.#active);
    if (cell?.hasRecord === true) this.#open(cell.row);
  }

  #onKey(event: KeyboardEvent): void {
    const { columns, cells } = this.#shape;
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.#height)) * columns;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: page,
      PageUp: -page,
      Home: -cells,
      End: cells,
    };
    const move = moves[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.#openActive();
    else if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    else this.#moveTo(Math.max(0, Math.min(cells - 1, this.#active + move)));
    event.preventDefault();
  }

  #moveTo(cell: number): void {
    this.#active = cell;
    const { columns } = this.#shape;
    const { root } = this;
    const within = (start: number, size: number, shown: number, at: number): number =>
      Math.min(start, Math.max(at, start + size - shown));
    const top = Math.floor(cell / columns) * this.#height;
    const left = (cell % columns) * this.#width;
    root.scrollTop = within(top, this.#height + this.#top, root.clientHeight, root.scrollTop);
    root.scrollLeft = within(left, this.#width + this.#left, root.clientWidth, root.scrollLeft);
    this.#draw();
  }
}
