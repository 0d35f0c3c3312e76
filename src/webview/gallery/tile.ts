import { listText, plural, t } from '../../core/safety/localize';
import { exactTime } from '../../core/safety/timeText';
import type { GalleryKind, GalleryOutput, Stars } from '../contract/gallery';
import { element, setText } from '../ui/element';
import { icon } from '../ui/icon';
import type { GridCell } from '../ui/virtualGrid';
import { kindName } from './galleryWords';
import type { Thumbnails, ThumbnailTile } from './thumbnails';

export interface TileMarks {
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly stars: Stars;
  readonly words: readonly string[] | undefined;
}

/** One output in the grid: an image, or the kind of its file. */
export class Tile implements GridCell, ThumbnailTile {
  readonly root: HTMLElement;
  readonly output: GalleryOutput;
  isSeen = false;
  isClosed = false;
  readonly #thumbnails: Thumbnails;
  readonly #frame = element('div', { class: 'frame' });
  readonly #stars = element('span', { class: 'stars', 'aria-hidden': 'true' });
  readonly #caption = element('div', { class: 'caption' });
  readonly #differs = element('div', { class: 'differs' });
  readonly #spoken = element('span', { class: 'spoken' });
  #canvas: HTMLCanvasElement | undefined;
  #width = 0;
  #marked = '';

  constructor(output: GalleryOutput, thumbnails: Thumbnails) {
    this.output = output;
    this.#thumbnails = thumbnails;
    const { id, name, details, workflow } = output;
    const marks = element('div', { class: 'marks', 'aria-hidden': 'true' }, icon('done'));
    this.root = element(
      'div',
      {
        class: 'tile',
        role: 'option',
        'aria-busy': 'true',
        id: `tile-${id}`,
        title: [name, workflow, exactTime(output.time), details].filter((line) => line !== '').join('\n'),
      },
      this.#frame,
      marks,
      this.#stars,
      this.#caption,
      this.#differs,
      this.#spoken,
    );
    this.root.dataset.id = String(id);
    this.root.draggable = output.dragged !== undefined;
    if (output.kind !== 'image') this.#fill(...kindMarks(output));
  }

  mark(marks: TileMarks): void {
    const wanted = JSON.stringify(marks);
    if (wanted === this.#marked) return;
    this.#marked = wanted;
    const { isSelected, isActive, stars, words = [] } = marks;
    this.root.setAttribute('aria-selected', String(isSelected));
    this.root.classList.toggle('active', isActive);
    setText(this.#stars, '★'.repeat(stars));
    const { kind, workflow, details, caption } = this.output;
    const [first = caption, ...others] = words;
    setText(this.#caption, first);
    // The other differences, or else the time.
    setText(this.#differs, others.length > 0 ? others.join(' · ') : exactTime(this.output.time));
    const rating = stars === 0 ? '' : plural(stars, t`1 star`, t`${stars} stars`);
    setText(this.#spoken, listText([kindName(kind), workflow, exactTime(this.output.time), details, rating]));
  }

  resize(width: number): void {
    if (this.output.kind === 'image' && width !== this.#width) this.#draw(width);
    this.#width = width;
  }

  close(): void {
    this.isClosed = true;
    // The memory of a canvas isn't counted with the objects of the page, so it would be kept for long.
    if (this.#canvas) this.#canvas.width = this.#canvas.height = 0;
  }

  #draw(width: number): void {
    const pixels = width * Math.min(2, window.devicePixelRatio);
    const made = this.#thumbnails.get(this.output.source, pixels);
    if (made) this.#show(made);
    else
      this.#thumbnails.request(this.output, pixels, this, (picture) => {
        if (this.isClosed) return;
        if (picture) this.#show(picture);
        else this.#fill(...kindMarks(this.output));
      });
  }

  #show(picture: ImageBitmap): void {
    const canvas = (this.#canvas ??= element('canvas', { 'aria-hidden': 'true' }));
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    this.#fill(canvas);
  }

  #fill(...content: readonly Element[]): void {
    this.#frame.replaceChildren(...content);
    this.root.removeAttribute('aria-busy');
  }
}

const kindIcons = {
  image: 'picture',
  video: 'play',
  audio: 'volume',
  model3d: 'cube',
  text: 'text',
  other: 'file',
} as const satisfies Record<GalleryKind, string>;

/** The marks of an output that has no image. */
export function kindMarks({ kind, name }: GalleryOutput): readonly Element[] {
  const ending = /\.([a-z0-9]{1,6})$/i.exec(name)?.[1] ?? '';
  return [icon(kindIcons[kind]), element('span', { class: 'kind' }, ending.toUpperCase())];
}
