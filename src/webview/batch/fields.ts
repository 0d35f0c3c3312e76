import { element, setText } from '../ui/element';

let ids = 0;

/** Names an element, for those that describe it. */
function named<E extends HTMLElement>(target: E): E {
  target.id = `e${ids++}`;
  return target;
}

/** What is wrong with a field, below it. */
export class Problem {
  readonly root = named(element('p', { class: 'problem', role: 'alert' }));

  constructor() {
    this.root.hidden = true;
  }

  show(message: string): void {
    setText(this.root, message);
    this.root.hidden = message === '';
  }
}

/** A labelled field with its problem, and a hint. */
export function field(label: string, input: HTMLElement, problem: Problem, hint?: string): HTMLElement {
  const words = hint === undefined ? undefined : named(element('p', { class: 'hint' }, hint));
  input.setAttribute('aria-describedby', [problem.root.id, ...(words ? [words.id] : [])].join(' '));
  return element('div', { class: 'field' }, element('label', {}, label, input), problem.root, words);
}
