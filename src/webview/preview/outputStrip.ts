import type { PreviewOutput } from '../contract/preview';
import { element, wholeImage } from '../ui/element';
import { t } from '../../core/safety/localize';

/** The row of thumbnails below the stage: a list box with arrow key navigation. */
export class OutputStrip {
  readonly root = element('div', {
    class: 'strip',
    role: 'listbox',
    'aria-label': t`Outputs`,
    tabindex: '0',
  });
  #keys: readonly string[] = [];
  #shown = '';

  constructor(private readonly onSelect: (key: string) => void) {
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    // A narrower panel would hide the selected thumbnail.
    new ResizeObserver(() => bringIntoSight(this.root.querySelector('[aria-selected="true"]'))).observe(
      this.root,
    );
  }

  show(outputs: readonly PreviewOutput[], selected: string | undefined): void {
    this.root.hidden = outputs.length < 2;
    const fingerprint = outputs.map((output) => `${output.key} ${output.source ?? ''}`).join('\n');
    if (fingerprint !== this.#shown) {
      this.#shown = fingerprint;
      this.#keys = outputs.map((output) => output.key);
      this.root.replaceChildren(...outputs.map((output) => this.#thumbnail(output)));
    }
    for (const [index, child] of [...this.root.children].entries()) {
      const isSelected = this.#keys[index] === selected;
      child.setAttribute('aria-selected', String(isSelected));
      if (isSelected) {
        this.root.setAttribute('aria-activedescendant', child.id);
        bringIntoSight(child);
      }
    }
  }

  #thumbnail(output: PreviewOutput): HTMLElement {
    const kind = (): HTMLElement => element('span', { class: 'kind' }, kindOf(output));
    const picture =
      output.media === 'image' && output.source !== undefined
        ? wholeImage({ src: output.source, alt: '', loading: 'lazy', draggable: 'false' })
        : kind();
    // The server may call a file a picture that is not one.
    picture.addEventListener('error', () => picture.replaceWith(kind()));
    const made = element(
      'div',
      {
        class: 'thumbnail',
        role: 'option',
        id: `output-${this.#keys.indexOf(output.key)}`,
        title: output.name,
      },
      picture,
    );
    made.setAttribute('aria-label', output.name);
    made.addEventListener('click', () => this.onSelect(output.key));
    return made;
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    this.move(step);
  }

  /** Selects the next or previous output; stays at the ends. */
  move(step: 1 | -1): void {
    const at = [...this.root.children].findIndex((child) => child.getAttribute('aria-selected') === 'true');
    const key = this.#keys[at + step];
    if (key !== undefined) this.onSelect(key);
  }
}

function bringIntoSight(thumbnail: Element | null): void {
  thumbnail?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The label in place of a picture: the extension says more than `image` or `other`. */
function kindOf({ media, name }: PreviewOutput): string {
  const ending = media === 'text' ? undefined : /\.([a-z0-9]{1,6})$/i.exec(name)?.[1];
  return ending ?? media;
}
