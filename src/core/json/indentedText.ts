/** Deeper values stay on the line of the value that contains them: a long list may not grow by its indentation. */
const deepest = 24;

const whitespace = /\s/;

/**
 * Readable JSON: two spaces per level, and a link on one line. No digit changes, and the time is linear in the text.
 * @param text valid JSON
 */
export function indented(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (const { token, isClosed } of tokens(text)) {
    switch (token) {
      case '{':
      case '[':
        parts.push(token);
        depth++;
        if (!isClosed) parts.push(lineAt(depth));
        break;
      case '}':
      case ']':
        if (!isClosed) parts.push(lineAt(depth - 1, depth));
        depth--;
        parts.push(token);
        break;
      case ',':
        parts.push(',', lineAt(depth) || ' ');
        break;
      case ':':
        parts.push(': ');
        break;
      default:
        parts.push(token);
    }
  }
  return parts.join('');
}

export function onOneLine(text: string): string {
  const parts: string[] = [];
  for (const { token } of tokens(text)) parts.push(token);
  return parts.join('');
}

/** @param inner the level of what stands on the line before; default the same */
function lineAt(depth: number, inner = depth): string {
  return inner > deepest ? '' : `\n${'  '.repeat(depth)}`;
}

interface Token {
  readonly token: string;
  /** Nothing, or only what fits on one line, is between this bracket and the other one. */
  readonly isClosed: boolean;
}

/** The signs, strings and other values of a JSON text; a link is one token. */
function* tokens(text: string): Generator<Token> {
  let before = '';
  for (let at = 0; at < text.length;) {
    const sign = text.charAt(at);
    if (whitespace.test(sign)) {
      at++;
      continue;
    }
    const end = endOfToken(text, at);
    const link = sign === '[' ? linkAt(text, at) : undefined;
    const token = link?.text ?? text.slice(at, end);
    at = link?.end ?? end;
    const isClosed = token === '{' || token === '[' ? closes(text, at) : before === '{' || before === '[';
    yield { token, isClosed };
    before = token;
  }
}

function endOfToken(text: string, start: number): number {
  const sign = text.charAt(start);
  if ('{}[],:'.includes(sign)) return start + 1;
  let at = start + 1;
  if (sign === '"') {
    while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
    return Math.min(at + 1, text.length);
  }
  while (at < text.length && !'{}[],:"'.includes(text.charAt(at)) && !whitespace.test(text.charAt(at))) at++;
  return at;
}

function closes(text: string, at: number): boolean {
  while (at < text.length && whitespace.test(text.charAt(at))) at++;
  return text.charAt(at) === '}' || text.charAt(at) === ']';
}

/** `["12", 0]`: the node and the slot that an input is linked to. Names of nodes are short. */
const link = /\[\s*("(?:[^"\\]|\\.){0,1000}")\s*,\s*(\d{1,20})\s*\]/y;

function linkAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  link.lastIndex = at;
  const found = link.exec(text);
  if (!found) return undefined;
  const [whole, node = '', slot = ''] = found;
  return { text: `[${node}, ${slot}]`, end: at + whole.length };
}
