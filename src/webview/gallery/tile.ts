import { displayLanguage, listText, t } from '../../core/safety/localize';
import type { GalleryKind, GalleryOutput } from '../contract/gallery';
import { element, setText } from '../ui/element';
import { icon } from '../ui/icon';
import type { Thumbnails } from './thumbnails';
import { kindName } from './galleryWords';

/** One output in the grid: a picture, or what kind of file it is. */
export class Tile {
  readonly root: HTMLElement;
  readonly output: GalleryOutput;
  readonly #thumbnails: Thumbnails;
  readonly #frame = element('div', { class: 'frame' });
  /** What the picture and the marks say to those who see them. */
  readonly #spoken = element('span', { class: 'spoken' });
  #width = 0;
  /** The marks as they are shown. */
  #marked = '';
  #isClosed = false;

  constructor(output: GalleryOutput, thumbnails: Thumbnails) {
    this.output = output;
    this.#thumbnails = thumbnails;
    const caption = element('div', { class: 'caption' }, captionOf(output));
    const marks = element('div', { class: 'marks', 'aria-hidden': 'true' }, icon('done'), icon('star'));
    this.root = element(
      'div',
      {
        class: 'tile',
        role: 'option',
        id: `tile-${output.id}`,
        title: [output.name, output.details].filter((line) => line !== '').join('\n'),
      },
      this.#frame,
      marks,
      caption,
      this.#spoken,
    );
    this.root.dataset.id = String(output.id);
    this.root.draggable = output.dragged !== undefined;
    if (output.kind !== 'image') this.#showKind();
  }

  mark(marks: {
    readonly isSelected: boolean;
    readonly isActive: boolean;
    readonly isFavorite: boolean;
  }): void {
    const wanted = JSON.stringify(marks);
    if (wanted === this.#marked) return;
    this.#marked = wanted;
    this.root.setAttribute('aria-selected', String(marks.isSelected));
    this.root.classList.toggle('active', marks.isActive);
    this.root.classList.toggle('favorite', marks.isFavorite);
    const { kind, time, workflow, details } = this.output;
    const when = new Date(time).toLocaleString(displayLanguage());
    const words = [kindName(kind), workflow, when, details, marks.isFavorite ? t`favorite` : ''];
    setText(this.#spoken, listText(words));
  }

  /** Places the tile. @param width of its picture in pixels of the page */
  place(x: number, y: number, width: number, height: number): void {
    const { style } = this.root;
    style.transform = `translate(${x}px, ${y}px)`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    if (this.output.kind === 'image' && width !== this.#width) this.#draw(width);
    this.#width = width;
  }

  close(): void {
    this.#isClosed = true;
    this.root.remove();
  }

  #draw(width: number): void {
    const { source } = this.output;
    const pixels = width * Math.min(2, window.devicePixelRatio);
    const made = this.#thumbnails.get(source, pixels);
    if (made) {
      this.#show(made);
      return;
    }
    const isWanted = (): boolean => !this.#isClosed;
    this.#thumbnails.request(this.output, pixels, isWanted, (picture) => {
      if (this.#isClosed) return;
      if (picture) this.#show(picture);
      else this.#showKind();
    });
  }

  #show(picture: ImageBitmap): void {
    const canvas = element('canvas', { 'aria-hidden': 'true' });
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    this.#frame.replaceChildren(canvas);
  }

  #showKind(): void {
    const { kind, name } = this.output;
    const ending = /\.([a-z0-9]{1,6})$/i.exec(name)?.[1] ?? '';
    const label = element('span', { class: 'kind' }, ending.toUpperCase());
    this.#frame.replaceChildren(icon(kindIcons[kind]), label);
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

/** The names of a workflow's outputs all begin alike; the grid has the day above. */
function captionOf({ time, workflow }: GalleryOutput): string {
  const clock = new Date(time).toLocaleTimeString(displayLanguage(), { timeStyle: 'medium' });
  return listText([clock, workflow]);
}
