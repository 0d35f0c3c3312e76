import { countAt, mapDefined } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import type { GalleryCaption, GalleryOutput, Stars } from '../contract/gallery';
import { element } from '../ui/element';
import { layOutTiles, tileSize } from '../ui/gridLayout';
import type { TileChoice } from '../ui/tileOptions';
import { VirtualGrid } from '../ui/virtualGrid';
import { mostDragged, startDrag } from './drag';
import { headingText, type Ordered, gallerySection } from './galleryWords';
import { Thumbnails } from './thumbnails';
import type { ThumbnailStore } from './thumbnailStore';
import { Tile } from './tile';

/** The selected outputs, and the active one, which keys move. Both outlive a filter only if they are shown. */
export class Selection {
  #ids: readonly number[] = [];
  #places: ReadonlyMap<number, number> = new Map();
  #selected = new Set<number>();
  #active: number | undefined;
  #anchor: number | undefined;

  /** The ids that can be selected, in order. */
  use(ids: readonly number[]): void {
    this.#ids = ids;
    this.#places = new Map(ids.map((id, index) => [id, index]));
    this.#selected = new Set([...this.#selected].filter((id) => this.#places.has(id)));
    if (this.#active !== undefined && !this.#places.has(this.#active)) this.#active = undefined;
    if (this.#anchor !== undefined && !this.#places.has(this.#anchor)) this.#anchor = undefined;
  }

  get active(): number | undefined {
    return this.#active;
  }

  /** The selected outputs in the order of the list. */
  get selected(): readonly number[] {
    return [...this.#selected].sort((a, b) => this.indexOf(a) - this.indexOf(b));
  }

  /** The outputs for an action: the selected ones, else the active one. */
  get acting(): readonly number[] {
    if (this.#selected.size > 0) return this.selected;
    return this.#active === undefined ? [] : [this.#active];
  }

  has(id: number): boolean {
    return this.#selected.has(id);
  }

  /** -1 for one that is not in the list. */
  indexOf(id: number): number {
    return this.#places.get(id) ?? -1;
  }

  only(id: number): void {
    this.#selected = new Set([id]);
    this.#active = this.#anchor = id;
  }

  toggle(id: number): void {
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#active = this.#anchor = id;
  }

  /** Selects from where the last selection started. */
  extendTo(id: number): void {
    const from = this.#anchor === undefined ? 0 : this.indexOf(this.#anchor);
    const to = this.indexOf(id);
    this.#selected = new Set(this.#ids.slice(Math.min(from, to), Math.max(from, to) + 1));
    this.#active = id;
  }

  moveTo(index: number, isExtending: boolean): void {
    const id = this.#ids[Math.max(0, Math.min(this.#ids.length - 1, index))];
    if (id === undefined) return;
    if (isExtending) {
      this.#anchor ??= this.#active;
      this.extendTo(id);
    } else this.#active = this.#anchor = id;
  }

  all(): void {
    this.#selected = new Set(this.#ids);
  }

  clear(): void {
    this.#selected.clear();
  }
}

export interface GridEvents {
  readonly selected: () => void;
  readonly look: (id: number) => void;
  /** Tiles exist whose captions are not known. */
  readonly needsCaptions: (ids: readonly number[]) => void;
  /** More are selected than can be dragged. */
  readonly tooMany: () => void;
}

/** The parts of tiles besides their outputs. */
export interface ShownTiles extends Ordered {
  readonly outputs: readonly GalleryOutput[];
}

const [margin, captionHeight] = [12, 44];

/** All outputs as tiles under headings. */
export class Grid {
  readonly selection = new Selection();
  readonly #grid: VirtualGrid<Tile>;
  readonly #events: GridEvents;
  readonly #thumbnails: Thumbnails;
  readonly #captions = new Map<number, readonly string[]>();
  #shown: ShownTiles = { outputs: [], stars: new Map(), order: 'newest' };
  #wanted = 176;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(events: GridEvents, store: ThumbnailStore) {
    this.#events = events;
    this.#thumbnails = new Thumbnails(store);
    this.#grid = new VirtualGrid<Tile>({
      role: 'listbox',
      label: t`Outputs`,
      layOut: (width) => {
        const sections = this.#shown.outputs.map((output) => gallerySection(output, this.#shown));
        return layOutTiles(sections, tileSize(width - 2 * margin, this.#wanted, captionHeight));
      },
      keyOf: (index) => this.#shown.outputs[index]?.id ?? -1 - index,
      make: (index) => this.#make(index),
      update: (tile, index, isSeen) => {
        tile.isSeen = isSeen;
        tile.root.setAttribute('aria-posinset', String(index + 1));
        this.#mark(tile);
      },
      // Each tile says what it is: a list box has no headings.
      heading: ({ heading }) => {
        if (heading === undefined) return undefined;
        const text = headingText(heading, this.#shown.order);
        return element('div', { class: 'heading', 'aria-hidden': 'true' }, text);
      },
    });
    const { root } = this;
    root.setAttribute('aria-multiselectable', 'true');
    root.addEventListener('click', (event) => this.#onClick(event));
    root.addEventListener('dblclick', (event) => {
      const id = idAt(event);
      if (id !== undefined) this.#events.look(id);
    });
    // Before the menu opens: it is for what is selected.
    root.addEventListener('contextmenu', (event) => {
      const id = idAt(event);
      if (id === undefined) {
        // Between tiles; the key of the menu is for the active one.
        if (event.button === 2) event.preventDefault();
      } else if (!this.selection.has(id)) {
        this.selection.only(id);
        this.changed();
      }
    });
    root.addEventListener('keydown', (event) => this.#onKey(event));
    root.addEventListener('dragstart', (event) => this.#onDrag(event));
  }

  get root(): HTMLElement {
    return this.#grid.root;
  }

  starsOf(id: number): Stars {
    return countAt(this.#shown.stars, id);
  }

  show(shown: ShownTiles): void {
    this.#shown = shown;
    this.selection.use(shown.outputs.map(({ id }) => id));
    this.#grid.layOut();
    this.#events.selected();
  }

  caption(captions: readonly GalleryCaption[]): void {
    for (const { id, words } of captions) this.#captions.set(id, words);
    this.#grid.draw();
  }

  resize({ width, isWhole }: TileChoice): void {
    this.#wanted = width;
    this.root.classList.toggle('whole', isWhole);
    this.#grid.layOut();
    if (this.selection.active !== undefined) this.#grid.reveal(this.selection.indexOf(this.selection.active));
  }

  changed(): void {
    const { active } = this.selection;
    if (active !== undefined) this.#grid.reveal(this.selection.indexOf(active));
    for (const tile of this.#grid.cells.values()) this.#mark(tile);
    if (active !== undefined && this.#grid.cells.has(active))
      this.root.setAttribute('aria-activedescendant', `tile-${active}`);
    else this.root.removeAttribute('aria-activedescendant');
    this.#events.selected();
  }

  #make(index: number): Tile {
    const { outputs } = this.#shown;
    const output = outputs[index];
    if (!output) throw new Error('There is no such output.');
    const tile = new Tile(output, this.#thumbnails);
    tile.root.setAttribute('aria-setsize', String(outputs.length));
    if (!this.#captions.has(output.id)) this.#askForCaptions();
    return tile;
  }

  /** Once the tiles stand still: while one scrolls through thousands, nobody reads them. */
  #askForCaptions(): void {
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => {
      const ids = [...this.#grid.cells.keys()].filter((id) => !this.#captions.has(id));
      if (ids.length > 0) this.#events.needsCaptions(ids);
    }, 60);
  }

  #mark(tile: Tile): void {
    const { id } = tile.output;
    tile.mark({
      isSelected: this.selection.has(id),
      isActive: id === this.selection.active,
      stars: this.starsOf(id),
      words: this.#captions.get(id),
    });
  }

  #onClick(event: MouseEvent): void {
    const id = idAt(event);
    if (id === undefined) this.selection.clear();
    else if (event.shiftKey) this.selection.extendTo(id);
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(id);
    else this.selection.only(id);
    this.changed();
  }

  #onDrag(event: DragEvent): void {
    const id = idAt(event);
    if (id === undefined || !event.dataTransfer) return;
    if (!this.selection.has(id)) {
      this.selection.only(id);
      this.changed();
    }
    const dragged = mapDefined(
      this.selection.selected,
      (each) => this.#shown.outputs[this.selection.indexOf(each)]?.dragged,
    );
    if (dragged.length <= mostDragged) {
      startDrag(event.dataTransfer, dragged);
      return;
    }
    event.preventDefault();
    this.#events.tooMany();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { selection } = this;
    const { active } = selection;
    const target = this.#grid.after(event.key, active === undefined ? -1 : selection.indexOf(active));
    if (target !== undefined) selection.moveTo(target, event.shiftKey);
    else if (event.key === ' ' && active !== undefined) selection.toggle(active);
    else if (event.key === 'Escape') selection.clear();
    else return;
    event.preventDefault();
    this.changed();
  }
}

function idAt({ target }: Event): number | undefined {
  const tile = target instanceof Element ? target.closest<HTMLElement>('.tile') : null;
  return tile?.dataset.id === undefined ? undefined : Number(tile.dataset.id);
}
