import { element } from '../ui/element';
import { slider } from '../ui/slider';
import { t } from '../../core/safety/localize';

/** The previous run's picture over the new one, up to the position of a slider. */
export class Comparison {
  /** Covers the new picture and is scaled with it. */
  readonly #earlier: HTMLImageElement;
  readonly #edge = element('div', { class: 'compare-edge' });
  readonly #slider = slider({ min: '0', max: '100', value: '50', step: '1' });
  readonly #line: HTMLElement;
  readonly #placed: HTMLElement;

  /**
   * @param placed the scaled element that contains the new picture
   * @param onBroken called when the previous run's picture cannot be read
   */
  constructor(
    placed: HTMLElement,
    stage: HTMLElement,
    previous: { readonly source: string; readonly name: string },
    onBroken: () => void,
  ) {
    this.#placed = placed;
    this.#earlier = element('img', {
      class: 'earlier',
      alt: t`Previous run: ${previous.name}`,
      draggable: 'false',
    });
    this.#slider.setAttribute('aria-label', t`How much of the previous image to show`);
    this.#line = element(
      'div',
      { class: 'compare-line' },
      element('span', { title: previous.name }, t`Previous`),
      this.#slider,
      element('span', {}, t`New`),
    );
    this.#slider.addEventListener('input', () => this.#split());
    this.#earlier.addEventListener('error', onBroken);
    this.#earlier.src = previous.source;
    this.#split();
    placed.append(this.#earlier, this.#edge);
    stage.after(this.#line);
  }

  close(): void {
    this.#earlier.remove();
    this.#edge.remove();
    this.#line.remove();
  }

  #split(): void {
    this.#placed.style.setProperty('--split', `${this.#slider.value}%`);
    this.#slider.setAttribute('aria-valuetext', t`${this.#slider.value}% previous`);
  }
}
