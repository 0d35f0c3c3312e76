/**
 * Picks one option of every `{a|b|c}` in a text, from the outside in, and takes out comments, as the editor does before
 * it sends a text that allows this (workflows 2, F). `\{`, `\|` and `\}` stand for the signs themselves.
 * `random` gives numbers from 0 to below 1; always 0 means the first options.
 */
export function choosePrompt(text: string, random: () => number): string {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  return chosen(bare, random, 0).replace(/\\([{}|])/g, '$1');
}

/** More braces inside braces than this are left as they are. */
const maxNesting = 200;

function chosen(text: string, random: () => number, depth: number): string {
  if (depth > maxNesting || !text.includes('{')) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (sign === '\\') {
      result += text.slice(at, at + 2);
      at += 2;
    } else if (sign === '{') {
      const { options, end } = readOptions(text, at + 1);
      result += chosen(options[Math.floor(random() * options.length)] ?? '', random, depth + 1);
      at = end;
    } else {
      result += sign;
      at++;
    }
  }
  return result;
}

/** The options between a brace and the one that closes it, or the end of the text. */
function readOptions(text: string, start: number): { options: string[]; end: number } {
  const options: string[] = [];
  let depth = 0;
  let from = start;
  let at = start;
  for (; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}' && depth-- === 0) break;
    else if (sign === '|' && depth === 0) {
      options.push(text.slice(from, at));
      from = at + 1;
    }
  }
  options.push(text.slice(from, at));
  return { options, end: at + 1 };
}
