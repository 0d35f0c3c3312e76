import { mapDefined } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import type {
  InputField,
  NodeValue,
  PageNode,
  RecordChange,
  RecordView,
  WrongChange,
} from '../contract/record';
import { Combobox } from '../ui/combobox';
import { element, textButton } from '../ui/element';
import { FieldWords } from '../ui/fields';
import { section } from './sections';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface KnownField {
  readonly node: string;
  readonly input: string;
  readonly field: Field;
  readonly words: FieldWords;
  /** As the field gives it back: it may have other line breaks than the value. */
  readonly initial: string;
}

export interface FormEvents {
  readonly run: (changes: readonly RecordChange[]) => void;
  readonly cancel: () => void;
  readonly changed: (changes: readonly RecordChange[]) => void;
}

/** The values of a run in fields, by node, with what the definitions let one enter. Links stay as they are. */
export class ValueForm {
  readonly root: HTMLElement;
  readonly #fields: KnownField[] = [];
  readonly #allowed: ReadonlyMap<string, InputField['field']>;

  /** @param before changes to begin with, such as those from before a reload */
  constructor(
    view: RecordView,
    allowed: readonly InputField[],
    before: readonly RecordChange[],
    events: FormEvents,
  ) {
    this.#allowed = new Map(allowed.map(({ node, input, field }) => [`${node}\n${input}`, field]));
    const nodes = mapDefined(view.nodes, (node) => this.#fieldsOf(node));
    for (const { node, input, text } of before) {
      const known = this.#fields.find((each) => each.node === node && each.input === input);
      if (known) known.field.value = text;
    }
    const run = textButton(t`Run with These Values`, () => undefined, 'primary');
    run.type = 'submit';
    const form = element(
      'form',
      { class: 'values-form' },
      element(
        'p',
        { class: 'quiet' },
        t`Change values, then run. This doesn't change the record or the workflow file.`,
      ),
      ...nodes,
      element('div', { class: 'buttons' }, run, textButton(t`Cancel`, events.cancel, 'secondary')),
    );
    form.addEventListener('input', () => {
      this.#mark();
      events.changed(this.changes);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      events.run(this.changes);
    });
    form.addEventListener('keydown', (event) => {
      // Only the button discards what was typed.
      if (event.key === 'Escape' && this.changes.length === 0) events.cancel();
    });
    this.#mark();
    this.root = section(t`Run With…`, form);
    this.root.classList.add('editing');
  }

  get changes(): readonly RecordChange[] {
    return this.#fields.flatMap(({ node, input, field, initial }) =>
      field.value === initial ? [] : [{ node, input, text: field.value }],
    );
  }

  showWrong(wrong: readonly WrongChange[]): void {
    for (const { node, input, words } of this.#fields) {
      const own = wrong.filter((each) => each.node === node && each.input === input);
      words.show(own.map(({ message }) => message).join(' '));
    }
  }

  focus(): void {
    this.#fields[0]?.field.focus();
  }

  #mark(): void {
    for (const { field, initial } of this.#fields)
      field.closest('.field')?.classList.toggle('changed', field.value !== initial);
  }

  /** Undefined for a node without a value to edit. */
  #fieldsOf({ id, name, values }: PageNode): HTMLElement | undefined {
    const rows = mapDefined(values, (value) => this.#row(id, name, value));
    if (rows.length === 0) return undefined;
    const legend = element('legend', {}, element('span', { class: 'name' }, name), ' ', `#${id}`);
    return element('fieldset', { class: 'node' }, legend, ...rows);
  }

  #row(node: string, nodeName: string, value: NodeValue): HTMLElement | undefined {
    if (!value.edit) return undefined;
    const { kind, exact = value.text } = value.edit;
    const label = `${nodeName}, ${value.name}`;
    const { options = [], hint } = this.#allowed.get(`${node}\n${value.name}`) ?? {};
    let root: HTMLElement;
    let field: Field;
    if (kind === 'text' && options.length > 0) {
      const combobox = new Combobox(label);
      combobox.useOptions(options.map((option) => ({ value: option })));
      combobox.input.value = exact;
      ({ root, input: field } = combobox);
    } else {
      field = fieldOf(kind, exact);
      field.setAttribute('aria-label', label);
      root = field;
    }
    const words = new FieldWords([field], hint);
    this.#fields.push({ node, input: value.name, field, words, initial: field.value });
    field.id = `value${this.#fields.length}`;
    const name = element('label', { class: 'quiet', for: field.id }, value.name);
    return element('div', { class: 'field' }, name, root, words.root);
  }
}

function fieldOf(kind: NonNullable<NodeValue['edit']>['kind'], value: string): Field {
  if (kind === 'boolean') {
    const select = element('select', {}, element('option', {}, 'true'), element('option', {}, 'false'));
    select.value = value;
    return select;
  }
  if (kind === 'number') {
    const input = element('input', {
      inputmode: 'decimal',
      required: '',
      spellcheck: 'false',
      // As in JSON.
      pattern: String.raw`\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+\-]?\d+)?\s*`,
      title: t`Enter a number such as 20 or 7.5.`,
    });
    input.value = value;
    return input;
  }
  const area = element('textarea', { rows: String(rowsFor(value)), spellcheck: 'false' });
  area.value = value;
  return area;
}

function rowsFor(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 90), 0);
  return Math.min(10, lines);
}
