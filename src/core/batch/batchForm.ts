import { endSentence } from '../safety/endSentence';
import { budgets } from '../safety/budgets';
import { sentencesText, t } from '../safety/localize';
import { type AxisSource, axisValueText, isTextInput, type ReadText } from './axisSource';
import { isPathBelow } from '../safety/paths';
import { type BatchSetting, type BatchSpec, pathWords } from './batchFile';
import { type BatchInput, readBatchInputs, type SelectedInput, selectInput } from './batchInputs';
import { BatchProblem } from './batchProblem';
import { batchRowValues, columnName, valueShown } from './batchTable';
import { isNumberText } from '../json/decimal';
import { listTexts } from './axisValues';
import type { Catalog } from '../catalog/catalog';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { type BatchPlan, planBatch } from './planBatch';

/** The kinds of values of an input. A file is read by lines, or by a column if one is named. */
export type AxisKind = 'list' | 'range' | 'file' | 'options' | 'prompt';

export interface FormAxis {
  readonly selector: string;
  readonly kind: AxisKind;
  /** `6, 7, 8` or lines; `1..10..0.5`; the path of a file; a text with `{a|b}`. */
  readonly text: string;
  /** The column of a CSV file; empty for a text file. */
  readonly column: string;
}

/** A batch as a form shows it. Empty texts stand for what is not set. */
export interface BatchForm {
  readonly count: string;
  readonly axes: readonly FormAxis[];
  /** As in a batch file: addresses, `cloud` or `sandbox`. */
  readonly servers: readonly string[];
  readonly window: string;
}

/** A problem of a form, and its place: an axis, from 0, or a field; neither for the workflow itself. */
export interface FormProblem {
  readonly axis?: number | undefined;
  readonly field?: 'count' | 'servers' | 'window' | undefined;
  readonly message: string;
  /** Whether the problem is the name of the input and not its values. */
  readonly isInput?: boolean | undefined;
  readonly value?: string | undefined;
  readonly isMissing?: boolean | undefined;
  /** Another of the servers may take it: the batch can run. */
  readonly isWarning?: boolean | undefined;
}

/** `servers` run the batch if it names none. */
export function batchFormFromSpec(
  { count, set, servers, window }: BatchSpec,
  inputs: readonly BatchInput[],
  ownServers: readonly string[],
): BatchForm {
  return {
    count: count === undefined ? '' : String(count),
    axes: set.map((setting) => axisOf(setting, inputs)),
    servers: servers ?? ownServers,
    window: window === undefined ? '' : String(window),
  };
}

/** The batch that a form describes; problems instead of what can't be written down. */
export function batchSpecFromForm(
  form: BatchForm,
  inputs: readonly BatchInput[],
): { readonly spec: BatchSpec; readonly problems: readonly FormProblem[] } {
  const problems: FormProblem[] = [];
  const set: BatchSetting[] = [];
  for (const [axis, each] of form.axes.entries()) {
    try {
      const { selector } = each;
      const missing = missingIn(each, inputs);
      if (missing !== undefined) {
        problems.push({ axis, message: missing, isMissing: true });
        continue;
      }
      if (set.some((other) => other.selector === selector))
        throw new BatchProblem(t`${selector} is listed twice.`, t`Remove one of them.`, selector);
      set.push({ selector, source: sourceOf(each, found(selector, inputs)) });
    } catch (error) {
      problems.push({ axis, ...axisProblem(error) });
    }
  }
  const whole = (field: 'count' | 'window', most: number): number | undefined => {
    const text = form[field].trim();
    const number = Number(text);
    if (text === '') return undefined;
    if (/^\d+$/.test(text) && number >= 1 && number <= most) return number;
    problems.push({ field, message: t`Enter a whole number from 1 to ${most}.` });
    return undefined;
  };
  const count = whole('count', budgets.batchRows);
  const window = whole('window', mostWindow);
  if (form.servers.length === 0) problems.push({ field: 'servers', message: t`Select at least one server.` });
  return { spec: { count, set, servers: form.servers, window }, problems };
}

