import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import { nodePrice } from '../language/price/nodePrice';
import { randomSeed } from '../runs/randomSeed';
import type { RunRefusal } from '../runs/runRefusal';
import { budgets } from '../safety/budgets';
import { plural, t } from '../safety/localize';
import { partnerNodesOf } from '../workflow/partnerNodes';
import { seedsOf, type RandomSeed } from '../workflow/seeds';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { valuesOf, type ReadText } from './axisSource';
import type { BatchSetting, BatchSpec } from './batchFile';
import { batchInputsOf, type BatchInputs } from './batchInputs';
import { BatchProblem } from './batchProblem';
import { limitRows, rowCountOf, type BatchAxis, type BatchColumn } from './batchTable';
import { selectInput, type SelectedInput } from './selectInput';

/** A batch, ready to be looked at, kept and run: the same every time, seeds included. */
export interface BatchPlan {
  readonly kind: 'plan';
  /** Of the workflow's text: places are valid for this text only. */
  readonly workflowHash: string;
  readonly axes: readonly BatchAxis[];
  readonly rows: number;
  /** Node types that cost credits, with their price per run where the server tells. */
  readonly partners: readonly PartnerPrice[];
}

export interface PartnerPrice {
  readonly classType: string;
  readonly price: string | undefined;
}

export interface PlanRequest {
  readonly workflow: WorkflowDocument;
  /** The order of `set` is that of the axes; new seeds come last. */
  readonly spec: Pick<BatchSpec, 'set' | 'count'>;
  /** Of the server that runs it; needed for graphs and for all options of an input. */
  readonly catalog: Catalog | undefined;
  readonly readText: ReadText;
  readonly draw?: RandomSeed | undefined;
}

/**
 * Finds the inputs, reads their values and draws the seeds, once and for all. Sends nothing.
 * @returns a refusal for a file that is no workflow
 * @throws BatchProblem with the selector that it is about
 */
export async function planBatch(request: PlanRequest): Promise<BatchPlan | RunRefusal> {
  const { workflow, spec, catalog, readText, draw = randomSeed } = request;
  const known = batchInputsOf(workflow, catalog);
  if (known.kind === 'refused') return known;
  if (spec.set.length > budgets.batchInputs) {
    throw new BatchProblem(
      t`A batch can vary at most ${budgets.batchInputs} inputs.`,
      t`Remove some of them.`,
    );
  }
  const axes: BatchAxis[] = [];
  for (const setting of spec.set) {
    axes.push(await axisOf(setting, known, readText));
    // Before the next one is expanded: fifty long ones would fill the memory.
    limitRows(axes, workflow.text);
  }
  refuseDoubles(axes, spec.set);
  if (spec.count !== undefined) axes.push(seedAxis(known, catalog, axes, spec.count, draw));
  limitRows(axes, workflow.text);
  return {
    kind: 'plan',
    workflowHash: hashOf(workflow.text),
    axes,
    rows: rowCountOf(axes),
    partners: catalog ? partnersOf(known, catalog) : [],
  };
}

/** SHA-256 (hex) of a workflow's text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function partnersOf({ read }: BatchInputs, catalog: Catalog): PartnerPrice[] {
  return partnerNodesOf(read.prompt, catalog).map((classType) => {
    const definition = catalog.get(classType);
    return { classType, price: definition && nodePrice(definition) };
  });
}

/**
 * The axis that one setting of a batch makes.
 * @throws BatchProblem with its selector
 */
export async function axisOf(
  { selector, source }: BatchSetting,
  { inputs }: BatchInputs,
  readText: ReadText,
): Promise<BatchAxis> {
  const input = selectInput(selector, inputs);
  try {
    const texts = await valuesOf(input, source, readText);
    return { columns: [columnOf(input)], steps: texts.map((text) => [text]) };
  } catch (error) {
    if (!(error instanceof BatchProblem)) throw error;
    throw new BatchProblem(t`${selector}: ${error.message}`, error.nextAction, selector);
  }
}

function columnOf({ nodeId, nodeName, input, value }: SelectedInput): BatchColumn {
  return { nodeId, nodeName, input, offset: value.offset, length: value.length };
}

/** @throws BatchProblem when two settings change the same value */
export function refuseDoubles(axes: readonly BatchAxis[], set: readonly BatchSetting[]): void {
  const selectors = new Map<number, string>();
  for (const [index, { columns }] of axes.entries()) {
    const { selector = '' } = set[index] ?? {};
    for (const { offset } of columns) {
      const other = selectors.get(offset);
      if (other !== undefined) {
        throw new BatchProblem(
          t`${other} and ${selector} set the same value.`,
          t`Remove one of them.`,
          selector,
        );
      }
      selectors.set(offset, selector);
    }
  }
}

/**
 * One step per repetition, with a new number for every seed of the workflow that the batch does not set itself.
 * @throws BatchProblem when there is none
 */
export function seedAxis(
  { read, inputs }: BatchInputs,
  catalog: Catalog | undefined,
  axes: readonly BatchAxis[],
  count: number,
  draw: RandomSeed,
): BatchAxis {
  const set = new Set(axes.flatMap(({ columns }) => columns.map(({ offset }) => offset)));
  const known = new Map(inputs.map((each) => [`${each.nodeId}\n${each.input}`, each]));
  const seeds = seedsOf(read.prompt, catalog).flatMap(({ node, input, min, max }) => {
    const found = known.get(`${node.id}\n${input.name}`);
    if (!found?.value || set.has(found.value.offset)) return [];
    set.add(found.value.offset);
    return [{ column: columnOf({ ...found, value: found.value }), min, max }];
  });
  if (seeds.length === 0) {
    throw new BatchProblem(
      plural(
        count,
        t`The workflow has no seed to randomize, so all runs would be identical.`,
        t`The workflow has no seed to randomize, so all ${count} runs would be identical.`,
      ),
      t`Remove the count, or don't set every seed.`,
    );
  }
  return {
    columns: seeds.map(({ column }) => column),
    steps: Array.from({ length: count }, () => seeds.map(({ min, max }) => draw(min, max).toString())),
  };
}
