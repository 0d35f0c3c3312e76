import { type ExactValue, exactValue, isExactList, isExactObject } from '../json/exactValue';
import type { Prompt, PromptInput, PromptNode } from '../workflow/prompt';
import { pythonTypeName } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { PythonRaise } from './pythonRaise';

/**
 * A node as the server holds it while it checks a prompt. The server changes it on the way: replacements rename and
 * move inputs, checks unwrap and convert literals. What runs in the end is this, not the file's text.
 */
export interface ServerNode {
  readonly id: string;
  /** Undefined where the key is missing; any value is possible. */
  classType: ExactValue | undefined;
  /** Undefined where the key is missing. */
  inputs: Map<string, ExactValue> | undefined;
  /** `_meta`, of any type. */
  readonly meta: ExactValue | undefined;
  readonly source: PromptNode;
}

export type ServerPrompt = ReadonlyMap<string, ServerNode>;

/** The prompt as the server reads it from the body. Raises where the server answers 500: a node that is no object, inputs that are none. */
export function serverPromptOf(prompt: Prompt): ServerPrompt {
  if (!prompt.root) throw new PythonRaise('TypeError', 'the prompt is not an object');
  return new Map(prompt.nodes.map((node) => [node.id, serverNode(node)]));
}

/** The input of the file that a server's input came from; undefined for inputs that a replacement made. */
function sourceInput(node: ServerNode, name: string): PromptInput | undefined {
  return node.source.inputs.find((input) => input.name === name);
}

/** `_meta.title`. Raises where `_meta` is there and no object: the server answers 500 then. */
export function titleOf(node: ServerNode): ExactValue | undefined {
  if (node.meta === undefined) return undefined;
  if (isExactObject(node.meta)) return node.meta.get('title');
  const text = `'${pythonTypeName(node.meta)}' object has no attribute 'get'`;
  throw new PythonRaise('AttributeError', text, nodePlace(node));
}

/** The place of an input's value, or of the node where the input is not in the file. */
export function inputPlace(node: ServerNode, name: string): ErrorPlace {
  const input = sourceInput(node, name);
  if (!input) return nodePlace(node);
  return { nodeId: node.id, input, range: input.valueNode };
}

/** The place of a node: its class type, or its id where it has none. */
export function nodePlace({ id, source }: ServerNode): ErrorPlace {
  return { nodeId: id, range: source.classTypeNode ?? source.idNode };
}

function serverNode(source: PromptNode): ServerNode {
  const { id, node, inputsNode } = source;
  if (node.kind !== 'object') {
    const range = node;
    throw new PythonRaise('TypeError', `the node is of type '${pythonTypeName(exactValue(node))}'`, {
      nodeId: id,
      range,
    });
  }
  const meta = node.get('_meta');
  const classType = source.classTypeNode && exactValue(source.classTypeNode);
  if (isExactList(classType) || isExactObject(classType)) {
    const place = { nodeId: id, range: source.classTypeNode ?? node };
    throw new PythonRaise('TypeError', `unhashable type: '${pythonTypeName(classType)}'`, place);
  }
  // Without a class type the server never looks at the inputs.
  if (classType !== undefined && inputsNode && inputsNode.kind !== 'object') {
    const typeName = pythonTypeName(exactValue(inputsNode));
    const place = { nodeId: id, range: inputsNode };
    throw new PythonRaise('AttributeError', `'${typeName}' object has no attribute 'items'`, place);
  }
  return {
    id,
    classType,
    inputs: inputsNode?.kind === 'object' ? inputValues(source) : undefined,
    meta: meta && exactValue(meta),
    source,
  };
}

function inputValues(source: PromptNode): Map<string, ExactValue> {
  return new Map(source.inputs.map(({ name, valueNode }) => [name, exactValue(valueNode)]));
}
