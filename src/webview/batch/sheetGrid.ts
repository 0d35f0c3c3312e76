import { numberAt } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import { element } from '../ui/element';
import { type GridLayout, layEvenly } from '../ui/gridLayout';
import type { TileChoice } from '../ui/tileOptions';
import { VirtualGrid } from '../ui/virtualGrid';
import { type SheetContent, stateWord } from './sheetContent';
import { type SheetShape, sizeCells } from './sheetLayout';
import type { CellState, SheetCell } from '../contract/batchSheet';
import { icon, type IconName } from '../ui/icon';

/** One page of the sheet. */
export class SheetGrid {
  readonly #grid: VirtualGrid<CellView>;
  readonly #heads = element('div', { class: 'heads', role: 'row' });
  readonly #open: (row: number) => void;
  #content: SheetContent | undefined;
  #page: readonly number[] = [];
  #shape: SheetShape = { cells: 0, columns: 1, lines: 0, wraps: true };
  #picture = 176;
  #side = 0;
  #active = 0;

  constructor(open: (row: number) => void) {
    this.#open = open;
    this.#grid = new VirtualGrid<CellView>({
      role: 'grid',
      label: t`Runs`,
      layOut: (width) => this.#layOut(width),
      keyOf: (cell) => cell,
      make: (cell) => this.#make(cell),
      update: (view, cell) => {
        view.show(this.#content?.at(this.#page, cell));
        view.root.classList.toggle('active', cell === this.#active);
        // By keyboard, the menu of the grid opens.
        if (cell === this.#active) this.root.dataset.vscodeContext = view.root.dataset.vscodeContext;
      },
      heading: (_, line) => this.#lineHead(line),
    });
    this.root.prepend(this.#heads);
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    this.root.addEventListener('click', ({ target }) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
      if (!cell) return;
      this.#moveTo(Number(cell.dataset.cell));
      this.#openActive();
    });
  }

  get root(): HTMLElement {
    return this.#grid.root;
  }

  show(content: SheetContent, page: readonly number[]): void {
    this.#content = content;
    this.#page = page;
    this.#active = 0;
    this.#grid.clear();
    this.#grid.layOut();
  }

  resize({ width, isWhole }: TileChoice): void {
    this.#picture = width;
    this.root.classList.toggle('whole', isWhole);
    this.#grid.layOut();
  }

  draw(): void {
    this.#grid.draw();
  }

  #layOut(available: number): GridLayout {
    const { counts = [], axes = { across: undefined, down: undefined, pages: [] } } = this.#content ?? {};
    const { shape, sizes } = sizeCells(counts, axes, available, this.#picture);
    const { columns, lines, cells, wraps } = shape;
    const { left, top, width, height } = sizes;
    this.#shape = shape;
    this.#side = left;
    this.#heads.hidden = wraps;
    this.#heads.style.width = `${left + columns * width}px`;
    this.#heads.replaceChildren(...(wraps || !this.#content ? [] : this.#headings(this.#content, width)));
    this.root.setAttribute('aria-rowcount', String(lines + (wraps ? 0 : 1)));
    this.root.setAttribute('aria-colcount', String(columns + (wraps ? 0 : 1)));
    this.root.setAttribute('aria-activedescendant', `cell${this.#active}`);
    return layEvenly(cells, { columns, width, left, top }, height);
  }

  #headings(content: SheetContent, width: number): HTMLElement[] {
    const { axes, batch, counts } = content;
    const name = (axis = 0): string => batch.axes[axis]?.name ?? '';
    const head = (text: string, kind: string, size: number, title = text): HTMLElement => {
      const made = element('div', { class: kind, role: 'columnheader', title }, text);
      made.style.width = `${size}px`;
      return made;
    };
    const steps = Array.from({ length: numberAt(counts, axes.across ?? 0) }, (_, step) =>
      head(content.label(axes.across, step), 'head', width, content.step(axes.across, step)),
    );
    // The fields above have the whole names.
    const input = (axis: number | undefined): string => name(axis).split('.').at(-1) ?? '';
    const names = `${name(axes.across)} →\n${name(axes.down)} ↓`;
    return [head(`${input(axes.across)} →\n${input(axes.down)} ↓`, 'corner', this.#side, names), ...steps];
  }

  #lineHead(line: number): HTMLElement | undefined {
    if (this.#shape.wraps || !this.#content) return undefined;
    const { down } = this.#content.axes;
    const text = element('span', {}, this.#content.label(down, line));
    const title = this.#content.step(down, line);
    const head = element('div', { class: 'side', role: 'rowheader', title }, text);
    head.style.width = `${this.#side}px`;
    return head;
  }

  #make(cell: number): CellView {
    const content = this.#content;
    const caption = this.#shape.wraps ? content?.label(content.axes.across, cell) : undefined;
    const view = new CellView(cell, content?.wordsOf(this.#page, cell) ?? '', caption);
    view.root.setAttribute('aria-colindex', String((cell % this.#shape.columns) + 1));
    return view;
  }

  #openActive(): void {
    const cell = this.#content?.at(this.#page, this.#active);
    if (cell?.hasRecord === true) this.#open(cell.row);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = this.#grid.after(event.key, this.#active);
    if (event.key === 'Enter' || event.key === ' ') this.#openActive();
    else if (target === undefined) return;
    else this.#moveTo(target);
    event.preventDefault();
  }

  #moveTo(cell: number): void {
    this.#active = cell;
    this.root.setAttribute('aria-activedescendant', `cell${cell}`);
    this.#grid.reveal(cell);
  }
}

const stateIcons = {
  waiting: 'waiting',
  notRun: 'cancelled',
  queued: 'waiting',
  running: 'running',
  owed: 'lost',
  saved: 'done',
  failed: 'failed',
  refused: 'warning',
  cancelled: 'cancelled',
} as const satisfies Record<CellState, IconName>;

const kindIcons = { video: 'play', audio: 'volume', model3d: 'cube', text: 'text', other: 'file' } as const;

/** One run in the sheet: its image, or its state. */
class CellView {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'frame' });
  readonly #values: string;
  #shown: SheetCell | undefined;

  constructor(cell: number, values: string, caption: string | undefined) {
    this.#values = values;
    this.root = element(
      'div',
      { class: 'cell', role: 'gridcell', id: `cell${cell}` },
      this.#frame,
      caption === undefined
        ? undefined
        : element('div', { class: 'caption', 'aria-hidden': 'true' }, caption),
    );
    this.root.dataset.cell = String(cell);
    this.#say('');
  }

  show(cell: SheetCell | undefined): void {
    if (!cell || cell === this.#shown) return;
    this.#shown = cell;
    const { state, message, output } = cell;
    const word = stateWord(state);
    this.root.dataset.state = state;
    this.root.classList.toggle('opens', cell.hasRecord);
    this.root.dataset.vscodeContext = JSON.stringify({
      webviewSection: cell.hasRecord ? 'run' : 'none',
      batchRow: cell.row,
      sheetOutput: output !== undefined,
      preventDefaultContextMenuItems: true,
    });
    this.#say([word, message, output?.name ?? ''].filter((each) => each !== '').join(': '));
    if (output?.kind === 'image') {
      // Until it is decoded, the frame shows what it did before: never half a picture.
      const image = element('img', { alt: '', decoding: 'async', src: output.source });
      this.root.setAttribute('aria-busy', 'true');
      const show = (...shown: readonly (Node | string)[]): void => {
        if (this.#shown !== cell) return;
        this.#frame.replaceChildren(...shown);
        this.root.removeAttribute('aria-busy');
      };
      image.decode().then(
        () => show(image),
        () => show(icon('picture'), output.name),
      );
    } else if (output?.kind === 'video') {
      const video = element('video', { preload: 'metadata', src: output.source, tabindex: '-1' });
      video.muted = true;
      this.#frame.replaceChildren(video, icon('play'));
    } else if (output) this.#frame.replaceChildren(icon(kindIcons[output.kind]), words(output.name));
    else
      this.#frame.replaceChildren(
        icon(stateIcons[state]),
        words(message === '' ? word.charAt(0).toUpperCase() + word.slice(1) : message),
      );
  }

  close(): void {
    this.#shown = undefined;
  }

  #say(state: string): void {
    const text = [this.#values, state].filter((each) => each !== '').join(': ');
    this.root.setAttribute('aria-label', text);
    this.root.title = text;
  }
}

function words(text: string): HTMLElement {
  return element('span', { class: 'words' }, text);
}
