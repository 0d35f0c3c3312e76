import { type ExactValue, exactValue, isExactList, isExactObject } from '../json/exactValue';
import { promptInputNamed, type Prompt, type PromptNode } from '../workflow/prompt';
import { pythonTypeName } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { PythonRaise } from './pythonRaise';

/**
 * A node as the server has it during validation. The server modifies it: replacements rename and move inputs,
 * validation unwraps and converts literals. What runs in the end is this, not the file's text.
 */
export interface ServerNode {
  readonly id: string;
  /** Undefined if the key is missing; any value is possible. */
  classType: ExactValue | undefined;
  inputs: Map<string, ExactValue> | undefined;
  readonly meta: ExactValue | undefined;
  readonly source: PromptNode;
  /** The error that the server raises when it looks for this entry's node type. */
  readonly onClass?: PythonRaise | undefined;
}

export type ServerPrompt = ReadonlyMap<string, ServerNode>;

/**
 * The prompt as the server has it after looking for node types to replace. Raises if that ends in an exception, so that
 * the server answers 500: an entry that is a number, inputs that are not an object. Entries that fail only in the later
 * lookup of node types carry their exception; on a lenient server, those are all that are not objects. With
 * `addsTitles`, nodes without `_meta` get an empty one.
 */
export function readAsServerPrompt(prompt: Prompt, isLenient = false, addsTitles = false): ServerPrompt {
  if (!prompt.root) throw new PythonRaise('TypeError', 'the prompt is not an object');
  return new Map(prompt.nodes.map((node) => [node.id, serverNode(node, isLenient, addsTitles)]));
}

/** `_meta.title`. Raises if `_meta` exists but is not an object: the server then answers 500. */
export function serverNodeTitle(node: ServerNode): ExactValue | undefined {
  if (node.meta === undefined) return undefined;
  if (isExactObject(node.meta)) return node.meta.get('title');
  const text = `'${pythonTypeName(node.meta)}' object has no attribute 'get'`;
  throw new PythonRaise('AttributeError', text, serverNodePlace(node));
}

/** The range of an input's value, or of the node if the input is not in the file. */
export function serverInputPlace(node: ServerNode, name: string): ErrorPlace {
  const input = promptInputNamed(node.source, name);
  if (!input) return serverNodePlace(node);
  return { nodeId: node.id, input, range: input.valueNode };
}

export function serverNodePlace({ id, source }: ServerNode): ErrorPlace {
  return { nodeId: id, range: source.classTypeNode ?? source.idNode };
}

function serverNode(source: PromptNode, isLenient: boolean, addsTitles: boolean): ServerNode {
  const { id, node, inputsNode } = source;
  if (node.kind !== 'object') return entryWithoutClass(source, exactValue(node), isLenient);
  const meta = node.get('_meta');
  const classType = source.classTypeNode && exactValue(source.classTypeNode);
  const onClass = raiseOfClass(source, classType);
  // The search for replacements skips entries without one of the two.
  if (classType !== undefined && inputsNode) {
    if (onClass) throw onClass;
    if (inputsNode.kind !== 'object') {
      const text = `'${pythonTypeName(exactValue(inputsNode))}' object has no attribute 'items'`;
      throw new PythonRaise('AttributeError', text, { nodeId: id, range: inputsNode });
    }
  }
  return {
    id,
    classType,
    inputs: inputsNode?.kind === 'object' ? inputValues(source) : undefined,
    meta: meta ? exactValue(meta) : addsTitles ? new Map() : undefined,
    source,
    onClass,
  };
}

function raiseOfClass(
  { id, classTypeNode, node }: PromptNode,
  classType: ExactValue | undefined,
): PythonRaise | undefined {
  if (!isExactList(classType) && !isExactObject(classType)) return undefined;
  const place = { nodeId: id, range: classTypeNode ?? node };
  return new PythonRaise('TypeError', `unhashable type: '${pythonTypeName(classType)}'`, place);
}

/** Python tests each entry with `in` for the keys of a node, which strings and lists can pass. */
function entryWithoutClass(source: PromptNode, value: ExactValue, isLenient: boolean): ServerNode {
  const { id, node: range } = source;
  const raise = (type: string, text: string): PythonRaise =>
    new PythonRaise(type, text, { nodeId: id, range });
  const typeName = pythonTypeName(value);
  const entry = (onClass: PythonRaise): ServerNode => {
    return { id, classType: undefined, inputs: undefined, meta: undefined, source, onClass };
  };
  if (typeof value !== 'string' && !isExactList(value)) {
    const onClass = raise('TypeError', `argument of type '${typeName}' is not iterable`);
    if (!isLenient) throw onClass;
    return entry(onClass);
  }
  const indexed = raise(
    'TypeError',
    typeof value === 'string'
      ? "string indices must be integers, not 'str'"
      : 'list indices must be integers or slices, not str',
  );
  if (!value.includes('class_type')) {
    return entry(raise('AttributeError', `'${typeName}' object has no attribute 'get'`));
  }
  if (!isLenient && value.includes('inputs')) throw indexed;
  return entry(indexed);
}

export function inputValues({ inputs }: PromptNode): Map<string, ExactValue> {
  const values = new Map<string, ExactValue>();
  for (const { name, valueNode } of inputs) values.set(name, exactValue(valueNode));
  return values;
}
