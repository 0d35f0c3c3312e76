import type { JsonRange } from '../json/node';
import { applyEdits, TextEditError } from '../json/textEdit';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { BatchProblem } from './batchProblem';
import { parseJson } from '../json/tree';

/** The range is that of its value in the workflow file. */
export interface BatchColumn extends JsonRange {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly input: string;
}

/** Values that change together: the steps of one axis, each with one JSON text per column. */
export interface BatchAxis {
  readonly columns: readonly BatchColumn[];
  readonly steps: readonly (readonly string[])[];
}

export interface BatchValue {
  readonly column: BatchColumn;
  /** Exact JSON. */
  readonly text: string;
}

export function countBatchRows(axes: readonly BatchAxis[]): number {
  return axes.reduce((count, { steps }) => count * steps.length, 1);
}

/** @throws BatchProblem with the count of each axis, for a table that is too long */
export function limitRows(axes: readonly BatchAxis[]): undefined {
  const count = countBatchRows(axes);
  if (count <= budgets.batchRows) return;
  const product = axes.map(({ steps }) => steps.length).join(' × ');
  throw new BatchProblem(
    t`The batch has ${count} runs (${product}). The limit is ${budgets.batchRows}.`,
    t`Use fewer values, or split the batch.`,
  );
}

/** The step of each axis in a row, from 0: the last axis changes fastest. */
export function axisSteps(axes: readonly BatchAxis[], row: number): number[] {
  const steps: number[] = [];
  let rest = row;
  for (const axis of axes.toReversed()) {
    steps.push(rest % axis.steps.length);
    rest = Math.floor(rest / axis.steps.length);
  }
  return steps.toReversed();
}

export function batchRowValues(axes: readonly BatchAxis[], row: number): BatchValue[] {
  return axisSteps(axes, row).flatMap((step, index) => valuesOf(axes[index], step));
}

/**
 * The workflow's text with the values of a row; every other character stays.
 * @throws BatchProblem for places that overlap or are outside of the text
 */
export function rowText(text: string, axes: readonly BatchAxis[], row: number): string {
  try {
    return applyEdits(
      text,
      batchRowValues(axes, row).map(({ column: { offset, length }, text: newText }) => ({
        offset,
        length,
        newText,
      })),
    );
  } catch (error) {
    if (!(error instanceof TextEditError)) throw error;
    // Anyone may have written a started batch.
    throw new BatchProblem(
      t`The batch sets values at places that overlap or that the workflow doesn't have.`,
      t`Start a new batch.`,
    );
  }
}

function valuesOf(axis: BatchAxis | undefined, step: number): BatchValue[] {
  const texts = axis?.steps[step];
  if (!axis || !texts) return [];
  return axis.columns.flatMap((column, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ column, text }];
  });
}

/** Names an axis by the inputs that it sets: `KSampler.cfg`. */
export function axisName({ columns }: BatchAxis): string {
  return columns.map(columnName).join(', ');
}

export function columnName({ nodeName, input }: Pick<BatchColumn, 'nodeName' | 'input'>): string {
  return `${nodeName}.${input}`;
}

export function stepText(axis: BatchAxis, step: number): string {
  return (axis.steps[step] ?? []).map(valueShown).join(', ');
}

/** A JSON value for people: a text without its quotes, anything else with every digit. */
export function valueShown(text: string): string {
  const { root } = parseJson(text);
  return root?.kind === 'string' ? root.value : text;
}
