import { applyEdits, textDifference } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { budgets } from '../safety/budgets';
import type { CanvasChange } from './canvasChange';
import { stateText } from './canvasState';

/**
 * The texts that belong to the last states of the page. Its undo returns to a state, and so to the text of that state,
 * byte for byte: a new difference would put a deleted node at the end of the file.
 */
export class CanvasHistory {
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** @param keyOf tells states apart */
  constructor(private readonly keyOf: (shown: string) => string = stateKey) {}

  /** @param shown the page's serialization, as JSON, that belongs to the text */
  remember(shown: string, text: string): void {
    const key = this.keyOf(shown);
    this.#forget(key);
    this.#texts.set(key, text);
    this.#length += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= budgets.canvasStates && this.#length <= budgets.canvasHistory) break;
      this.#forget(oldest);
    }
  }

  textOf(shown: string): string | undefined {
    return this.#texts.get(this.keyOf(shown));
  }

  /** The document changed otherwise: no earlier text belongs to a state of the page any more. */
  clear(): void {
    this.#texts.clear();
    this.#length = 0;
  }

  #forget(key: string): void {
    const text = this.#texts.get(key);
    if (text === undefined) return;
    this.#length -= text.length;
    this.#texts.delete(key);
  }
}

/** Short, so that a state needn't be kept; two 32-bit hashes of it and its length are no other state's. */
function stateKey(shown: string): string {
  const { root } = parseJson(shown);
  const text = root?.kind === 'object' ? stateText(shown, root) : shown;
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  return `${text.length} ${one} ${other}`;
}

/**
 * A change made against an earlier text, for the current one: refused if what changed meanwhile touches one of its edits.
 */
export function mergedChange(change: CanvasChange, old: string, current: string): CanvasChange {
  const meanwhile = textDifference(old, current);
  if (change.kind === 'refused' || !meanwhile) return change;
  const end = meanwhile.offset + meanwhile.length;
  if (change.edits.some(({ offset, length }) => offset <= end && offset + length >= meanwhile.offset))
    return { kind: 'refused', reason: 'changedMeanwhile' };
  const shift = current.length - old.length;
  const edits = change.edits.map((edit) =>
    edit.offset > end ? { ...edit, offset: edit.offset + shift } : edit,
  );
  const text = applyEdits(current, edits);
  if (parseJson(text).problems.length > parseJson(current).problems.length)
    return { kind: 'refused', reason: 'wrongResult' };
  return { ...change, edits, text };
}
