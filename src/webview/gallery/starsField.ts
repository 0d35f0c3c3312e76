import { plural, t } from '../../core/safety/localize';
import type { Stars } from '../contract/gallery';
import { element } from '../ui/element';

const steps = [1, 2, 3, 4, 5] as const;

/** Five stars to press; the one that is shown last takes the rating away. */
export class StarsField {
  readonly root: HTMLElement;
  readonly #buttons: readonly HTMLButtonElement[];
  #stars: Stars = 0;

  constructor(onRate: (stars: Stars) => void) {
    this.#buttons = steps.map((stars) => {
      const label = plural(stars, t`1 star`, t`${stars} stars`);
      const button = element('button', { type: 'button', 'aria-label': label, title: `${label} (${stars})` });
      button.addEventListener('click', () => onRate(this.#stars === stars ? 0 : stars));
      return button;
    });
    this.root = element('div', { class: 'rating', role: 'group', 'aria-label': t`Rating` }, ...this.#buttons);
  }

  show(stars: Stars): void {
    this.#stars = stars;
    for (const [index, button] of this.#buttons.entries()) {
      button.textContent = index < stars ? '★' : '☆';
      button.setAttribute('aria-pressed', String(index + 1 === stars));
    }
  }
}
