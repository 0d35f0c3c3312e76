import { endSentence } from '../safety/endSentence';
import { budgets } from '../safety/budgets';
import { numberText, t } from '../safety/localize';
import type { JsonRange } from './node';
import { isBlank } from './plainTokens';
import type { TextEdit } from './textEdit';

export type JsonProblemKind =
  | 'unexpectedEnd'
  | 'expectedValue'
  | 'expectedKey'
  | 'expectedColon'
  | 'expectedComma'
  | 'expectedEnd'
  | 'invalidToken'
  | 'invalidString'
  | 'invalidNumber'
  | 'longNumber'
  | 'comment'
  | 'trailingComma'
  | 'tooDeep'
  | 'tooMany'
  | 'duplicateKey'
  | 'nonFinite';

/** One finding, with its place in the text (UTF-16 offsets). */
export interface JsonProblem {
  readonly kind: JsonProblemKind;
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

const messages: Readonly<Record<JsonProblemKind, () => string>> = {
  unexpectedEnd: () => t`Unexpected end of file.`,
  expectedValue: () => t`Value expected.`,
  expectedKey: () => t`Property keys must be in double quotes.`,
  expectedColon: () => t`Colon expected.`,
  expectedComma: () => t`Comma expected.`,
  expectedEnd: () => t`End of file expected. Remove the rest.`,
  invalidToken: () => endSentence(t`Invalid JSON`),
  invalidString: () => t`Unterminated or invalid string.`,
  invalidNumber: () => t`Invalid number.`,
  longNumber: () =>
    t`This number has more than ${numberText(budgets.digits)} digits, which no server accepts.`,
  comment: () => t`Comments aren't allowed in JSON.`,
  trailingComma: () => t`Trailing commas aren't allowed in JSON.`,
  tooDeep: () => t`The JSON is nested too deeply.`,
  tooMany: () => t`${t`The file`} has more than ${numberText(budgets.fileValues)} values, so it wasn't read.`,
  duplicateKey: () => t`Duplicate key. Only the last one counts.`,
  nonFinite: () => t`NaN and Infinity aren't valid JSON. Python accepts them, but most other programs don't.`,
};

export function jsonProblem(kind: JsonProblemKind, offset: number, length: number): JsonProblem {
  return { kind, message: messages[kind](), offset, length };
}

/**
 * Whether Python's parser, and so every ComfyUI server, reads the text all the same (protocol 1.2):
 * bare NaN and Infinity are values to it, and of names that occur twice the last one wins.
 */
export function isTolerated(problem: Pick<JsonProblem, 'kind'>): boolean {
  return problem.kind === 'duplicateKey' || problem.kind === 'nonFinite';
}

/** After a missing quote or bracket, nothing is read as it was meant. */
export function causesIn(text: string, problems: readonly JsonProblem[]): readonly JsonProblem[] {
  const found = problems.filter((each) => !isTolerated(each));
  const first = found.findIndex((each) => derails(text, each));
  return first < 0 ? found : found.slice(0, first + 1);
}

export function derails(text: string, problem: JsonProblem): boolean {
  const { kind, offset, length } = problem;
  switch (kind) {
    case 'expectedComma':
      return endsText(text, problem);
    case 'trailingComma':
    case 'comment':
    case 'longNumber':
    case 'duplicateKey':
    case 'nonFinite':
      return false;
    case 'invalidString':
      return length < 2 || text.charAt(offset + length - 1) !== '"';
    case 'expectedValue':
      // Nothing between two commas, or between a colon and a bracket, as while a value is being typed.
      return !/^[,}\]]$/.test(text.slice(offset, offset + length));
    case 'expectedEnd':
      return commaEdit(text, [problem], problem) === undefined;
    default:
      return true;
  }
}

/** A text with quotes in it touches what follows, or what follows would be a name without a colon. */
export function mayLackQuotes(text: string, problems: readonly JsonProblem[], problem: JsonProblem): boolean {
  if (problem.kind !== 'expectedComma') return false;
  const next = problems[problems.indexOf(problem) + 1];
  return next?.kind === 'expectedColon' || endsText(text, problem);
}

function endsText(text: string, { offset, length }: JsonRange): boolean {
  return text.charAt(offset - 1) === '"' && !/^\s*:/.test(text.slice(offset + length));
}

/** The edit that adds the missing comma or removes the one too many; undefined for all other problems. */
export function commaEdit(
  text: string,
  problems: readonly JsonProblem[],
  { kind, offset, length }: JsonProblem,
): TextEdit | undefined {
  const removal = { offset, length: 1, newText: '' };
  switch (kind) {
    case 'expectedComma':
      return { offset: endBefore(text, problems, offset), length: 0, newText: ',' };
    case 'trailingComma':
      return removal;
    case 'expectedValue': {
      const isComma = text.charAt(offset) === ',';
      return isComma && /[,{[]/.test(text.charAt(endBefore(text, problems, offset) - 1))
        ? removal
        : undefined;
    }
    case 'expectedEnd':
      return text.slice(offset, offset + length).trim() === ',' ? removal : undefined;
    default:
      return undefined;
  }
}

/** The end of the token before an offset; comments aren't tokens. */
function endBefore(text: string, problems: readonly JsonProblem[], offset: number): number {
  let end = offset;
  for (;;) {
    while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
    // Its own blanks are skipped by then.
    const comment = problems.find(
      (each) => each.kind === 'comment' && each.offset < end && end <= each.offset + each.length,
    );
    if (!comment) return end;
    end = comment.offset;
  }
}
