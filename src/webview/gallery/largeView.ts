import { t } from '../../core/safety/localize';
import type { GalleryOutput, Stars } from '../contract/gallery';
import { element, iconButton, setText } from '../ui/element';
import { icon } from '../ui/icon';
import { ImageView } from '../ui/imageView';
import { StarsField } from './starsField';
import { kindMarks } from './tile';

export interface LargeEvents {
  readonly close: () => void;
  readonly move: (step: 1 | -1) => void;
  readonly rate: (stars: Stars) => void;
}

/** One output over the whole panel. */
export class LargeView {
  readonly root: HTMLElement;
  readonly #stage = element('div', { class: 'stage zoomable', role: 'group', tabindex: '0' });
  readonly #name = element('span', { class: 'name' });
  readonly #place = element('span', { class: 'place' });
  readonly #stars: StarsField;
  #id: number | undefined;
  #shown = new AbortController();

  constructor(events: LargeEvents) {
    this.#stars = new StarsField(events.rate);
    const close = iconButton(icon('close'), t`Back to the Gallery`, events.close);
    const previous = iconButton(icon('back'), t`Previous`, () => events.move(-1));
    const next = iconButton(icon('back'), t`Next`, () => events.move(1));
    next.classList.add('forward');
    this.root = element(
      'section',
      { class: 'large', 'aria-label': t`Large View` },
      element(
        'div',
        { class: 'large-bar' },
        element('span', { class: 'told', role: 'status' }, this.#name, ' ', this.#place),
        this.#stars.root,
        previous,
        next,
        close,
      ),
      this.#stage,
    );
    this.root.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === 'ArrowRight') events.move(1);
      else if (event.key === 'ArrowLeft') events.move(-1);
      else if (event.key === 'Escape') events.close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param place where it is among the others */
  show(output: GalleryOutput, stars: Stars, place: string): void {
    this.#stars.show(stars);
    setText(this.#name, output.caption);
    this.#name.title = output.name;
    setText(this.#place, place);
    if (output.id === this.#id) return;
    this.#id = output.id;
    this.#shown.abort();
    this.#shown = new AbortController();
    const { signal } = this.#shown;
    this.#stage.setAttribute('aria-label', output.name);
    this.#stage.setAttribute('aria-busy', String(output.kind === 'image'));
    if (output.kind === 'image') void this.#showPicture(output, signal);
    else this.#stage.replaceChildren(playerOf(output));
    this.#stage.focus();
  }

  close(): void {
    this.#shown.abort();
    this.root.remove();
  }

  /** Once it is decoded: until then the one before stays. */
  async #showPicture(output: GalleryOutput, signal: AbortSignal): Promise<void> {
    const picture = element('img', { class: 'picture', alt: output.name, draggable: 'false' });
    picture.src = output.source;
    const isDecoded = await picture.decode().then(
      () => true,
      () => false,
    );
    if (signal.aborted) return;
    this.#stage.setAttribute('aria-busy', 'false');
    const placed = element('div', { class: 'placed' }, picture);
    this.#stage.replaceChildren(isDecoded ? placed : marksOf(output));
    const size = { width: picture.naturalWidth, height: picture.naturalHeight };
    if (isDecoded) new ImageView(this.#stage, placed, () => size, signal).layout();
  }
}

function playerOf(output: GalleryOutput): HTMLElement {
  const { kind, source, name } = output;
  if (kind !== 'video' && kind !== 'audio') return marksOf(output);
  return element(kind, { class: 'player', controls: '', src: source, 'aria-label': name });
}

function marksOf(output: GalleryOutput): HTMLElement {
  return element('div', { class: 'no-picture' }, ...kindMarks(output));
}
