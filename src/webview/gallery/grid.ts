import { t } from '../../core/safety/localize';
import type { GalleryOutput } from '../contract/gallery';
import { element } from '../ui/element';
import { mostDragged, startDrag } from './drag';
import { type GridLayout, gap, lineAt, lineOf, layOut, type TileSize, tileBeside, tileSize } from './layout';
import { Selection } from './selection';
import { Thumbnails } from './thumbnails';
import type { ThumbnailStore } from './thumbnailStore';
import { Tile } from './tile';
import { dayName } from './galleryWords';

export interface GridEvents {
  readonly open: (ids: readonly number[]) => void;
  readonly remove: (ids: readonly number[]) => void;
  /** What is selected, or which output is active, has changed. */
  readonly selected: () => void;
  /** More are selected than can be dragged. */
  readonly tooMany: () => void;
}

/** At the left and the right, as in the styles. */
const margin = 12;

/** All outputs as tiles under headings of days. Only the tiles in sight exist. */
export class Grid {
  readonly root = element('div', {
    class: 'grid',
    role: 'listbox',
    tabindex: '0',
    'aria-multiselectable': 'true',
    'aria-label': t`Outputs`,
  });
  readonly selection = new Selection();
  readonly #space = element('div', { class: 'space', role: 'presentation' });
  readonly #events: GridEvents;
  readonly #thumbnails: Thumbnails;
  readonly #tiles = new Map<number, Tile>();
  readonly #headings = new Map<string, HTMLElement>();
  #outputs: readonly GalleryOutput[] = [];
  #favorites: ReadonlySet<number> = new Set();
  #wanted = 180;
  #size: TileSize = tileSize(600, 180);
  #layout: GridLayout = { lines: [], height: 0 };
  /** What the tiles show: most scrolling stays in the same lines. */
  #drawn: { readonly layout?: GridLayout; readonly first: number; readonly last: number } = {
    first: 0,
    last: -1,
  };
  #frame = 0;

  constructor(events: GridEvents, store: ThumbnailStore) {
    this.#events = events;
    this.#thumbnails = new Thumbnails(store);
    this.root.append(this.#space);
    this.root.addEventListener('scroll', () => this.#drawSoon(), { passive: true });
    this.root.addEventListener('click', (event) => this.#onClick(event));
    this.root.addEventListener('dblclick', (event) => {
      const id = idAt(event);
      if (id !== undefined) this.#events.open([id]);
    });
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    this.root.addEventListener('dragstart', (event) => this.#onDrag(event));
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  show(outputs: readonly GalleryOutput[], favorites: ReadonlySet<number>): void {
    this.#outputs = outputs;
    this.#favorites = favorites;
    this.selection.use(outputs.map(({ id }) => id));
    this.#resize();
    this.#events.selected();
  }

  /** @param width of a tile in pixels, about */
  setWidth(width: number): void {
    this.#wanted = width;
    this.#resize();
    this.#reveal(this.selection.active);
  }

  #resize(): void {
    const { clientWidth } = this.root;
    if (clientWidth === 0) return;
    this.#size = tileSize(clientWidth - 2 * margin, this.#wanted);
    this.#layout = layOut(
      this.#outputs.map(({ day }) => day),
      this.#size,
    );
    this.#space.style.height = `${this.#layout.height}px`;
    this.#draw();
  }

  #drawSoon(): void {
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.root;
    const ahead = clientHeight / 2;
    const layout = this.#layout;
    const { lines } = layout;
    const [first, last] = [
      lineAt(layout, scrollTop - ahead),
      lineAt(layout, scrollTop + clientHeight + ahead),
    ];
    const drawn = this.#drawn;
    if (drawn.layout === layout && drawn.first === first && drawn.last === last) return;
    this.#drawn = { layout, first, last };
    const tiles = new Set<number>();
    const days = new Set<string>();
    for (const line of lines.slice(first, last + 1)) {
      if (line.kind === 'day') {
        days.add(line.day);
        this.#heading(line.day).style.transform = `translateY(${line.top}px)`;
        continue;
      }
      for (let at = line.from; at < line.to; at++) {
        const output = this.#outputs[at];
        if (!output) continue;
        tiles.add(output.id);
        this.#place(output, at, (at - line.from) * (this.#size.width + gap), line.top);
      }
    }
    for (const [id, tile] of this.#tiles) {
      if (tiles.has(id)) continue;
      tile.close();
      this.#tiles.delete(id);
    }
    for (const [day, heading] of this.#headings) {
      if (days.has(day)) continue;
      heading.remove();
      this.#headings.delete(day);
    }
    this.#mark();
  }

  #heading(day: string): HTMLElement {
    const known = this.#headings.get(day);
    if (known) return known;
    // Each tile says its time: a list box has no headings.
    const made = element('div', { class: 'day', 'aria-hidden': 'true' }, dayName(day));
    this.#headings.set(day, made);
    this.#space.append(made);
    return made;
  }

  #place(output: GalleryOutput, at: number, x: number, y: number): void {
    let tile = this.#tiles.get(output.id);
    if (!tile) {
      tile = new Tile(output, this.#thumbnails);
      this.#tiles.set(output.id, tile);
      this.#space.append(tile.root);
    }
    tile.root.setAttribute('aria-posinset', String(at + 1));
    tile.root.setAttribute('aria-setsize', String(this.#outputs.length));
    tile.place(x, y, this.#size.width, this.#size.height);
  }

  #mark(): void {
    const { active } = this.selection;
    for (const [id, tile] of this.#tiles) {
      tile.mark({
        isSelected: this.selection.has(id),
        isActive: id === active,
        isFavorite: this.#favorites.has(id),
      });
    }
    if (active !== undefined && this.#tiles.has(active))
      this.root.setAttribute('aria-activedescendant', `tile-${active}`);
    else this.root.removeAttribute('aria-activedescendant');
  }

  #reveal(id: number | undefined): void {
    const at = id === undefined ? -1 : this.selection.indexOf(id);
    const index = lineOf(this.#layout, at);
    const line = this.#layout.lines[index];
    if (at < 0 || !line) return;
    // With the heading of the day.
    const above = this.#layout.lines[index - 1];
    const top = above?.kind === 'day' ? above.top : line.top;
    const bottom = line.top + line.height + gap - this.root.clientHeight;
    if (this.root.scrollTop > top) this.root.scrollTop = top;
    else if (this.root.scrollTop < bottom) this.root.scrollTop = bottom;
    this.#draw();
  }

  #changed(): void {
    this.#reveal(this.selection.active);
    this.#mark();
    this.#events.selected();
  }

  #onClick(event: MouseEvent): void {
    const id = idAt(event);
    if (id === undefined) this.selection.clear();
    else if (event.shiftKey) this.selection.extendTo(id);
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(id);
    else this.selection.only(id);
    this.#changed();
  }

  #onDrag(event: DragEvent): void {
    const id = idAt(event);
    if (id === undefined || !event.dataTransfer) return;
    if (!this.selection.has(id)) {
      this.selection.only(id);
      this.#mark();
      this.#events.selected();
    }
    const dragged = this.selection.selected.flatMap(
      (each) => this.#outputs[this.selection.indexOf(each)]?.dragged ?? [],
    );
    if (dragged.length <= mostDragged) {
      startDrag(event.dataTransfer, dragged);
      return;
    }
    event.preventDefault();
    this.#events.tooMany();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key !== 'a') return;
    const action = this.#actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
    this.#changed();
  }

  #actionOf(event: KeyboardEvent): (() => void) | undefined {
    const { selection } = this;
    const at = selection.active === undefined ? -1 : selection.indexOf(selection.active);
    const to = (index: number) => (): void => selection.moveTo(index, event.shiftKey);
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.#size.height)) * this.#size.columns;
    switch (event.key) {
      case 'ArrowRight':
        return to(at + 1);
      case 'ArrowLeft':
        return to(at - 1);
      case 'ArrowDown':
        return to(at < 0 ? 0 : tileBeside(this.#layout, at, 1));
      case 'ArrowUp':
        return to(at < 0 ? 0 : tileBeside(this.#layout, at, -1));
      case 'PageDown':
        return to(at + page);
      case 'PageUp':
        return to(at - page);
      case 'Home':
        return to(0);
      case 'End':
        return to(this.#outputs.length - 1);
      case 'Enter':
        return () => this.#events.open(selection.acting);
      case 'Delete':
        return () => this.#events.remove(selection.acting);
      case ' ':
        return () => selection.active !== undefined && selection.toggle(selection.active);
      case 'Escape':
        return () => selection.clear();
      case 'a':
        return event.ctrlKey || event.metaKey ? () => selection.all() : undefined;
      default:
        return undefined;
    }
  }
}

function idAt({ target }: Event): number | undefined {
  const tile = target instanceof Element ? target.closest<HTMLElement>('.tile') : null;
  return tile?.dataset.id === undefined ? undefined : Number(tile.dataset.id);
}
