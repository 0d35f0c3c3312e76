import type { Catalog } from '../catalog/catalog';
import type { InputSpec } from '../catalog/inputSpec';
import type { JsonNode } from '../json/node';
import { readWorkflowPrompt } from '../runs/readWorkflowPrompt';
import type { RunRefusal } from '../runs/runRefusal';
import type { WorkflowPrompt } from '../runs/workflowPrompt';
import { inputSpecs, type PromptInput, type PromptNode } from '../workflow/prompt';
import { groupByKey } from '../workflow/graph/grouped';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { listText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';
import { makeValueField, type ValueField } from '../check/valueField';
import { sourceTextIn } from '../json/textEdit';
import { valueShown } from './batchTable';

export interface BatchInput {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly classType: string | undefined;
  readonly input: string;
  /** The value in the file; undefined for a link, and for a value that the file leaves to the node's default. */
  readonly value: JsonNode | undefined;
  readonly linkedTo: string | undefined;
  /** Missing without the definition of the node type. */
  readonly spec: InputSpec | undefined;
  /** A graph's text in which `{a|b}` is still to be resolved when it is sent. */
  readonly isDynamic: boolean;
  readonly shownOn: readonly InputName[];
}

export type InputName = Pick<BatchInput, 'nodeId' | 'nodeName' | 'input'> & {
  readonly classType?: string | undefined;
};

export interface BatchInputs {
  readonly kind: 'inputs';
  readonly read: WorkflowPrompt;
  readonly inputs: readonly BatchInput[];
}

/** A graph needs the catalog. */
export function readBatchInputs(
  workflow: WorkflowDocument,
  catalog: Catalog | undefined,
): BatchInputs | RunRefusal {
  const read = readWorkflowPrompt(workflow, catalog);
  if (read.kind === 'refused') return read;
  const keyOf = (nodeId: string, input: string): string => JSON.stringify([nodeId, input]);
  const shown = groupByKey(read.graph?.source.promoted() ?? [], ({ target }) =>
    keyOf(target.nodeId, target.input),
  );
  const inputs = read.prompt.nodes.flatMap((node) => {
    const specs = inputSpecs(node, catalog);
    return node.inputs.map((input) => ({
      ...inputOf(read, node, input, specs.get(input.name)),
      shownOn: shown.get(keyOf(node.id, input.name)) ?? [],
    }));
  });
  return { kind: 'inputs', read, inputs };
}

function inputOf(
  { graph }: WorkflowPrompt,
  node: PromptNode,
  { name, link, valueNode }: PromptInput,
  spec: InputSpec | undefined,
): Omit<BatchInput, 'shownOn'> {
  // In a graph, the place of a default is its node, and that of a link its slot.
  const value = graph ? graph.source.input(node.id, name) : valueNode;
  const isScalar = value?.kind !== 'object' && value?.kind !== 'array';
  const isLiteral = !link && value !== undefined && (!graph || isScalar);
  return {
    nodeId: node.id,
    nodeName: node.title ?? node.classType ?? node.id,
    classType: node.classType,
    input: name,
    value: isLiteral ? value : undefined,
    linkedTo: link?.nodeId,
    spec,
    isDynamic: graph !== undefined && spec?.kind === 'string' && spec.dynamicPrompts,
  };
}

/** An input with a value in the file. Inputs that share the value, as of a subgraph used twice, change together. */
export interface SelectedInput extends BatchInput {
  readonly value: JsonNode;
}

/** How a selector can be read: titles and inputs may contain dots. */
interface Named {
  /** The node that it names, if it ends with this input. */
  nodeWith(input: string): string | undefined;
  isIn(node: string): boolean;
}

const mostListed = 10;

/**
 * Finds the input that a selector names: node ID, title or node type, a dot, and the name of the input: `3.seed`,
 * `KSampler.cfg`, `"v1.5 sampler".steps`. A title that contains dots may be quoted as in JSON. An ID counts before
 * titles and types.
 * @throws BatchProblem if there is none or more than one, with the candidates
 */
export function selectInput(selector: string, inputs: readonly BatchInput[]): SelectedInput {
  const named = read(selector);
  if (!named) {
    throw new BatchProblem(
      t`${JSON.stringify(selector)} is not an input.`,
      t`Enter a node and one of its inputs, such as 3.seed or KSampler.cfg.`,
      selector,
    );
  }
  const sameInput = inputs.flatMap((each) =>
    inputNames(each).flatMap((name) => {
      const node = named.nodeWith(name.input);
      return node === undefined ? [] : [{ each, name, node }];
    }),
  );
  const byId = sameInput.filter(({ name, node }) => name.nodeId === node);
  const byName =
    byId.length > 0 ? byId : sameInput.filter(({ name, node }) => nodeNames(name).includes(node));
  const found = [...new Set(byName.map(({ each }) => each))];
  const set = found.filter(hasValue);
  const [first] = set;
  if (!first) throw nothingToSet(selector, named, found, inputs);
  const others = set.filter(({ value }) => value.offset !== first.value.offset);
  if (others.length > 0) throw ambiguous(selector, set);
  return first;
}

/** Names an input for people, and as a selector: `3.seed`. */
export function inputName({ nodeId, input }: Pick<BatchInput, 'nodeId' | 'input'>): string {
  return `${nodeId}.${input}`;
}

function read(selector: string): Named | undefined {
  const text = selector.trim();
  const end = text.startsWith('"') ? endOfQuoted(text) : -1;
  if (text.charAt(end + 1) === '.' && end > 0 && end + 2 < text.length) {
    try {
      const node = String(JSON.parse(text.slice(0, end + 1)));
      const own = text.slice(end + 2).trim();
      return {
        nodeWith: (each) => (each === own ? node : undefined),
        isIn: (each) => each === node,
      };
    } catch {
      return undefined;
    }
  }
  // A dot between two other letters.
  const dot = text.indexOf('.', 1);
  if (dot < 0 || dot === text.length - 1) return undefined;
  return {
    nodeWith: (input) => {
      const end = text.length - input.length - 1;
      return input !== '' && end > 0 && text.endsWith(`.${input}`) ? text.slice(0, end) : undefined;
    },
    isIn: (node) => node !== '' && text.length > node.length + 1 && text.startsWith(`${node}.`),
  };
}

/** The place of the closing quote; -1 without one. No regular expression: a text of megabytes is too long for it. */
function endOfQuoted(text: string): number {
  let end = 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  return end < text.length ? end : -1;
}

/** Its own name, and those that it has on subgraph nodes. */
function inputNames(input: BatchInput): readonly InputName[] {
  return [input, ...input.shownOn];
}

function nodeNames({ nodeId, nodeName, classType }: InputName): readonly (string | undefined)[] {
  return [nodeId, nodeName, classType];
}

function hasValue(input: BatchInput): input is SelectedInput {
  return input.value !== undefined;
}

function ambiguous(selector: string, found: readonly BatchInput[]): BatchProblem {
  return new BatchProblem(
    t`${selector} matches ${found.length} inputs: ${candidates(found)}.`,
    t`Use the node ID instead.`,
    selector,
  );
}

function nothingToSet(
  selector: string,
  named: Named,
  found: readonly BatchInput[],
  inputs: readonly BatchInput[],
): BatchProblem {
  const [linked] = found;
  if (linked) {
    const message =
      linked.linkedTo === undefined
        ? t`${selector} has no value in the file.`
        : t`${selector} is linked to node ${linked.linkedTo}, so it has no value of its own.`;
    const next =
      linked.linkedTo === undefined
        ? t`Save the workflow again in the ComfyUI editor, or choose another input.`
        : t`Set an input of that node instead.`;
    return new BatchProblem(message, next, selector);
  }
  const valued = inputs.filter(hasValue).flatMap(inputNames);
  const ofNode = valued.filter((each) =>
    nodeNames(each).some((name) => name !== undefined && named.isIn(name)),
  );
  const sameInput = valued.filter(({ input }) => named.nodeWith(input) !== undefined);
  const near = ofNode.length > 0 ? ofNode : sameInput;
  return new BatchProblem(
    t`The workflow has no input ${selector}.`,
    near.length > 0
      ? t`Did you mean ${candidates(near)}?`
      : t`Enter a node of this workflow and one of its inputs.`,
    selector,
  );
}

/** `3.cfg (KSampler)`, or only so many of them. */
function candidates(inputs: readonly InputName[]): string {
  const listed = inputs.slice(0, mostListed).map((each) => `${inputName(each)} (${each.nodeName})`);
  const more = inputs.length - listed.length;
  return listText(more > 0 ? [...listed, t`${more} more`] : listed);
}

export interface InputChoice {
  readonly selector: string;
  readonly value: string;
  readonly field: ValueField;
}

const mostShown = 80;

/** Lists each input once, by title or node type if that is unique, otherwise by node ID. */
export function inputChoices(inputs: readonly BatchInput[], text: string): InputChoice[] {
  const named = new Map<string, Set<number>>();
  const settable = inputs.flatMap((each) => (each.value ? [{ ...each, value: each.value }] : []));
  const ids = new Set(inputs.flatMap(inputNames).map(({ nodeId }) => nodeId));
  for (const each of settable) {
    for (const { nodeName, classType, input } of inputNames(each)) {
      for (const node of new Set([nodeName, classType ?? nodeName])) {
        const name = named.get(`${node}\n${input}`) ?? new Set();
        named.set(`${node}\n${input}`, name.add(each.value.offset));
      }
    }
  }
  const seen = new Set<number>();
  return settable.flatMap((each) => {
    const { nodeName, input, value } = each;
    if (seen.has(value.offset)) return [];
    seen.add(value.offset);
    // An ID counts before titles.
    const isClear = named.get(`${nodeName}\n${input}`)?.size === 1 && !ids.has(nodeName);
    const choice: InputChoice = {
      selector: isClear && nodeName !== '' ? `${quoted(nodeName)}.${input}` : inputName(each),
      value: shortened(valueShown(sourceTextIn(text, value))),
      field: makeValueField(each.spec, value),
    };
    return [choice];
  });
}

function quoted(title: string): string {
  return /^[^\s."][^."]*$/.test(title) && title.trim() === title ? title : JSON.stringify(title);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
}
