import { t } from '../safety/localize';
import { budgets } from '../safety/budgets';
import { readOptions } from '../workflow/graph/dynamicPrompt';
import { BatchProblem } from './batchProblem';

/** Deeper nesting of braces is a mistake. */
const deepest = 50;

/**
 * Every text that `{a|b}` in a prompt stands for, each once, in the order of the options; braces may be nested. `\{`,
 * `\|` and `\}` are escapes, which are kept if the ComfyUI editor still reads the text, and resolved otherwise.
 * @throws BatchProblem for more than `most`, or texts that are too long together
 */
export function alternativesOf(text: string, isReadAgain: boolean, most: number): string[] {
  const found = [...new Set(expanded(text, 0, most))];
  return isReadAgain ? found : found.map((each) => each.replace(/\\([{}|])/g, '$1'));
}

/** Whether there is anything to choose in a text. */
export function hasAlternatives(text: string): boolean {
  return /(?:^|[^\\])\{/.test(text);
}

function expanded(text: string, depth: number, most: number): string[] {
  if (depth > deepest) throw tooMany(most);
  let texts = [''];
  /** What all texts go on with: joined once, however many pieces it has. */
  let rest = '';
  let at = 0;
  while (at < text.length) {
    const { plain, end } = plainPart(text, at);
    rest += plain;
    if (end >= text.length) break;
    const group = readOptions(text, end + 1);
    const options: string[] = [];
    for (const option of group.options) {
      options.push(...expanded(option, depth + 1, most));
      if (options.length > most) throw tooMany(most);
    }
    const [only] = options;
    if (options.length === 1 && only !== undefined) rest += only;
    else {
      texts = joined(joined(texts, [rest], most), options, most);
      rest = '';
    }
    at = group.end;
  }
  return rest === '' ? texts : joined(texts, [rest], most);
}

/** Every start with every end. */
function joined(starts: readonly string[], ends: readonly string[], most: number): string[] {
  if (starts.length * ends.length > most) throw tooMany(most);
  const letters = lettersIn(starts) * ends.length + lettersIn(ends) * starts.length;
  if (letters > budgets.batchValues) {
    throw new BatchProblem(
      t`The alternatives of the prompt have more than ${budgets.batchValues} characters.`,
      t`Remove some of the options in braces.`,
    );
  }
  return starts.flatMap((start) => ends.map((end) => start + end));
}

function lettersIn(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** The text up to the next brace that is not escaped. */
function plainPart(text: string, start: number): { plain: string; end: number } {
  let end = start;
  while (end < text.length && text.charAt(end) !== '{') end += text.charAt(end) === '\\' ? 2 : 1;
  return { plain: text.slice(start, end), end };
}

function tooMany(most: number): BatchProblem {
  return new BatchProblem(
    t`The prompt has more than ${most} alternatives.`,
    t`Remove some of the options in braces.`,
  );
}
