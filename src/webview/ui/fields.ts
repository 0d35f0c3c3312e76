import { element, setText } from './element';

let ids = 0;

function named<E extends HTMLElement>(target: E): E {
  target.id = `e${ids++}`;
  return target;
}

/** Shows the problems of some fields below them, and a hint at valid values. */
export class FieldWords {
  readonly #hint = named(element('p', { class: 'hint' }));
  readonly #problem = named(element('p', { class: 'problem', role: 'alert' }));
  readonly root = element('div', { class: 'field-words' }, this.#problem, this.#hint);
  readonly #fields: readonly HTMLElement[];

  constructor(fields: readonly HTMLElement[], hint = '') {
    this.#fields = fields;
    for (const field of fields)
      field.setAttribute('aria-describedby', `${this.#problem.id} ${this.#hint.id}`);
    this.hint(hint);
    this.show('');
  }

  hint(words: string): void {
    setText(this.#hint, words);
    this.#hint.hidden = words === '';
  }

  /**
   * @param isWarning the value can be used all the same
   * @param wrong those of the fields that it is about
   */
  show(message: string, isWarning = false, wrong = this.#fields): void {
    setText(this.#problem, message);
    this.#problem.hidden = message === '';
    this.#problem.classList.toggle('warning', isWarning);
    const isWrong = message !== '' && !isWarning;
    for (const field of this.#fields)
      field.setAttribute('aria-invalid', String(isWrong && wrong.includes(field)));
  }
}

/** A labelled field with its words. */
export function labelled(label: string, field: HTMLElement, words: FieldWords): HTMLElement {
  return element('div', { class: 'field' }, element('label', {}, label, field), words.root);
}
