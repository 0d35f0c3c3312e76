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

/** The editor of a number or a choice, over its row. Enter takes the value, and so does whatever closes it but Escape. */
export class RowBox {
  readonly #popover: Popover;
  readonly #events: RowBoxEvents;
  #editor: RowEditor | undefined;
  #input: HTMLInputElement | undefined;

  constructor(events: RowBoxEvents) {
    this.#events = events;
    this.#popover = new Popover(
      () => {
        if (this.#editor) events.left(this.#editor);
      },
      () => {
        if (this.#editor && this.#input) this.#take(this.#editor, this.#input.value);
      },
    );
    this.#popover.root.classList.add('row-box');
    window.addEventListener('blur', () => {
      // What is wrong can still be corrected.
      const { field } = this.#editor ?? {};
      if (field && wrongText(field, this.#input?.value ?? '') === undefined) this.#popover.leave();
    });
  }

  /** @param at its row */
  open(editor: RowEditor, at: DOMRect): void {
    this.leave();
    this.#editor = editor;
    const { label, field, text } = editor;
    const { root, input } = field.kind === 'options' ? this.#choice(editor) : numberField(label);
    this.#input = input;
    const words = new FieldWords([input], field.hint);
    input.value = text;
    input.addEventListener('input', () => {
      // An incomplete word leads to an option.
      if (field.kind !== 'options') words.show(wrongText(field, input.value) ?? '');
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Tab') {
        event.preventDefault();
        this.leave();
      }
      if (event.key !== 'Enter') return;
      const wrong = wrongText(field, input.value);
      if (wrong === undefined) this.#enter(editor, input.value);
      else words.show(wrong);
    });
    this.#popover.root.style.minWidth = `min(${at.width}px, 100vw - 16px)`;
    this.#popover.open(label, at, root, words.root);
    input.focus();
    input.select();
    if (field.kind === 'options') input.click();
  }

  /** @param placeOf where its row is now */
  follow(placeOf: (editor: RowEditor) => DOMRect | undefined): void {
    const place = this.#popover.isOpen && this.#editor ? placeOf(this.#editor) : undefined;
    if (place) this.#popover.move(place);
    else this.leave();
  }

  leave(): void {
    this.#popover.leave();
  }

  #choice(editor: RowEditor): { readonly root: HTMLElement; readonly input: HTMLInputElement } {
    const box = new Combobox(editor.label, {}, (value) => this.#enter(editor, value));
    box.useOptions((editor.field.options ?? []).map((value) => ({ value })));
    return box;
  }

  #enter(editor: RowEditor, text: string): void {
    this.#popover.close();
    this.#take(editor, text);
  }

  #take(editor: RowEditor, text: string): void {
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
