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

const messages: Readonly<Record<JsonProblemKind, string>> = {
  unexpectedEnd: t`The text ends before the JSON is complete.`,
  expectedValue: t`A value is missing here.`,
  expectedKey: t`A name in double quotes is expected here.`,
  expectedColon: t`A colon is expected here.`,
  expectedComma: t`A comma is expected here.`,
  expectedEnd: t`The JSON is complete before this; remove the rest.`,
  invalidToken: t`This is not JSON.`,
  invalidString: t`This string is not closed, or contains a character or escape that JSON doesn't allow.`,
  invalidNumber: t`This is not a JSON number.`,
  /** Not before it is needed: the first number that a process formats takes 7 MB. */
  get longNumber() {
    return t`This number has more than ${numberText(budgets.digits)} digits, which no server accepts.`;
  },
  comment: t`JSON doesn't allow comments.`,
  trailingComma: t`JSON doesn't allow a comma before a closing bracket.`,
  tooDeep: t`The nesting is too deep to be read.`,
  get tooMany() {
    return t`The file has more than ${numberText(budgets.fileValues)} values, so it was not read.`;
  },
  duplicateKey: t`This name occurs more than once; the last one counts.`,
  nonFinite: t`NaN and Infinity are not strict JSON; Python servers read them, most other programs do not.`,
};

/** A problem of this kind with its message. */
export function jsonProblem(kind: JsonProblemKind, offset: number, length: number): JsonProblem {
  return { kind, message: messages[kind], offset, length };
}

/**
 * Whether Python's parser, and so every ComfyUI server, reads the text all the same (protocol 1.2):
 * bare NaN and Infinity are values to it, and of names that occur twice the last one wins.
 */
export function isTolerated(problem: Pick<JsonProblem, 'kind'>): boolean {
  return problem.kind === 'duplicateKey' || problem.kind === 'nonFinite';
}
