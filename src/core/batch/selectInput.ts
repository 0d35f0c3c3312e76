import type { JsonNode } from '../json/node';
import { listText, plural, t } from '../safety/localize';
import type { BatchInput } from './batchInputs';
import { BatchProblem } from './batchProblem';

/** An input with a value in the file. Inputs that share the value, as of a subgraph used twice, change together. */
export interface SelectedInput extends BatchInput {
  readonly value: JsonNode;
}

interface Named {
  readonly node: string;
  readonly input: string;
}

/** Candidates that a message lists. */
const mostListed = 10;

/**
 * Finds the input that a selector names: node ID, title or node type, a dot, and the name of the input: `3.seed`,
 * `KSampler.cfg`, `"v1.5 sampler".steps`. A title that contains dots may be quoted as in JSON. An ID counts before
 * titles and types.
 * @throws BatchProblem if there is none or more than one, with the candidates
 */
export function selectInput(selector: string, inputs: readonly BatchInput[]): SelectedInput {
  const named = readings(selector);
  if (named.length === 0) {
    throw new BatchProblem(
      t`${JSON.stringify(selector)} is not an input.`,
      t`Enter a node and one of its inputs, such as 3.seed or KSampler.cfg.`,
      selector,
    );
  }
  const byId = inputs.filter((each) =>
    named.some((name) => isInput(each, name) && each.nodeId === name.node),
  );
  const found =
    byId.length > 0
      ? byId
      : inputs.filter((each) => named.some((name) => isInput(each, name) && isNode(each, name)));
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

/** Every way to read a selector: titles and inputs may contain dots. */
function readings(selector: string): Named[] {
  const quoted = /^\s*("(?:[^"\\]|\\.)*")\.(.+)$/s.exec(selector);
  if (quoted) {
    const [, title = '', input = ''] = quoted;
    try {
      return [{ node: String(JSON.parse(title)), input: input.trim() }];
    } catch {
      return [];
    }
  }
  const text = selector.trim();
  const found: Named[] = [];
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const [node, input] = [text.slice(0, dot), text.slice(dot + 1)];
    if (node !== '' && input !== '') found.push({ node, input });
  }
  return found;
}

function isInput({ input }: BatchInput, named: Named): boolean {
  return input === named.input;
}

function isNode({ nodeId, nodeName, classType }: BatchInput, { node }: Named): boolean {
  return nodeId === node || nodeName === node || classType === node;
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
  named: readonly Named[],
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
  const ofNode = inputs.filter((each) => hasValue(each) && named.some((name) => isNode(each, name)));
  const sameInput = inputs.filter((each) => hasValue(each) && named.some((name) => isInput(each, name)));
  const near = ofNode.length > 0 ? ofNode : sameInput;
  const message =
    ofNode.length > 0 ? t`The node has no input for ${selector}.` : t`The workflow has no input ${selector}.`;
  return new BatchProblem(
    message,
    near.length > 0
      ? plural(near.length, t`Did you mean ${candidates(near)}?`, t`Choose one of ${candidates(near)}.`)
      : t`Enter a node of this workflow and one of its inputs.`,
    selector,
  );
}

/** `3.cfg (KSampler)`, or only so many of them. */
function candidates(inputs: readonly BatchInput[]): string {
  const listed = inputs.slice(0, mostListed).map((each) => `${inputName(each)} (${each.nodeName})`);
  const more = inputs.length - listed.length;
  return listText(more > 0 ? [...listed, t`${more} more`] : listed);
}
