import { judgeRun } from '../runs/judgeRun';
import { readWorkflowPrompt } from '../runs/readWorkflowPrompt';
import type { RunChoices } from '../runs/runChoices';
import type { RunRefusal } from '../runs/runRefusal';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { rowText, type BatchAxis } from './batchTable';

export interface RefusedStep {
  readonly axis: BatchAxis;
  /** The step of the axis, from 0. */
  readonly step: number;
  /** The first row with it, from 0. */
  readonly row: number;
  readonly refusal: RunRefusal;
}

export interface StepsToCheck {
  readonly workflowText: string;
  readonly axes: readonly BatchAxis[];
  /** Definitions of the servers that take part; servers without definitions are skipped. */
  readonly definitions: readonly ServerDefinitions[];
  readonly choices: Pick<RunChoices, 'force' | 'allowLoss'>;
}

/**
 * Checks each step of each axis once, with the first step of all others: what every server would refuse. The first row
 * is left out. Reads one row at a time, so that the caller may stop in between.
 */
export function* refusedSteps({
  workflowText,
  axes,
  definitions,
  choices,
}: StepsToCheck): Generator<RefusedStep | undefined> {
  let rows = 1;
  for (const axis of axes.toReversed()) {
    for (let step = 1; step < axis.steps.length; step++) {
      const row = step * rows;
      const text = rowText(workflowText, axes, row);
      const refusal = refusedByAll(text, definitions, choices);
      yield refusal && { axis, step, row, refusal };
    }
    rows *= axis.steps.length;
  }
}

function refusedByAll(
  text: string,
  definitions: readonly ServerDefinitions[],
  { force, allowLoss }: StepsToCheck['choices'],
): RunRefusal | undefined {
  const workflow = WorkflowDocument.of(text);
  let first: RunRefusal | undefined;
  for (const { catalog, replacements, version: serverVersion } of definitions) {
    const read = readWorkflowPrompt(workflow, catalog);
    const rules = { catalog, replacements, serverVersion, force, allowLoss };
    const refusal = read.kind === 'refused' ? read : judgeRun(read, rules).refusal;
    if (!refusal || (force === true && refusal.reason === 'invalid')) return undefined;
    first ??= refusal;
  }
  return first;
}
