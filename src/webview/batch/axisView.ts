import { mapDefined } from '../../core/safety/lists';
import { listText, t } from '../../core/safety/localize';
import { axisKinds } from '../contract/constants';
import type { AxisKind, FormAxis, FormProblem, InputChoice } from '../contract/batchEntry';
import { Combobox } from '../ui/combobox';
import { element, iconButton, textButton } from '../ui/element';
import { FieldWords } from '../ui/fields';
import { icon } from '../ui/icon';
import { ValueList } from '../ui/valueList';

export interface AxisEvents {
  readonly pickFile: () => void;
  readonly remove: () => void;
}

type FieldKind = InputChoice['field']['kind'];

/** How the values of an input can be given, the usual way first. */
const kindsOf: Readonly<Record<FieldKind, readonly AxisKind[]>> = {
  int: ['list', 'range', 'file'],
  float: ['list', 'range', 'file'],
  boolean: ['list', 'file'],
  options: ['list', 'options', 'file'],
  text: ['prompt', 'list', 'file'],
  other: axisKinds,
};

/** One input to vary: its name, how its values are given, and the values. */
export class AxisView {
  readonly root: HTMLElement;
  readonly #selector = new Combobox(t`Input`, { placeholder: t`Select an input` });
  readonly #kind = element('select', { 'aria-label': t`Values given as` });
  readonly #text = element('textarea', { rows: '1', spellcheck: 'false', 'aria-label': t`Values` });
  readonly #list = new ValueList(t`Values`);
  readonly #ends = [t`From`, t`To`, t`Step`].map((label) =>
    element('input', { class: 'end', inputmode: 'decimal', 'aria-label': label, placeholder: label }),
  );
  readonly #range = element('div', { class: 'range' }, ...this.#ends);
  readonly #column = element('input', { class: 'column', 'aria-label': t`Column`, placeholder: t`Column` });
  readonly #pick: HTMLElement;
  readonly #all = element('p', { class: 'all' });
  readonly #values: HTMLElement;
  readonly #fields = [this.#text, this.#list.input, this.#column, ...this.#ends];
  readonly #words = new FieldWords([this.#selector.input, ...this.#fields]);
  #choices: readonly InputChoice[] = [];
  #missing = '';
  /** Some of the options, all of them, the ends of a range, or a text. */
  #mode: 'some' | 'all' | 'range' | 'text' = 'text';

  constructor(events: AxisEvents) {
    this.#pick = textButton(t`Select File…`, events.pickFile, 'secondary');
    this.#selector.input.addEventListener('input', () => this.#nameChanged());
    this.#kind.addEventListener('change', () => this.#kindChanged());
    this.#values = element(
      'div',
      { class: 'values' },
      this.#text,
      this.#list.root,
      this.#range,
      this.#all,
      this.#column,
      this.#pick,
    );
    this.root = element(
      'div',
      { class: 'axis', role: 'group' },
      this.#selector.root,
      this.#kind,
      this.#values,
      iconButton(icon('remove'), t`Remove`, events.remove),
      this.#words.root,
    );
    this.#text.addEventListener('input', () => this.#show());
    this.#use('list', '');
  }

  get axis(): FormAxis {
    return { selector: this.#name, kind: this.#chosenKind, text: this.#value, column: this.#column.value };
  }

  show({ selector, kind, text, column }: FormAxis): void {
    this.#selector.input.value = selector;
    this.#column.value = column;
    this.#use(kind, text);
  }

  useChoices(choices: readonly InputChoice[]): void {
    const { kind, text } = this.axis;
    this.#choices = choices;
    this.#selector.useOptions(choices.map(({ selector, value }) => ({ value: selector, detail: value })));
    // A field stays as it is while the user types in it.
    if (!this.root.contains(document.activeElement)) this.#use(kind, text);
  }

  useFile(file: string, column: string): void {
    this.#column.value = column;
    this.#use('file', file);
  }

  /** Marks wrong entries, but not missing ones. */
  showProblems(problems: readonly FormProblem[]): void {
    const wrong = problems.filter(({ isMissing }) => isMissing !== true);
    this.#words.show(
      wrong.map(({ message }) => message).join(' '),
      wrong.every(({ isWarning }) => isWarning === true),
      wrong.some(({ isInput }) => isInput) ? [this.#selector.input] : this.#fields,
    );
    this.#list.mark(new Set(mapDefined(wrong, ({ value }) => value)));
    this.#missing = problems.find(({ isMissing }) => isMissing)?.message ?? '';
    this.#showHint();
  }

  focus(): void {
    this.#selector.input.focus();
  }

  get #name(): string {
    return this.#selector.input.value.trim();
  }

  get #choice(): InputChoice | undefined {
    return this.#choices.find(({ selector }) => selector === this.#name);
  }

  get #chosenKind(): AxisKind {
    return axisKinds.find((kind) => kind === this.#kind.value) ?? 'list';
  }

  get #value(): string {
    switch (this.#mode) {
      case 'range': {
        const [from = '', to = '', step = ''] = this.#ends.map(({ value }) => value.trim());
        return from + to + step === '' ? '' : [from, to, ...(step === '' ? [] : [step])].join('..');
      }
      case 'some':
        return this.#list.text;
      case 'all':
        return '';
      case 'text':
        return this.#text.value;
    }
  }

  #nameChanged(): void {
    if (this.#choice) this.#missing = '';
    const kind = this.#chosenKind;
    const kinds = kindsOf[this.#choice?.field.kind ?? 'other'];
    const text = this.#value;
    if (kinds.includes(kind) && text !== '') this.#use(kind, text);
    else if (this.#choice) this.#use(kinds[0] ?? 'list', '');
    else this.#use(kind, text);
  }

  #kindChanged(): void {
    const text = this.#value;
    const kind = this.#chosenKind;
    const words = text.split(/[,\n]/).map((word) => word.trim());
    if (kind === 'range') this.#use(kind, words.length > 1 ? `${words.at(0)}..${words.at(-1)}` : '');
    else this.#use(kind, kind === 'file' || this.#mode === 'range' ? '' : text);
  }

  #use(kind: AxisKind, text: string): void {
    const { kind: of = 'other', options = [] } = this.#choice?.field ?? {};
    const words = kindWords();
    const kinds = new Set([...kindsOf[of], kind]);
    this.#kind.replaceChildren(
      ...[...kinds].map((each) => element('option', { value: each }, words[each].name)),
    );
    this.#kind.value = kind;
    const isChosen = kind === 'list' && options.length > 0 && !isJsonList(text);
    this.#mode = kind === 'range' ? 'range' : kind === 'options' ? 'all' : isChosen ? 'some' : 'text';
    const parts = this.#mode === 'range' ? text.split('..') : [];
    for (const [index, end] of this.#ends.entries()) end.value = parts[index] ?? '';
    this.#list.useOptions(options);
    this.#list.text = this.#mode === 'some' ? text : '';
    this.#text.value = this.#mode === 'text' ? text : '';
    this.#text.placeholder = words[kind].example;
    this.#all.textContent = listText(options);
    this.#show();
  }

  #show(): void {
    const isFile = this.#chosenKind === 'file';
    // A name that is half typed is followed by nothing.
    const isNamed = this.#name !== '' && (this.#choice ?? (this.#choices.length === 0 || this.#value !== ''));
    this.#kind.hidden = !isNamed;
    this.#values.hidden = !isNamed;
    this.#text.hidden = this.#mode !== 'text';
    this.#list.root.hidden = this.#mode !== 'some';
    this.#range.hidden = this.#mode !== 'range';
    this.#all.hidden = this.#mode !== 'all';
    this.#column.hidden = !isFile || !/\.csv$/i.test(this.#text.value);
    this.#pick.hidden = !isFile;
    this.#showHint();
  }

  #showHint(): void {
    const choice = this.#choice;
    const now = choice ? t`In the workflow: ${choice.value}` : '';
    const about = [choice?.field.hint ?? '', now].filter((hint) => hint !== '').join(' · ');
    this.#words.hint(`${this.#missing} ${about}`.trim());
    this.#selector.input.title = this.#name;
    this.root.setAttribute('aria-label', this.#name === '' ? t`Input` : this.#name);
  }
}

function isJsonList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

function kindWords(): Readonly<Record<AxisKind, { readonly name: string; readonly example: string }>> {
  return {
    list: { name: t`List`, example: '6, 7, 8' },
    range: { name: t`Range`, example: '' },
    file: { name: t`File`, example: 'prompts.txt' },
    options: { name: t`All options`, example: '' },
    prompt: { name: t`Prompt choices`, example: 'a {red|blue} cat' },
  };
}
