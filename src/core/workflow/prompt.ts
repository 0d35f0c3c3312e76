import type { Catalog } from '../catalog/catalog';
import { expandInputs } from '../catalog/dynamic';
import type { InputSpec } from '../catalog/inputSpec';
import { type ExactValue, exactValue } from '../json/exactValue';
import type { JsonNode, JsonObject, JsonRange, JsonString } from '../json/node';
import { type JsonDocument, parseJson } from '../json/tree';
import { objectMember, textMember } from './graph/members';
import { memoizeByObject } from '../safety/memoizeByObject';

/** The content of the API format and of POST /api/prompt (workflows 1.1), with the place of everything in it. */
export interface Prompt {
  readonly document: JsonDocument;
  readonly root: JsonObject | undefined;
  /** In file order. Of duplicate ids the last one counts, at the place of the first, as in Python. */
  readonly nodes: readonly PromptNode[];
  readonly problems: readonly PromptProblem[];
  node(id: string): PromptNode | undefined;
}

export interface PromptNode {
  readonly id: string;
  readonly idNode: JsonString;
  /** The node's value; not always an object in a broken file, see {@link PromptProblem}. */
  readonly node: JsonNode;
  readonly classType: string | undefined;
  readonly classTypeNode: JsonNode | undefined;
  readonly title: string | undefined;
  readonly inputsNode: JsonNode | undefined;
  readonly inputs: readonly PromptInput[];
}

export interface PromptInput {
  readonly name: string;
  readonly nameNode: JsonString;
  readonly valueNode: JsonNode;
  /** Set if the value is a well-formed link; to the server any other list is a broken link. */
  readonly link?: PromptLink | undefined;
}

export interface PromptLink {
  readonly nodeId: string;
  readonly slot: number;
}

export type PromptProblemKind =
  | 'notAnObject'
  | 'nodeNotAnObject'
  | 'classTypeMissing'
  | 'classTypeNotText'
  | 'inputsMissing'
  | 'inputsNotAnObject'
  | 'duplicateNode'
  | 'duplicateInput';

export interface PromptProblem {
  readonly kind: PromptProblemKind;
  readonly place: JsonRange;
  readonly nodeId?: string;
}

/** Reads the prompt at a node of a document; accepts any JSON and lists what is wrong in `problems`. */
export function readPrompt(document: JsonDocument, node: JsonNode | undefined = document.root): Prompt {
  const problems: PromptProblem[] = [];
  const nodes = new Map<string, PromptNode>();
  const root = node?.kind === 'object' ? node : undefined;
  if (!root) {
    const place = node ?? { offset: 0, length: 0 };
    problems.push({ kind: 'notAnObject', place });
  }
  root?.properties.forEach(({ name, key, value }) => {
    if (!value) return;
    if (nodes.has(name)) problems.push({ kind: 'duplicateNode', place: key, nodeId: name });
    nodes.set(name, readNode(name, key, value, problems));
  });
  return { document, root, nodes: [...nodes.values()], problems, node: (id) => nodes.get(id) };
}

export function promptFromText(text: string): Prompt {
  return readPrompt(parseJson(text));
}

/** Nodes with fewer inputs are searched; larger ones get an index on the first lookup. */
const indexFrom = 33;
const inputIndex = memoizeByObject(
  ({ inputs }: PromptNode) => new Map(inputs.map((each) => [each.name, each])),
);

export function promptInputNamed(node: PromptNode, name: string): PromptInput | undefined {
  const { inputs } = node;
  if (inputs.length < indexFrom) return inputs.find((each) => each.name === name);
  return inputIndex(node).get(name);
}

export function exactInputValue(input: PromptInput): ExactValue {
  return exactValue(input.valueNode);
}

/** What the definitions say about each input of a node, also those that only its values bring; none without them. */
export function inputSpecs(node: PromptNode, catalog: Catalog | undefined): ReadonlyMap<string, InputSpec> {
  const definition = node.classType === undefined ? undefined : catalog?.get(node.classType);
  if (!definition) return new Map();
  const given = new Map(node.inputs.map((each) => [each.name, exactInputValue(each)]));
  return new Map(expandInputs(definition, given).inputs.map(({ name, spec }) => [name, spec]));
}

function readNode(id: string, idNode: JsonString, node: JsonNode, problems: PromptProblem[]): PromptNode {
  const report = (kind: PromptProblemKind, place: JsonRange): void => {
    problems.push({ kind, place, nodeId: id });
  };
  const object = node.kind === 'object' ? node : undefined;
  const [classTypeNode, inputsNode] = [object?.get('class_type'), object?.get('inputs')];
  if (!object) report('nodeNotAnObject', node);
  else {
    if (!classTypeNode) report('classTypeMissing', idNode);
    else if (classTypeNode.kind !== 'string') report('classTypeNotText', classTypeNode);
    if (!inputsNode) report('inputsMissing', idNode);
    else if (inputsNode.kind !== 'object') report('inputsNotAnObject', inputsNode);
  }
  return {
    id,
    idNode,
    node,
    classType: textMember(object, 'class_type'),
    classTypeNode,
    title: textMember(objectMember(object, '_meta'), 'title'),
    inputsNode,
    inputs: inputsNode?.kind === 'object' ? readInputs(inputsNode, report) : [],
  };
}

function readInputs(
  object: JsonObject,
  report: (kind: PromptProblemKind, place: JsonRange) => void,
): PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const { name, key, value } of object.properties) {
    if (!value) continue;
    if (inputs.has(name)) report('duplicateInput', key);
    inputs.set(name, { name, nameNode: key, valueNode: value, link: readLink(value) });
  }
  return [...inputs.values()];
}

/** `["node id", slot]`, and nothing else. */
function readLink(value: JsonNode): PromptLink | undefined {
  if (value.kind !== 'array' || value.items.length !== 2) return undefined;
  const [nodeId, slot] = value.items;
  if (nodeId?.kind !== 'string' || slot?.kind !== 'number' || !slot.isInteger) return undefined;
  return { nodeId: nodeId.value, slot: slot.value };
}
