import { Unsupported } from './builtIns';

/** A piece of a price expression; texts and variables without their marks. */
export interface PriceToken {
  readonly kind: 'number' | 'text' | 'pattern' | 'variable' | 'name' | 'sign';
  readonly text: string;
}

const pattern =
  /(?<blank>\s+|\/\*[^]*?\*\/)|(?<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<text>"(?:[^"\\]|\\.)*")|(?<variable>\$\w+)|(?<name>[A-Za-z_]\w*)|(?<sign>:=|!=|<=|>=|[-+*/%&=<>?:;,.()[\]{}])/y;

/** The slash of a division looks the same: it follows a value. */
const regularExpression = /\/(?:[^/\\\n]|\\.)+\/[im]*/y;

/** Throws {@link Unsupported} on invalid tokens. */
export function priceTokens(text: string): PriceToken[] {
  const tokens: PriceToken[] = [];
  const reader = new RegExp(pattern);
  while (reader.lastIndex < text.length) {
    regularExpression.lastIndex = reader.lastIndex;
    const literal = endsValue(tokens.at(-1)) ? undefined : regularExpression.exec(text)?.[0];
    if (literal !== undefined) {
      tokens.push({ kind: 'pattern', text: literal });
      reader.lastIndex += literal.length;
      continue;
    }
    const groups = reader.exec(text)?.groups;
    if (!groups) throw new Unsupported('an unknown sign');
    const { number, text: quoted, variable, name, sign } = groups;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unquoted(quoted) });
    else if (variable !== undefined) tokens.push({ kind: 'variable', text: variable.slice(1) });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}

function endsValue(last: PriceToken | undefined): boolean {
  if (!last || last.kind !== 'sign') return last !== undefined;
  return [')', ']', '}'].includes(last.text);
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new Unsupported('a text');
  }
}
