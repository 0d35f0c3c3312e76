import { t } from '../../core/safety/localize';
import { axisKinds, type AxisKind, type FormAxis, type InputChoice } from '../contract/batchEntry';
import { element, iconButton, setText, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { Problem } from './fields';

export interface AxisEvents {
  readonly pickFile: () => void;
  readonly remove: () => void;
}

/** What the values of an input of this kind usually are. */
const usualKinds = { number: 'list', text: 'prompt', options: 'options', other: 'list' } as const;

/** One input to vary: its name, what its values are, and the values. */
export class AxisView {
  readonly problem = new Problem();
  readonly root: HTMLElement;
  readonly #selector = element('input', {
    list: 'inputs',
    class: 'name',
    'aria-label': t`Input`,
    placeholder: 'KSampler.cfg',
    spellcheck: 'false',
  });
  readonly #kind = element('select', { 'aria-label': t`Values` });
  readonly #text = element('textarea', { rows: '1', spellcheck: 'false', 'aria-label': t`Values` });
  readonly #column = element('input', { class: 'column', 'aria-label': t`Column` });
  readonly #pick: HTMLElement;
  readonly #hint = element('p', { class: 'hint' });
  #choices: readonly InputChoice[] = [];

  constructor(events: AxisEvents) {
    const words = kindWords();
    this.#kind.append(...axisKinds.map((kind) => element('option', { value: kind }, words[kind].name)));
    this.#pick = textButton(t`Choose File…`, events.pickFile, 'secondary');
    for (const each of [this.#selector, this.#text])
      each.setAttribute('aria-describedby', this.problem.root.id);
    this.#selector.addEventListener('input', () => this.#nameChanged());
    this.#kind.addEventListener('change', () => this.#showKind());
    this.root = element(
      'div',
      { class: 'axis', role: 'group' },
      this.#selector,
      this.#kind,
      element('div', { class: 'values' }, this.#text, this.#column, this.#pick),
      iconButton(icon('remove'), t`Remove`, events.remove),
      this.problem.root,
      this.#hint,
    );
    this.#showKind();
  }

  get axis(): FormAxis {
    return {
      selector: this.#selector.value.trim(),
      kind: this.#chosenKind,
      text: this.#text.value,
      column: this.#column.value,
    };
  }

  show({ selector, kind, text, column }: FormAxis): void {
    this.#selector.value = selector;
    this.#kind.value = kind;
    this.#text.value = text;
    this.#column.value = column;
    this.#showKind();
  }

  useChoices(choices: readonly InputChoice[]): void {
    this.#choices = choices;
    this.#showHint();
  }

  useFile(file: string, column: string): void {
    this.#text.value = file;
    this.#column.value = column;
    this.#showKind();
  }

  focus(): void {
    this.#selector.focus();
  }

  get #chosenKind(): AxisKind {
    return axisKinds.find((kind) => kind === this.#kind.value) ?? 'list';
  }

  /** A chosen input brings its usual kind of values, as long as none are entered. */
  #nameChanged(): void {
    const choice = this.#choices.find(({ selector }) => selector === this.#selector.value.trim());
    if (choice && this.#text.value === '') {
      this.#kind.value = usualKinds[choice.kind];
      this.#showKind();
    }
    this.#showHint();
  }

  #showKind(): void {
    const kind = this.#chosenKind;
    this.#text.hidden = kind === 'options';
    this.#text.placeholder = kindWords()[kind].example;
    this.#column.hidden = kind !== 'file' || !/\.csv$/i.test(this.#text.value);
    this.#pick.hidden = kind !== 'file';
    this.#showHint();
  }

  #showHint(): void {
    const name = this.#selector.value.trim();
    const choice = this.#choices.find(({ selector }) => selector === name);
    setText(this.#hint, choice ? t`In the workflow: ${choice.value}` : '');
    this.#selector.title = name;
    this.root.setAttribute('aria-label', name === '' ? t`Input` : name);
  }
}

function kindWords(): Readonly<Record<AxisKind, { readonly name: string; readonly example: string }>> {
  return {
    list: { name: t`List`, example: '6, 7, 8' },
    range: { name: t`Range`, example: '1..10..0.5' },
    file: { name: t`File`, example: 'prompts.txt' },
    options: { name: t`All options`, example: '' },
    prompt: { name: t`Prompt choices`, example: 'a {red|blue} cat' },
  };
}
