import type { InputSpec } from '../catalog/inputSpec';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import { budgets } from '../safety/budgets';
import { numberText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';
import { isNumberText } from '../json/decimal';
import { csvColumn, filledLines, decimalRange, isIntegerText, listTexts } from './axisValues';
import type { SelectedInput } from './batchInputs';
import { readPromptOptions } from '../workflow/graph/dynamicPrompt';
import { memoizeByObject } from '../safety/memoizeByObject';

/** Numbers are kept as text, so no digit is lost. */
export type AxisSource =
  /** Exact JSON texts. */
  | { readonly kind: 'values'; readonly texts: readonly string[] }
  | { readonly kind: 'range'; readonly from: string; readonly to: string; readonly step?: string | undefined }
  | { readonly kind: 'lines'; readonly file: string }
  | { readonly kind: 'csv'; readonly file: string; readonly column: string }
  | { readonly kind: 'options' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'written'; readonly text: string };

/** Reads a text file of the batch; rejects what it can't. */
export type ReadText = (file: string) => Promise<string>;

/** Exact JSON texts. @throws BatchProblem if there are none, too many, or they do not fit the input */
export async function readAxisValues(
  input: SelectedInput,
  source: AxisSource,
  readText: ReadText,
): Promise<readonly string[]> {
  const values = await read(input, source, readText);
  if (values.length === 0) throw new BatchProblem(t`This input has no values.`, t`Enter at least one value.`);
  if (values.length > budgets.batchRows) {
    throw new BatchProblem(
      t`This input has more than ${numberText(budgets.batchRows)} values.`,
      t`Remove some of them.`,
    );
  }
  return values;
}

async function read(
  input: SelectedInput,
  source: AxisSource,
  readText: ReadText,
): Promise<readonly string[]> {
  switch (source.kind) {
    case 'values':
      return source.texts;
    case 'range':
      return decimalRange(source.from, source.to, source.step, budgets.batchRows);
    case 'lines':
      return filledLines(await readText(source.file)).map((line) => axisValueText(input, line));
    case 'csv':
      return csvColumn(await readText(source.file), source.column).map((field) =>
        axisValueText(input, field),
      );
    case 'options':
      return optionsOf(input);
    case 'prompt':
      return alternatives(input, source.text);
    case 'written':
      return written(input, source.text, readText);
  }
}

/**
 * `6,7,8` for numbers, options and switches; `6..8` and `6..8..0.5` for a range; `*` for all options; `@lines.txt` and
 * `@table.csv:column` for files; a JSON value or list as it is; any other text of a text input is one value, with its
 * `{a|b}`.
 */
async function written(input: SelectedInput, text: string, readText: ReadText): Promise<readonly string[]> {
  if (text.startsWith('@')) return read(input, fileSource(text.slice(1)), readText);
  if (text === '*' && input.spec?.kind === 'combo') return optionsOf(input);
  const listed = jsonTexts(text);
  if (listed) return listed;
  if (isTextInput(input)) return hasAlternatives(text) ? alternatives(input, text) : [JSON.stringify(text)];
  const [from = '', to, step, ...rest] = text.split('..');
  if (to !== undefined && rest.length === 0 && isNumber(input))
    return decimalRange(from, to, step, budgets.batchRows);
  // An option may contain commas itself.
  const words = optionText(input, text) === undefined ? text.trim().split(commas(input, text)) : [text];
  return words.map((word) => axisValueText(input, word.trim()));
}

/** The separators of values. PowerShell turns commas without quotes into blanks, and no number contains one. */
function commas(input: SelectedInput, text: string): string {
  return isNumber(input) && !text.includes(',') ? ' ' : ',';
}

function fileSource(text: string): AxisSource {
  const colon = text.lastIndexOf(':');
  if (colon > 1) return { kind: 'csv', file: text.slice(0, colon), column: text.slice(colon + 1) };
  return { kind: 'lines', file: text };
}

/** The elements of a JSON list, or a JSON string alone; undefined for any other text. */
function jsonTexts(text: string): string[] | undefined {
  if (text.startsWith('"')) {
    try {
      return [JSON.stringify(JSON.parse(text))];
    } catch {
      return undefined;
    }
  }
  return text.startsWith('[') ? listTexts(text) : undefined;
}

export function axisValueText(input: SelectedInput, text: string): string {
  const option = optionText(input, text);
  if (option !== undefined) return option;
  if (isNumber(input)) {
    const isInteger = input.spec?.kind === 'int';
    if (isInteger ? isIntegerText(text) : isNumberText(text)) return text;
    throw isInteger
      ? new BatchProblem(
          t`${JSON.stringify(text)} is not a whole number.`,
          t`Enter a number such as 20 or 7.5.`,
        )
      : new BatchProblem(t`${JSON.stringify(text)} is not a number.`, t`Enter a number such as 20 or 7.5.`);
  }
  if (input.spec?.kind === 'boolean' || input.value.kind === 'boolean') {
    if (text === 'true' || text === 'false') return text;
    throw new BatchProblem(t`${JSON.stringify(text)} is neither true nor false.`, t`Enter true or false.`);
  }
  return JSON.stringify(text);
}

function alternatives(input: SelectedInput, text: string): string[] {
  return expandAlternatives(text, input.isDynamic, budgets.batchRows).map((each) => JSON.stringify(each));
}

function optionsOf({ spec }: SelectedInput): string[] {
  const options = choicesOf(spec);
  if (options.length > 0) return options.map(writeExact);
  throw new BatchProblem(
    t`The server has no options for this input.`,
    t`Enter the values, or choose another input.`,
  );
}

function optionText({ spec }: SelectedInput, text: string): string | undefined {
  return spec && writtenOptions(spec).get(text);
}

/** Options by how they are written, as JSON; an input may have thousands. If two are written alike, the first counts. */
const writtenOptions = memoizeByObject((spec: InputSpec): ReadonlyMap<string, string> => {
  const texts = choicesOf(spec).map((each) => [each, writeExact(each)] as const);
  return new Map(texts.toReversed().map(([each, json]) => [typeof each === 'string' ? each : json, json]));
});

function choicesOf(spec: SelectedInput['spec']): readonly ExactValue[] {
  if (spec?.kind === 'combo') return spec.choices;
  return spec?.kind === 'dynamicCombo' ? spec.branches.map(({ key }) => key) : [];
}

/** Whether commas belong to its values. */
export function isTextInput({ spec, value }: SelectedInput): boolean {
  return spec ? spec.kind === 'string' : value.kind === 'string';
}

function isNumber({ spec, value }: SelectedInput): boolean {
  return spec ? spec.kind === 'int' || spec.kind === 'float' : value.kind === 'number';
}

const deepest = 50;

/**
 * Every text that `{a|b}` in a prompt stands for, each once, in the order of the options; braces may be nested. `\{`,
 * `\|` and `\}` are escapes, which are kept if the ComfyUI editor still reads the text, and resolved otherwise.
 * @throws BatchProblem for more than `most`, or texts that are too long together
 */
export function expandAlternatives(text: string, isReadAgain: boolean, most: number): string[] {
  const found = [...new Set(expanded(text, 0, most))];
  return isReadAgain ? found : found.map((each) => each.replace(/\\([{}|])/g, '$1'));
}

function hasAlternatives(text: string): boolean {
  return /(?:^|[^\\])\{/.test(text);
}

function expanded(text: string, depth: number, most: number): string[] {
  if (depth > deepest) throw tooMany(most);
  let texts = [''];
  /** The common remainder of all texts, joined once, however many pieces it has. */
  let rest = '';
  let at = 0;
  while (at < text.length) {
    const { plain, end } = plainPart(text, at);
    rest += plain;
    if (end >= text.length) break;
    const group = readPromptOptions(text, end + 1);
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

function joined(starts: readonly string[], ends: readonly string[], most: number): string[] {
  if (starts.length * ends.length > most) throw tooMany(most);
  const letters = lettersIn(starts) * ends.length + lettersIn(ends) * starts.length;
  if (letters > budgets.startedBatch) {
    throw new BatchProblem(
      t`The alternatives of the prompt have more than ${budgets.startedBatch} characters.`,
      t`Remove some of them.`,
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
  return new BatchProblem(t`This input has more than ${numberText(most)} values.`, t`Remove some of them.`);
}
