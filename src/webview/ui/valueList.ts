import { t } from '../../core/safety/localize';
import { Combobox } from './combobox';
import { element, iconButton } from './element';
import { icon } from './icon';

/** Several values of an input that has options: those chosen, and a searchable list to add more from. */
export class ValueList {
  readonly root: HTMLElement;
  readonly #chosen = element('ul', { class: 'chosen' });
  readonly #adding: Combobox;
  #values: readonly string[] = [];
  #wrong: ReadonlySet<string> = new Set();
  #options: readonly string[] = [];

  constructor(label: string) {
    this.#adding = new Combobox(label, { placeholder: t`Add a value` }, (value) => this.#add(value));
    this.root = element('div', { class: 'value-list' }, this.#chosen, this.#adding.root);
    const { input } = this.#adding;
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && input.value.trim() !== '') {
        event.preventDefault();
        this.#add(input.value.trim());
      }
      if (event.key === 'Backspace' && input.value === '' && this.#values.length > 0)
        this.#change(this.#values.slice(0, -1));
    });
    // Typed text becomes a value even without Enter.
    input.addEventListener('change', () => {
      if (input.value.trim() !== '') this.#add(input.value.trim());
    });
  }

  get input(): HTMLInputElement {
    return this.#adding.input;
  }

  /** As a text with a value between commas, or on each line. What is being typed counts once it leads to no option. */
  get text(): string {
    const typed = this.input.value.trim();
    const values = typed === '' || this.#adding.leadsOn(typed) ? this.#values : [...this.#values, typed];
    return values.some((value) => /[,[]|^\s|\s$/.test(value)) ? `${values.join('\n')}\n` : values.join(', ');
  }

  set text(text: string) {
    const values = text
      .split(text.includes('\n') ? '\n' : ',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
    this.input.value = '';
    this.#show([...new Set(values)]);
  }

  useOptions(options: readonly string[]): void {
    this.#options = options;
    this.#offer();
  }

  /** Marks those that the input can't have. */
  mark(wrong: ReadonlySet<string>): void {
    this.#wrong = wrong;
    for (const row of this.#chosen.children)
      row.classList.toggle('wrong', wrong.has(row.firstElementChild?.textContent ?? ''));
  }

  #add(value: string): void {
    this.input.value = '';
    this.#change(this.#values.includes(value) ? this.#values : [...this.#values, value]);
  }

  #change(values: readonly string[]): void {
    this.#show(values);
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #show(values: readonly string[]): void {
    this.#values = values;
    this.#chosen.hidden = values.length === 0;
    this.#chosen.replaceChildren(...values.map((value) => this.#row(value)));
    this.mark(this.#wrong);
    this.#offer();
  }

  #row(value: string): HTMLElement {
    const remove = iconButton(icon('failed'), t`Remove ${value}`, () => {
      this.#change(this.#values.filter((each) => each !== value));
      this.input.focus();
    });
    return element('li', {}, element('span', {}, value), remove);
  }

  /** Offers only options that aren't chosen yet. */
  #offer(): void {
    const chosen = new Set(this.#values);
    this.#adding.useOptions(
      this.#options.filter((option) => !chosen.has(option)).map((value) => ({ value })),
    );
  }
}
