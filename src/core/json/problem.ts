import { budgets } from '../safety/budgets';
import { numberText, t } from '../safety/localize';

/** What can be wrong with a text that should be JSON. */
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
  invalidToken: () => t`Invalid JSON.`,
  invalidString: () => t`Unterminated or invalid string.`,
  invalidNumber: () => t`Invalid number.`,
  longNumber: () =>
    t`This number has more than ${numberText(budgets.digits)} digits, which no server accepts.`,
  comment: () => t`Comments aren't allowed in JSON.`,
  trailingComma: () => t`Trailing commas aren't allowed in JSON.`,
  tooDeep: () => t`The JSON is nested too deeply.`,
  tooMany: () => t`The file has more than ${numberText(budgets.fileValues)} values, so it wasn't read.`,
  duplicateKey: () => t`Duplicate key. Only the last one counts.`,
  nonFinite: () => t`NaN and Infinity aren't valid JSON. Python accepts them, but most other programs don't.`,
};

/** A problem of this kind with its message. */
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
