/** Picks options of `{a|b}` from the outside in and removes comments (workflows 2, F). `random` returns 0 to below 1. */
export function choosePrompt(text: string, random: () => number): string {
  return chosen(withoutComments(text), random, 0).replace(/\\([{}|])/g, '$1');
}

/** Removes comments; one that never ends is not a comment. */
function withoutComments(text: string): string {
  let result = '';
  let from = 0;
  let hasEnd = true;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at)) {
    const sign = text.charAt(at + 1);
    let end = -1;
    if (sign === '/') end = lineEnd(text, at);
    else if (sign === '*' && hasEnd) {
      const close = text.indexOf('*/', at + 2);
      hasEnd = close >= 0;
      if (hasEnd) end = close + 2;
    }
    if (end < 0) {
      at++;
      continue;
    }
    result += text.slice(from, at);
    from = at = end;
  }
  return result + text.slice(from);
}

function lineEnd(text: string, at: number): number {
  lineBreak.lastIndex = at;
  return lineBreak.exec(text)?.index ?? text.length;
}

const lineBreak = /[\n\r\u2028\u2029]/g;

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
      const { options, end } = readPromptOptions(text, at + 1);
      result += chosen(options[Math.floor(random() * options.length)] ?? '', random, depth + 1);
      at = end;
    } else {
      result += sign;
      at++;
    }
  }
  return result;
}

export function readPromptOptions(text: string, start: number): { options: string[]; end: number } {
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
