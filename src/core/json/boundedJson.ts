import { budgets } from '../safety/budgets';
import { numberText, t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';

/** How much JSON of strangers may hold. */
export interface JsonLimits {
  /** Characters; files are held to as many bytes before they are read. */
  readonly bytes: number;
  /** Objects, lists and values: a few characters can take a hundred times their size in memory. */
  readonly values: number;
}

/** What exceeds its limit. The message is one sentence that names the file or the endpoint. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
  readonly nextAction = '';
}

/** Told what was too large to be read; the rest is read. */
export type Skipped = (error: Error) => void;

/** For a caller who has nothing else to read. */
export const refuse: Skipped = (error) => {
  throw error;
};

/**
 * The value of a JSON text. Throws {@link JsonLimitError}, and `SyntaxError` if it is not JSON.
 * @param source name of the file, or the endpoint
 */
export function readJson(text: string, limits: JsonLimits, source: string): unknown {
  const excess = excessOf(text, limits);
  if (excess !== undefined) throw new JsonLimitError(sentence(excess, limits, source));
  return JSON.parse(text) as unknown;
}

type Excess = keyof JsonLimits | 'depth';

function sentence(excess: Excess, { bytes, values }: JsonLimits, source: string): string {
  switch (excess) {
    case 'bytes':
      return t`${source} is larger than ${sizeText(bytes)}, so it wasn't read.`;
    case 'values':
      return t`${source} has more than ${numberText(values)} values, so it wasn't read.`;
    case 'depth':
      return t`${source} is nested more than ${numberText(budgets.jsonDepth)} levels deep, so it wasn't read.`;
  }
}

const [quote, backslash, comma] = Array.from('"\\,', (each) => each.charCodeAt(0));
const [openBracket, closeBracket, openBrace, closeBrace] = Array.from('[]{}', (each) => each.charCodeAt(0));

/** The first limit that a text exceeds, in one pass that builds nothing and stops there. */
export function excessOf(text: string, { bytes, values }: JsonLimits): Excess | undefined {
  if (text.length > bytes) return 'bytes';
  let left = values;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === openBracket || code === openBrace) {
      if (++depth > budgets.jsonDepth) return 'depth';
      if (--left < 0) return 'values';
    } else if (code === closeBracket || code === closeBrace) depth--;
    else if (code === comma && --left < 0) return 'values';
  }
  return undefined;
}

/** Where the text that starts here has its closing quote. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
