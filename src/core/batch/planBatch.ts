import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import { type WrongValue, wrongValues } from '../check/valueField';
import { sourceTextIn } from '../json/textEdit';
import { nodePrice } from '../language/price/nodePrice';
import { randomSeed } from '../runs/randomSeed';
import { budgets } from '../safety/budgets';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { findPartnerNodes } from '../workflow/classTypePlaces';
import { findSeeds, type RandomSeed } from '../workflow/seeds';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { readAxisValues, type ReadText } from './axisSource';
import type { BatchSpec } from './batchFile';
import { type BatchInputs, readBatchInputs, type SelectedInput, selectInput } from './batchInputs';
import { samplerSteps, type SamplerSteps } from './batchTime';
import { BatchProblem, type PlanProblem } from './batchProblem';
import { type BatchAxis, type BatchColumn, countBatchRows, limitRows, rowText } from './batchTable';
import { judgeRun } from '../runs/judgeRun';
import { readWorkflowPrompt } from '../runs/readWorkflowPrompt';
import type { RunChoices } from '../runs/runChoices';
import type { RunRefusal } from '../runs/runRefusal';
import type { ServerDefinitions } from '../server/serverDefinitions';

/** The same plan always gives the same rows, seeds included. */
export interface BatchPlan {
  readonly axes: readonly BatchAxis[];
  readonly rows: number;
  readonly steps: SamplerSteps;
  /** Node types that cost credits, with their price per run where the server tells. */
  readonly partners: readonly PartnerPrice[];
}

export interface PartnerPrice {
  readonly classType: string;
  readonly price: string | undefined;
}

export function partnerWords({ classType, price }: PartnerPrice): string {
  return price === undefined
    ? t`Partner node ${classType}: price unknown.`
    : t`Partner node ${classType}: estimated ${price}.`;
}

interface PlanRequest {
  readonly workflow: WorkflowDocument;
  /** The order of `set` is that of the axes; new seeds come last. */
  readonly spec: Pick<BatchSpec, 'set' | 'count'>;
  /** The catalog of the server that runs it; needed for graphs and for all options of an input. */
  readonly catalog: Catalog | undefined;
  /** Without a catalog, whatever depends on the server is skipped: there is no plan, and no problem of it. */
  readonly mayLackCatalog?: boolean;
  readonly readText: ReadText;
  readonly draw?: RandomSeed | undefined;
  readonly signal?: AbortSignal;
  /** Whether to look for values that the definitions don't allow. */
  readonly judges?: boolean;
}

interface PlannedBatch {
  /** Missing if there are problems other than doubtful values. */
  readonly plan?: BatchPlan;
  readonly problems: readonly PlanProblem[];
}

/** Draws the seeds once and for all. Sends nothing. @throws the reason of an aborted signal */
export async function planBatch(request: PlanRequest): Promise<PlannedBatch> {
  const { workflow, spec, catalog, mayLackCatalog = false, readText, draw = randomSeed } = request;
  const known = readBatchInputs(workflow, catalog);
  if (known.kind === 'refused') {
    const { message, nextAction, reason } = known;
    const isLeftOut = mayLackCatalog && reason === 'noDefinitions';
    return { problems: isLeftOut ? [] : [{ message, nextAction, member: 'workflow' }] };
  }
  const problems: PlanProblem[] = [];
  const doubts: PlanProblem[] = [];
  const axes: BatchAxis[] = [];
  const found = async <T>(
    find: () => Promise<T> | T,
    place: Pick<PlanProblem, 'member' | 'selector' | 'isValue'>,
  ): Promise<T | undefined> => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof Error) || !('nextAction' in error)) throw error;
      const { selector } = error instanceof BatchProblem ? error : {};
      problems.push({ ...errorWords(error), ...place, ...(selector !== undefined && { selector }) });
      return undefined;
    }
  };
  const setters = new Map<number, string>();
  let isWhole = true;
  for (const { selector, source } of spec.set) {
    request.signal?.throwIfAborted();
    if (source.kind === 'options' && !catalog && mayLackCatalog) {
      isWhole = false;
      continue;
    }
    const place = { member: 'set', selector } as const;
    const input = await found(
      () => unsetInput(selectInput(selector, known.inputs), selector, setters),
      place,
    );
    const texts =
      input && (await found(() => readAxisValues(input, source, readText), { ...place, isValue: true }));
    if (!texts) continue;
    const wrong = request.judges && catalog ? wrongIn(input, texts, known, workflow.text, catalog) : [];
    for (const { text, message } of wrong) doubts.push({ ...place, message, nextAction: '', doubtful: text });
    axes.push({ columns: [columnOf(input)], steps: texts.map((text) => [text]) });
    // Before the next one is expanded: fifty long ones would fill the memory.
    if (countBatchRows(axes) > budgets.batchRows) break;
  }
  const { count } = spec;
  const isSeeded = count !== undefined && countBatchRows(axes) <= budgets.batchRows;
  const seeds =
    isSeeded && (await found(() => seedAxis(known, catalog, axes, count, draw), { member: 'count' }));
  if (seeds) axes.push(seeds);
  await found(() => limitRows(axes), { member: 'set' });
  if (problems.length > 0 || !isWhole) return { problems: [...problems, ...doubts] };
  const plan: BatchPlan = {
    axes,
    rows: countBatchRows(axes),
    steps: samplerSteps(known.read.prompt, axes),
    partners: catalog ? pricesIn(known, catalog) : [],
  };
  return { plan, problems: doubts };
}

