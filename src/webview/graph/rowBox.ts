import { wrongText } from '../../core/drawing/rowValue';
import { t } from '../../core/safety/localize';
import type { RowEditor } from '../contract/graphPanel';
import { Combobox } from '../ui/combobox';
import { element } from '../ui/element';
import { FieldWords } from '../ui/fields';
import { Popover } from './popover';
import { fieldMenu } from './rowActs';

export interface RowBoxEvents {
  readonly entered: (editor: RowEditor, text: string) => void;
  readonly left: (editor: RowEditor) => void;
  readonly asked: (next: 'run' | 'save') => void;
}

/** Edits a value over its row. Enter applies it, or Ctrl+Enter if it has several lines. Escape discards it. */
export class RowBox extends Popover {
  #editor: RowEditor | undefined;
  #input: Field | undefined;

  constructor(private readonly events: RowBoxEvents) {
    super(
      () => {
        if (this.#editor) events.left(this.#editor);
      },
      () => {
        if (this.#editor && this.#input) this.#take(this.#editor, enteredIn(this.#input, this.#editor));
      },
    );
    this.root.classList.add('row-box');
    this.root.dataset['vscodeContext'] = fieldMenu;
    let hasMenu = false;
    this.root.addEventListener('contextmenu', () => (hasMenu = true));
    window.addEventListener('blur', () => {
      // Its menu takes the focus, and gives it back.
      if (hasMenu) hasMenu = false;
      else this.#leaveRight();
    });
  }

  #leaveRight(): void {
    // A wrong value can still be corrected.
    const { field } = this.#editor ?? {};
    if (field && wrongText(field, this.#input?.value ?? '') === undefined) this.leave();
  }

  /** @param at its row */
  open(editor: RowEditor, at: DOMRect): void {
    this.leave();
    this.#editor = editor;
    const { label, field, text } = editor;
    const isLines = field.kind === 'lines';
    const { root: editing, input } = field.kind === 'options' ? this.#choice(editor) : plainField(editor);
    this.#input = input;
    const words = new FieldWords([input], isLines ? t`Ctrl+Enter to apply, Escape to cancel` : field.hint);
    input.value = text;
    if (input instanceof HTMLTextAreaElement) {
      input.style.width = `min(${Math.max(at.width, leastWidth)}px, 100vw - 32px)`;
      input.style.height = `min(${Math.max(at.height, leastHeight)}px, 100vh - 64px)`;
    }
    input.addEventListener('input', () => {
      // An incomplete word leads to an option.
      if (field.kind !== 'options') words.show(wrongText(field, input.value) ?? '');
    });
    (input as HTMLElement).addEventListener('keydown', (event) => {
      if (event.key === 'Tab') {
        event.preventDefault();
        this.leave();
      }
      const isCommand = event.ctrlKey || event.metaKey;
      const next = !isCommand ? undefined : event.key === 's' ? 'save' : event.altKey ? 'run' : undefined;
      if (next === 'save' || (next === 'run' && event.key === 'Enter')) {
        // VS Code would do it without what was entered.
        event.preventDefault();
        event.stopPropagation();
        this.leave();
        this.events.asked(next);
        return;
      }
      if (event.key !== 'Enter' || (isLines && !isCommand)) return;
      const wrong = wrongText(field, input.value);
      if (wrong === undefined) this.#enter(editor, enteredIn(input, editor));
      else words.show(wrong);
    });
    this.root.style.minWidth = `min(${at.width}px, 100vw - 16px)`;
    this.show(label, at, editing, words.root);
    // A menu leaves it outside.
    window.focus();
    input.focus();
    // A text is rather added to than replaced.
    if (isLines) input.setSelectionRange(input.value.length, input.value.length);
    else input.select();
    if (field.kind === 'options') input.click();
  }

  /** @param placeOf where its row is now */
  follow(placeOf: (editor: RowEditor) => DOMRect | undefined): void {
    const place = this.isOpen && this.#editor ? placeOf(this.#editor) : undefined;
    if (place) this.move(place);
    else this.leave();
  }

  #choice(editor: RowEditor): { readonly root: HTMLElement; readonly input: HTMLInputElement } {
    const box = new Combobox(editor.label, {}, (value) => this.#enter(editor, value));
    box.useOptions((editor.field.options ?? []).map((value) => ({ value })));
    return box;
  }

  #enter(editor: RowEditor, text: string): void {
    this.close();
    this.#take(editor, text);
  }

  #take(editor: RowEditor, text: string): void {
    if (text !== editor.text) this.events.entered(editor, text);
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** A box for lines is no smaller, px. */
const [leastWidth, leastHeight] = [320, 120] as const;

function plainField({ label, field: { kind } }: RowEditor): {
  readonly root: HTMLElement;
  readonly input: Field;
} {
  const attributes = { spellcheck: 'false', autocomplete: 'off', 'aria-label': label };
  const input =
    kind === 'lines'
      ? element('textarea', attributes)
      : element('input', { ...attributes, ...(kind === 'text' ? {} : { inputmode: 'decimal' }) });
  return { root: input, input };
}

/** The content of a field, with the line ends that the value had, because a field has its own. */
function enteredIn({ value }: Field, { field, text }: RowEditor): string {
  if (field.kind !== 'lines') return value;
  if (value === text.replaceAll(/\r\n?/g, '\n')) return text;
  return text.includes('\r\n') ? value.replaceAll('\n', '\r\n') : value;
}
