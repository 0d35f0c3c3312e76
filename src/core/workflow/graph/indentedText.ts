import { format } from 'jsonc-parser';

import { applyEdits } from '../../json/textEdit';

/** Readable JSON: two spaces per level, and a link on one line. No digit changes. */
export function indented(text: string): string {
  const edits = format(text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' });
  const spread = applyEdits(
    text,
    edits.map(({ offset, length, content }) => ({ offset, length, newText: content })),
  );
  return spread.replace(/\[\s+("(?:[^"\\]|\\.)*"),\s+(\d+)\s+\]/g, '[$1, $2]');
}
