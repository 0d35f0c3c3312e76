import { NodeFailure, sandboxRepr, sandboxStr, sandboxTypeName } from '../nodes/pythonText';
import type { InputSpecJson, NodeDefinitionJson, SandboxNode, SandboxValue } from '../nodes/sandboxNode';
import { MissingNodeError } from './runOrder';

/** Input name to its values, one for each call of the node. */
export type InputLists = ReadonlyMap<string, readonly SandboxValue[]>;

/** Includes inputs that a dynamic input adds (`images.image0`, protocol 1.2). */
export function inputSpec(definition: NodeDefinitionJson, name: string): InputSpecJson | undefined {
  const { required, optional = {} } = definition.input;
  const [parent = ''] = name.split('.', 1);
  return required[name] ?? optional[name] ?? dynamic(required[parent] ?? optional[parent]);
}

function dynamic(spec: InputSpecJson | undefined): InputSpecJson | undefined {
  return typeof spec?.[0] === 'string' && spec[0].startsWith('COMFY_') ? ['*'] : undefined;
}

/** Unwraps and converts a literal to the declared type, as the server does (workflows 4.5). */
export function plainInput(value: unknown, spec: InputSpecJson): SandboxValue {
  const literal = unwrapped(value);
  switch (spec[0]) {
    case 'INT':
      return wholeNumber(literal);
    case 'FLOAT':
      return Number(literal);
    case 'STRING':
      return sandboxStr(literal);
    case 'BOOLEAN':
      return typeof literal === 'boolean' ? literal : Boolean(literal);
    default:
      return literal;
  }
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('__value__' in value)) return value;
  return value.__value__;
}

function wholeNumber(value: unknown): number | bigint {
  if (typeof value === 'bigint') return value;
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) || typeof value !== 'string' ? number : BigInt(value.trim());
}

/** The slot is a Python index: negative ones count from the end. */
export function atSlot<T>(slots: readonly T[], slot: unknown): T {
  const index = typeof slot === 'boolean' ? Number(slot) : slot;
  if (typeof index !== 'number' || !Number.isInteger(index)) {
    throw new NodeFailure(
      'TypeError',
      `list indices must be integers or slices, not ${sandboxTypeName(slot)}`,
    );
  }
  const found = slots.at(index);
  if (found === undefined) throw new NodeFailure('IndexError', 'list index out of range');
  return found;
}

/** One call for node types that take lists, else one per element; shorter inputs repeat their last element. */
export function nodeCalls(inputs: InputLists, takesLists: boolean): Readonly<Record<string, SandboxValue>>[] {
  if (takesLists) return [Object.fromEntries(inputs)];
  const lengths = [...inputs.values()].map((values) => values.length);
  if (lengths.includes(0)) return [];
  return Array.from({ length: Math.max(1, ...lengths) }, (_, call) =>
    Object.fromEntries(
      [...inputs].map(([name, values]) => [name, values[Math.min(call, values.length - 1)]]),
    ),
  );
}

export function checkArguments(node: SandboxNode, inputs: InputLists): void {
  const { definition } = node;
  const callee = node.pythonFunction ?? `${definition.name}.execute`;
  for (const name of inputs.keys()) {
    if (inputSpec(definition, name) === undefined) {
      throw new NodeFailure(
        'TypeError',
        `${callee}() got an unexpected keyword argument ${sandboxRepr(name)}`,
      );
    }
  }
  const missing = Object.entries(definition.input.required)
    .filter(([name, spec]) => !inputs.has(name) && !isOptionalInPractice(spec))
    .map(([name]) => sandboxRepr(name));
  if (missing.length === 0) return;
  const arguments_ = missing.length === 1 ? 'argument' : 'arguments';
  throw new NodeFailure(
    'TypeError',
    `${callee}() missing ${missing.length} required positional ${arguments_}: ${enumerated(missing)}`,
  );
}

/** Lazy inputs may be missing if nothing needs them; a dynamic input's own name is never an argument. */
function isOptionalInPractice(spec: InputSpecJson): boolean {
  return spec[1]?.['lazy'] === true || dynamic(spec) !== undefined;
}

function enumerated(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.slice(-1).join('')}`;
}

export interface RunFailure {
  readonly nodeId: string;
  readonly exceptionType: string;
  readonly message: string;
  readonly traceback: readonly string[];
  readonly currentInputs: Readonly<Record<string, readonly unknown[]>> | readonly never[];
}

const memoryTip =
  'This error means you ran out of memory on your GPU.\n\n' +
  'TIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.';

export function nodeFailure(
  error: unknown,
  nodeId: string,
  classType: string,
  inputs: InputLists,
): RunFailure {
  const type = exceptionType(error);
  const text = error instanceof Error ? error.message : String(error);
  return {
    nodeId,
    exceptionType: type,
    // The real server ends every message with a line for tips, usually empty (protocol 7.3).
    message: `${text}\n${type === 'torch.OutOfMemoryError' ? memoryTip : ''}`,
    traceback: [`  File "sandbox/nodes", in ${classType}\n`],
    currentInputs: Object.fromEntries([...inputs].map(([name, values]) => [name, values.map(shown)])),
  };
}

/** The remaining nodes wait for each other (protocol 7.3). */
export function loopFailure(nodeId: string): RunFailure {
  return {
    nodeId,
    exceptionType: 'graph.DependencyCycleError',
    message: 'Dependency cycle detected',
    traceback: [],
    currentInputs: [],
  };
}

function exceptionType(error: unknown): string {
  if (error instanceof NodeFailure) return error.exceptionType;
  if (error instanceof MissingNodeError) return 'comfy_execution.graph.NodeNotFoundError';
  if (error instanceof TypeError) return 'TypeError';
  return 'RuntimeError';
}

function shown(value: unknown): unknown {
  const plain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return plain ? value : sandboxStr(value);
}
