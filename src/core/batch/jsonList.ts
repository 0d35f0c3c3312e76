import { parseJson } from '../json/tree';
import { textOf } from '../json/textEdit';

/** The exact texts of the elements of a JSON list; undefined for any other text. */
export function listTexts(text: string): string[] | undefined {
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'array' || problems.length > 0) return undefined;
  return root.items.map((item) => textOf(text, item));
}
