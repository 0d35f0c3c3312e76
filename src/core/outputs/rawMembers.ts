import { endOfText } from '../json/boundedJson';

const [quote, comma, colon] = Array.from('",:', (each) => each.charCodeAt(0));
const [openBracket, closeBracket, openBrace, closeBrace] = Array.from('[]{}', (each) => each.charCodeAt(0));

/**
 * The values of these members of a JSON object, as they are in its text: `JSON.parse` would round large integers and
 * reorder numeric keys. Of a repeated member the last one counts, as for `JSON.parse`.
 * @param text a text that `JSON.parse` accepts
 */
export function rawMembers(text: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  /** The name of the member at the top that is being read, and where its value starts. */
  let name: string | undefined;
  let start = 0;
  let lastText = { start: 0, end: 0 };
  const end = (at: number): void => {
    if (name !== undefined && names.includes(name)) found.set(name, text.slice(start, at).trim());
    name = undefined;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const from = at;
      at = endOfText(text, at);
      lastText = { start: from, end: at + 1 };
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 1) end(at);
      depth--;
    } else if (depth !== 1) continue;
    else if (code === comma) end(at);
    else if (code === colon) {
      name = JSON.parse(text.slice(lastText.start, lastText.end)) as string;
      start = at + 1;
    }
  }
  return found;
}
