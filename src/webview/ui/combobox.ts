import { t } from '../../core/safety/localize';
import { element } from './element';
import { icon } from './icon';

export interface ComboboxOption {
  readonly value: string;
  /** Beside it, such as the value that an input has now. */
  readonly detail?: string | undefined;
}

/** More are not drawn: one types to find them. */
const mostDrawn = 200;

let ids = 0;

/** A text field with a searchable list. It sends an `input` event when an option is chosen, too. */
export class Combobox {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #list: HTMLElement;
  #options: readonly ComboboxOption[] = [];
  #shown: readonly ComboboxOption[] = [];
  #active = -1;

  /** @param onPick takes the chosen option instead of the field */
  constructor(
    label: string,
    attributes: Readonly<Record<string, string>> = {},
    private readonly onPick?: (value: string) => void,
  ) {
    const id = `options${ids++}`;
    this.input = element('input', {
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-label': label,
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': id,
      ...attributes,
    });
    this.#list = element('div', { class: 'options', role: 'listbox', id, 'aria-label': t`Options` });
    this.#list.hidden = true;
    const arrow = element('span', { class: 'arrow', 'aria-hidden': 'true' }, icon('unfold'));
    this.root = element('div', { class: 'combobox' }, this.input, arrow, this.#list);
    this.input.addEventListener('input', (event) => {
      // A chosen option sends an event of ours.
      if (event.isTrusted) this.#open(this.input.value);
    });
    this.input.addEventListener('keydown', (event) => this.#onKey(event));
    this.input.addEventListener('blur', () => this.#close());
    this.input.addEventListener('click', () => this.#open(''));
    arrow.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.input.focus();
      this.#open('');
    });
    this.#list.addEventListener('pointerdown', (event) => {
      // The field keeps the focus.
      event.preventDefault();
    });
    this.#list.addEventListener('click', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null;
      const option = row ? this.#shown[Number(row.dataset.index)] : undefined;
      if (option) this.#pick(option);
    });
  }

  get isOpen(): boolean {
    return !this.#list.hidden;
  }

  useOptions(options: readonly ComboboxOption[]): void {
    this.#options = options;
    this.root.classList.toggle('plain', options.length === 0);
    if (this.isOpen) this.#open(this.input.value);
  }

  leadsOn(text: string): boolean {
    return text !== '' && matching(this.#options, text).length > 0;
  }

  #open(text: string): void {
    const found = matching(this.#options, text);
    this.#shown = found.slice(0, mostDrawn);
    const rest = found.length - this.#shown.length;
    const rows = this.#shown.map(({ value, detail }, index) =>
      element(
        'div',
        { role: 'option', id: `${this.#list.id}-${index}`, 'data-index': String(index), title: value },
        element('span', { class: 'value' }, value),
        detail === undefined ? undefined : element('span', { class: 'detail' }, detail),
      ),
    );
    const more =
      rest > 0
        ? element('div', { class: 'more', role: 'presentation' }, t`${rest} more. Type to search.`)
        : undefined;
    this.#list.replaceChildren(...rows, ...(more ? [more] : []));
    this.#list.hidden = rows.length === 0;
    this.input.setAttribute('aria-expanded', String(this.isOpen));
    this.#activate(this.#shown.findIndex(({ value }) => value === this.input.value));
    if (this.isOpen) this.#list.scrollIntoView({ block: 'nearest' });
  }

  #close(): void {
    this.#list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.#activate(-1);
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [at, row] of [...this.#list.children].entries()) {
      if (row.role !== 'option') continue;
      row.setAttribute('aria-selected', String(at === index));
      if (at !== index) continue;
      const { offsetTop, offsetHeight } = row as HTMLElement;
      const { scrollTop, clientHeight } = this.#list;
      this.#list.scrollTop = Math.min(
        offsetTop,
        Math.max(scrollTop, offsetTop + offsetHeight - clientHeight),
      );
    }
    if (index < 0) this.input.removeAttribute('aria-activedescendant');
    else this.input.setAttribute('aria-activedescendant', `${this.#list.id}-${index}`);
  }

  #pick({ value }: ComboboxOption): void {
    this.#close();
    if (this.onPick) {
      this.onPick(value);
      return;
    }
    this.input.value = value;
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #onKey(event: KeyboardEvent): void {
    const { length } = this.#shown;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        if (!this.isOpen) this.#open('');
        else this.#activate((this.#active + step + length) % length);
        break;
      }
      case 'Enter': {
        const option = this.isOpen ? this.#shown[this.#active] : undefined;
        if (!option) return;
        this.#pick(option);
        event.stopImmediatePropagation();
        break;
      }
      case 'Escape':
        if (!this.isOpen) return;
        this.#close();
        event.stopPropagation();
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

/** Finds the options that contain all words of a text: first those that begin with it, then those with such a word. */
export function matching<T extends ComboboxOption>(options: readonly T[], text: string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/u);
  const ranked = options.flatMap((option) => {
    const name = option.value.toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    const at = name.indexOf(wanted);
    const isWord = [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].some(({ index }) =>
      name.startsWith(wanted, index),
    );
    return [{ option, rank: at === 0 ? 0 : isWord ? 1 : 2 }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ option }) => option);
}
