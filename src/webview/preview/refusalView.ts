import type { PreviewRefusal } from '../contract/preview';
import { element, textButton } from '../ui/element';
import { t } from '../../core/safety/localize';

/** What the user can do about a run that did not start. */
export interface RefusalActions {
  goToProblem(index: number): void;
  showProblems(): void;
  run(): void;
}

/** Why a run did not start, in place of the previous run's pictures, which the user did not ask for. */
export class RefusalView {
  readonly root = element('main', { class: 'refusal' });
  readonly #actions: RefusalActions;
  #shown = '';

  constructor(actions: RefusalActions) {
    this.#actions = actions;
  }

  show(refusal: PreviewRefusal): void {
    const fingerprint = JSON.stringify(refusal);
    if (fingerprint === this.#shown) return;
    this.#shown = fingerprint;
    const { title, server, message, nextAction, problems, more } = refusal;
    const list = problems.map((problem, index) => this.#problem(problem, index));
    if (more > 0) list.push(element('li', {}, t`${more} more in the Problems panel`));
    const buttons = element('div', { class: 'buttons' });
    if (problems.length > 0)
      buttons.append(textButton(t`Show Problems`, () => this.#actions.showProblems(), 'primary'));
    buttons.append(
      textButton(t`Run Workflow`, () => this.#actions.run(), problems.length > 0 ? 'secondary' : 'primary'),
    );
    this.root.replaceChildren(
      element('h1', {}, title, element('span', { class: 'state-text' }, ` ${t`Not run`}`)),
      element('p', { class: 'meta' }, server),
      element(
        'div',
        { class: 'notice', role: 'status' },
        message === '' ? undefined : element('p', {}, message),
        list.length > 0 ? element('ul', { class: 'problems' }, ...list) : undefined,
        nextAction === '' ? undefined : element('p', {}, nextAction),
        buttons,
      ),
    );
  }

  #problem(problem: string, index: number): HTMLElement {
    const link = element('button', { type: 'button', class: 'link-button' }, problem);
    link.addEventListener('click', () => this.#actions.goToProblem(index));
    return element('li', {}, link);
  }
}
