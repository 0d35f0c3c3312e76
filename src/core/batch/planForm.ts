import type { Catalog } from '../catalog/catalog';
import { sentencesText } from '../safety/localize';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import type { ReadText } from './axisSource';
import { batchSpecFromForm, type BatchForm, type FormProblem } from './batchForm';
import { readBatchInputs } from './batchInputs';
import { batchRowValues } from './batchTable';
import { columnName, valueShown } from './batchWords';
import { planBatch, type BatchPlan } from './planBatch';

export interface FormRequest {
  readonly workflow: WorkflowDocument;
  readonly form: BatchForm;
  readonly catalog: Catalog | undefined;
  /** Other servers run it too, or instead: they may take what the definitions don't allow. */
  readonly hasOthers?: boolean;
  readonly readText: ReadText;
  readonly signal: AbortSignal;
}

export interface PlannedForm {
  /** Missing if there are problems other than warnings. */
  readonly plan?: BatchPlan;
  readonly problems: readonly FormProblem[];
}

/** Plans what a form describes. @throws the reason of an aborted signal */
export async function planForm({
  workflow,
  form,
  catalog,
  hasOthers = false,
  readText,
  signal,
}: FormRequest): Promise<PlannedForm> {
  const known = readBatchInputs(workflow, catalog);
  if (known.kind === 'refused') return { problems: [{ message: `${known.message} ${known.nextAction}` }] };
  const { spec, problems: formProblems } = batchSpecFromForm(form, known.inputs);
  const problems = [...formProblems];
  const places = form.axes.map(({ selector }) => selector);
  const planned = await planBatch({ workflow, spec, catalog, readText, signal, judges: true });
  signal.throwIfAborted();
  for (const { selector, message, nextAction, isValue, doubtful } of planned.problems) {
    const axis = selector === undefined ? -1 : places.indexOf(selector);
    const isInput = axis >= 0 && isValue !== true && doubtful === undefined;
    problems.push({
      message: sentencesText(message, nextAction),
      ...(axis >= 0 && { axis }),
      ...(isInput && { isInput }),
      ...(doubtful !== undefined && { value: valueShown(doubtful), isWarning: hasOthers }),
    });
  }
  const isWrong = problems.some(({ isWarning }) => isWarning !== true);
  return isWrong || !planned.plan ? { problems } : { plan: planned.plan, problems };
}

export interface PreviewTable {
  readonly columns: readonly string[];
  /** The first rows; null stands for a number that is drawn when the batch starts. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The first rows of a plan, with shortened values. @param hasSeeds the last axis is that of new seeds */
export function previewTable({ axes, rows }: BatchPlan, hasSeeds: boolean, most: number): PreviewTable {
  const columns = axes.flatMap((axis) => axis.columns);
  const drawn = new Set(hasSeeds ? axes.at(-1)?.columns : []);
  return {
    columns: columns.map(columnName),
    rows: Array.from({ length: Math.min(rows, most) }, (_, row) =>
      batchRowValues(axes, row).map(({ column, text }) =>
        drawn.has(column) ? null : valueShown(text).slice(0, mostShown),
      ),
    ),
  };
}

const mostShown = 200;