/** SHA-256 (hex). */
export function hashWorkflowText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The partner nodes of several servers, each once, because a node may be a partner node on only one of them. */
export function partnerPrices(workflow: WorkflowDocument, catalogs: readonly Catalog[]): PartnerPrice[] {
  const found = catalogs.flatMap((catalog) => {
    const known = readBatchInputs(workflow, catalog);
    return known.kind === 'inputs' ? pricesIn(known, catalog) : [];
  });
  return [...new Map(found.map((each) => [each.classType, each])).values()];
}

function pricesIn({ read }: Pick<BatchInputs, 'read'>, catalog: Catalog): PartnerPrice[] {
  return findPartnerNodes(read.prompt, catalog).map((classType) => {
    const definition = catalog.get(classType);
    return { classType, price: definition && nodePrice(definition) };
  });
}

function wrongIn(
  { nodeId, classType = '', input }: SelectedInput,
  texts: readonly string[],
  { inputs }: BatchInputs,
  text: string,
  catalog: Catalog,
): readonly WrongValue[] {
  const values = inputs.flatMap((each) =>
    each.nodeId === nodeId && each.value ? [[each.input, sourceTextIn(text, each.value)] as const] : [],
  );
  return wrongValues({ classType, values: new Map(values) }, input, texts, catalog);
}

function columnOf({ nodeId, nodeName, input, value }: SelectedInput): BatchColumn {
  return { nodeId, nodeName, input, offset: value.offset, length: value.length };
}

/** @throws BatchProblem when another setting changes the same value */
function unsetInput(input: SelectedInput, selector: string, setters: Map<number, string>): SelectedInput {
  const { offset } = input.value;
  const other = setters.get(offset);
  if (other === undefined) {
    setters.set(offset, selector);
    return input;
  }
  throw new BatchProblem(t`${other} and ${selector} set the same value.`, t`Remove one of them.`, selector);
}

/** @throws BatchProblem when the workflow has no seed that the batch doesn't set itself */
export function seedAxis(
  { read, inputs }: BatchInputs,
  catalog: Catalog | undefined,
  axes: readonly BatchAxis[],
  count: number,
  draw: RandomSeed,
): BatchAxis {
  const set = new Set(axes.flatMap(({ columns }) => columns.map(({ offset }) => offset)));
  const known = new Map(inputs.map((each) => [`${each.nodeId}\n${each.input}`, each]));
  const seeds = findSeeds(read.prompt, catalog).flatMap(({ node, input, min, max }) => {
    const found = known.get(`${node.id}\n${input.name}`);
    if (!found?.value || set.has(found.value.offset)) return [];
    set.add(found.value.offset);
    return [{ column: columnOf({ ...found, value: found.value }), min, max }];
  });
  if (seeds.length === 0) {
    throw new BatchProblem(
      t`The workflow has no seed to randomize, so all runs would be identical.`,
      t`Remove the count, or don't set every seed.`,
    );
  }
  return {
    columns: seeds.map(({ column }) => column),
    steps: Array.from({ length: count }, () => seeds.map(({ min, max }) => draw(min, max).toString())),
  };
}

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
