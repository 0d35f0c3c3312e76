import type { JsonRange } from '../json/node';
import { applyEdits } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';

/**
 * The prompt as it stands in the workflow text, cut out of whatever wraps it, with the edits made. Offsets of the
 * edits are those of the whole text; nothing else changes, so every digit and the order of keys stay.
 */
export function extractPrompt(text: string, range: JsonRange, edits: readonly TextEdit[]): string {
  const cut = text.slice(range.offset, range.offset + range.length);
  return applyEdits(
    cut,
    edits.map((edit) => ({ ...edit, offset: edit.offset - range.offset })),
  );
}
