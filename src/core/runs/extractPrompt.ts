import type { JsonRange } from '../json/node';
import { applyEdits } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';

/**
 * The prompt in the workflow text, cut out of any wrapper, with the edits applied. Edit offsets are those of the entire
 * text; nothing else changes, so every digit and the order of keys stay.
 */
export function extractPrompt(text: string, range: JsonRange, edits: readonly TextEdit[]): string {
  const cut = text.slice(range.offset, range.offset + range.length);
  return applyEdits(
    cut,
    edits.map((edit) => ({ ...edit, offset: edit.offset - range.offset })),
  );
}
