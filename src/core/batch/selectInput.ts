import type { JsonNode } from '../json/node';
import { listText, t } from '../safety/localize';
import type { BatchInput, InputName } from './batchInputs';
import { BatchProblem } from './batchProblem';

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
export function inputNames(input: BatchInput): readonly InputName[] {
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
