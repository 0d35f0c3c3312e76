import { wrongText } from '../../core/drawing/rowValue';
import type { RowEditor } from '../contract/graphPanel';
import { Combobox } from '../ui/combobox';
import { element } from '../ui/element';
import { FieldWords } from '../ui/fields';
import { Popover } from './popover';

export interface RowBoxEvents {
  readonly entered: (editor: RowEditor, text: string) => void;
  /** The focus was in it. */
  readonly left: (editor: RowEditor) => void;
}

/** The editor of a number or a choice, over its row. Enter takes the value. */
export class RowBox {
  readonly #popover: Popover;
  readonly #events: RowBoxEvents;
  #editor: RowEditor | undefined;

  constructor(events: RowBoxEvents) {
    this.#events = events;
    this.#popover = new Popover(() => {
      if (this.#editor) events.left(this.#editor);
    });
    this.#popover.root.classList.add('row-box');
  }

  /** @param at its row */
  open(editor: RowEditor, at: DOMRect): void {
    this.#editor = editor;
    const { label, field, text } = editor;
    const { root, input } = field.kind === 'options' ? this.#choice(editor) : numberField(label);
    const words = new FieldWords([input], field.hint);
    input.value = text;
    input.addEventListener('input', () => {
      // An incomplete word leads to an option.
      if (field.kind !== 'options') words.show(wrongText(field, input.value) ?? '');
    });
    input.addEventListener('keydown', ({ key }) => {
      if (key !== 'Enter') return;
      const wrong = wrongText(field, input.value);
      if (wrong === undefined) this.#enter(editor, input.value);
      else words.show(wrong);
    });
    this.#popover.root.style.minWidth = `${at.width}px`;
    this.#popover.open(label, at, root, words.root);
    input.focus();
    input.select();
    if (field.kind === 'options') input.click();
  }

  close(): void {
    this.#popover.close();
  }

  #choice(editor: RowEditor): { readonly root: HTMLElement; readonly input: HTMLInputElement } {
    const box = new Combobox(editor.label, {}, (value) => this.#enter(editor, value));
    box.useOptions((editor.field.options ?? []).map((value) => ({ value })));
    return box;
  }

  #enter(editor: RowEditor, text: string): void {
    this.close();
    if (text !== editor.text) this.#events.entered(editor, text);
  }
}

function numberField(label: string): { readonly root: HTMLElement; readonly input: HTMLInputElement } {
  const input = element('input', {
    inputmode: 'decimal',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': label,
  });
  return { root: input, input };
}
