import { t } from '../../core/safety/localize';
import type { GraphFound } from '../contract/graphPanel';
import { element, setText } from '../ui/element';
import { fieldMenu } from './rowActs';

/** A field that finds nodes on all levels, with how many it has found. */
export class FindBar {
  readonly #field = element('input', {
    type: 'search',
    placeholder: t`Find a node`,
    'aria-label': t`Find a node by its title, type, ID, or value`,
  });
  readonly #count = element('output', { class: 'count' });
  readonly root = element('search', { class: 'find' }, this.#field, this.#count);

  /**
   * @param onFind by 0 for the first one that is found, or the same if it still is
   * @param onLeave takes the focus back
   */
  constructor(onFind: (text: string, by: -1 | 0 | 1) => void, onLeave: () => void) {
    const find = (by: -1 | 0 | 1): void => {
      if (this.#field.value.trim() === '') setText(this.#count, '');
      else onFind(this.#field.value, by);
    };
    this.#field.dataset['vscodeContext'] = fieldMenu;
    this.#field.addEventListener('input', () => find(0));
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') find(event.shiftKey ? -1 : 1);
      if (event.key !== 'Escape') return;
      this.#field.value = '';
      setText(this.#count, '');
      onLeave();
    });
  }

  start(): void {
    window.focus();
    this.#field.focus();
    this.#field.select();
  }

  /** @returns false if more was typed since */
  tell(text: string, found: GraphFound | null): boolean {
    if (text !== this.#field.value) return false;
    const at = found ? t`${found.number} of ${found.count}` : t`Not found`;
    const words = found && found.where !== '' ? t`${at}, in ${found.where}` : at;
    setText(this.#count, words);
    this.#count.title = words;
    return true;
  }
}
