import { plural, t } from '../../core/safety/localize';
import type { BatchPreview } from '../contract/batchEntry';
import { element, setText } from '../ui/element';

/** What the form makes: how many runs, how long they take, and the first of them. */
export class PreviewView {
  readonly #count = element('p', { class: 'runs', role: 'status' });
  readonly #facts = element('div', { class: 'hint' });
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #table = element('table', {});
  readonly #more = element('p', { class: 'hint' });
  readonly root = element(
    'section',
    { 'aria-label': t`Preview` },
    element('h2', {}, t`Preview`),
    this.#count,
    this.#facts,
    this.#problem,
    element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': t`Runs` }, this.#table),
    this.#more,
  );

  show({ table, problems }: BatchPreview): void {
    const general = problems.filter(({ axis, field }) => axis === undefined && field === undefined);
    setText(this.#problem, general.map(({ message }) => message).join(' '));
    const wrong = problems.some(({ isMissing, isWarning }) => isMissing !== true && isWarning !== true);
    const next = wrong ? t`Fix the problems marked above.` : t`Complete the inputs above.`;
    const correct = general.length > 0 ? '' : next;
    setText(this.#count, table ? plural(table.count, t`1 run`, t`${table.count} runs`) : correct);
    this.#facts.replaceChildren(...(table?.facts ?? []).map((fact) => element('p', {}, fact)));
    const { columns, rows, count } = table ?? { columns: [], rows: [], count: 0 };
    const isShown = columns.length > 0;
    this.#table.parentElement?.toggleAttribute('hidden', !isShown);
    const left = isShown ? count - rows.length : 0;
    setText(this.#more, left > 0 ? plural(left, t`and 1 more`, t`and ${left} more`) : '');
    this.#table.replaceChildren(
      element('thead', {}, rowOf('th', ['#', ...columns])),
      element(
        'tbody',
        {},
        ...rows.map((row, index) =>
          rowOf('td', [String(index + 1), ...row.map((value) => value ?? t`new seed`)]),
        ),
      ),
    );
  }
}

function rowOf(tag: 'th' | 'td', texts: readonly string[]): HTMLElement {
  return element('tr', {}, ...texts.map((text) => element(tag, {}, text)));
}