/** The entry that is still missing. A name that isn't known yet may be half typed. */
function missingIn({ selector, kind, text }: FormAxis, inputs: readonly BatchInput[]): string | undefined {
  if (selector === '') return endSentence(t`Select an input`);
  if (kind === 'options' || text.trim() !== '') return undefined;
  if (inputs.length > 0 && !found(selector, inputs)) return endSentence(t`Select an input`);
  return kind === 'file' ? endSentence(t`Select a file`) : t`Enter at least one value.`;
}

/** Rethrows anything but a BatchProblem. */
function axisProblem(error: unknown): Pick<FormProblem, 'message' | 'isInput'> {
  if (!(error instanceof BatchProblem)) throw error;
  const message = `${error.message} ${error.nextAction}`;
  return { message, ...(error.selector !== undefined && { isInput: true }) };
}

const mostWindow = 100;

function axisOf({ selector, source }: BatchSetting, inputs: readonly BatchInput[]): FormAxis {
  const axis = { selector, text: '', column: '' };
  switch (source.kind) {
    case 'values':
      return { ...axis, kind: 'list', text: listText(source.texts, found(selector, inputs)) };
    case 'range': {
      const { from, to, step } = source;
      return { ...axis, kind: 'range', text: [from, to, ...(step === undefined ? [] : [step])].join('..') };
    }
    case 'lines':
      return { ...axis, kind: 'file', text: source.file };
    case 'csv':
      return { ...axis, kind: 'file', text: source.file, column: source.column };
    case 'options':
      return { ...axis, kind: 'options' };
    case 'prompt':
      return { ...axis, kind: 'prompt', text: source.text };
    case 'written':
      return { ...axis, kind: 'list', text: source.text };
  }
}

function sourceOf({ kind, text, column }: FormAxis, input: SelectedInput | undefined): AxisSource {
  switch (kind) {
    case 'list':
      return { kind: 'values', texts: listValues(text, input) };
    case 'range':
      return rangeOf(text);
    case 'file':
      if (!isPathBelow(text)) throw new BatchProblem(pathWords(), endSentence(t`Select a file`));
      return column === '' ? { kind: 'lines', file: text } : { kind: 'csv', file: text, column };
    case 'options':
      return { kind: 'options' };
    case 'prompt':
      return { kind: 'prompt', text };
  }
}

function rangeOf(text: string): AxisSource {
  const parts = text.split('..').map((part) => part.trim());
  const [from = '', to = '', step] = parts;
  if (parts.length > 3 || !parts.every(isNumberText) || to === '')
    throw new BatchProblem(
      t`Enter a range as from..to or from..to..step.`,
      t`For example, 6..8 or 6..8..0.5.`,
    );
  return { kind: 'range', from, to, step };
}

/** Words between commas, or lines: commas may be part of a text. A JSON list is taken as it is. */
function listValues(text: string, input: SelectedInput | undefined): readonly string[] {
  const listed = text.trimStart().startsWith('[') ? listTexts(text) : undefined;
  const isLines = text.includes('\n') || (input !== undefined && isTextInput(input));
  const words = text
    .split(isLines ? '\n' : ',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const values = listed ?? words.map((word) => (input ? axisValueText(input, word) : guessed(word)));
  if (values.length === 0) throw new BatchProblem(t`This input has no values.`, t`Enter at least one value.`);
  return values;
}

/** The most readable text that stands for exactly these values. */
function listText(texts: readonly string[], input: SelectedInput | undefined): string {
  const words = texts.map(valueShown);
  const readable = [words.join(', '), words.join('\n')].find((text) => {
    try {
      return JSON.stringify(listValues(text, input)) === JSON.stringify(texts);
    } catch {
      return false;
    }
  });
  return readable ?? `[${texts.join(', ')}]`;
}

/** A word for an input that isn't known. */
function guessed(word: string): string {
  return isNumberText(word) || /^(?:true|false|null)$/.test(word) ? word : JSON.stringify(word);
}

function found(selector: string, inputs: readonly BatchInput[]): SelectedInput | undefined {
  try {
    return selectInput(selector, inputs);
  } catch {
    return undefined;
  }
}

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
