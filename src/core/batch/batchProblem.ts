import { sentencesText, t } from '../safety/localize';

/** Nothing has been sent. */
export class BatchProblem extends Error {
  override readonly name = 'BatchProblem';

  /** @param selector the input of the batch that it is about, as written */
  constructor(
    message: string,
    readonly nextAction: string,
    readonly selector?: string,
  ) {
    super(message);
  }
}

export interface PlanProblem {
  readonly message: string;
  readonly nextAction: string;
  readonly member: 'workflow' | 'set' | 'count';
  readonly selector?: string | undefined;
  /** The problem is about the values of that input, and its message doesn't name it. */
  readonly isValue?: true;
  /** The value, as JSON, is all that is wrong: the definitions don't allow it. Another server may take it. */
  readonly doubtful?: string;
}

/** Also names the place, for where it isn't visible. @param label name of the workflow file */
export function planProblemText({ message, member, selector, isValue }: PlanProblem, label?: string): string {
  const name = member === 'workflow' ? label : isValue && selector;
  return name === undefined ? message : t`${name}: ${message}`;
}

export function batchProblemFrom(problems: readonly PlanProblem[], label?: string): BatchProblem {
  const words = problems.map((each) => ({ ...each, message: planProblemText(each, label) }));
  const last = words.pop();
  const before = words.map(({ message, nextAction }) => sentencesText(message, nextAction));
  const selector = problems.find((each) => each.selector !== undefined)?.selector;
  return new BatchProblem(sentencesText(...before, last?.message ?? ''), last?.nextAction ?? '', selector);
}
