import { NodeFailure } from '../nodes/nodeFailure';
import type { InputSpecJson, NodeDefinitionJson, SandboxNode, SandboxValue } from '../nodes/sandboxNode';
import { pythonRepr, pythonStr, pythonTypeName } from '../nodes/pythonText';

/** Input name to its values: one for each call of the node. */
export type InputLists = ReadonlyMap<string, readonly SandboxValue[]>;

/** The spec of an input, including inputs that come from a dynamic input (`images.image0`, protocol 1.2). */
export function inputSpec(definition: NodeDefinitionJson, name: string): InputSpecJson | undefined {
  const { required, optional = {} } = definition.input;
  const [parent = ''] = name.split('.', 1);
  return required[name] ?? optional[name] ?? dynamic(required[parent] ?? optional[parent]);
}

function dynamic(spec: InputSpecJson | undefined): InputSpecJson | undefined {
  return typeof spec?.[0] === 'string' && spec[0].startsWith('COMFY_') ? ['*'] : undefined;
}

/** A literal as the server passes it to the node: unwrapped, and converted to the declared type (workflows 4.5). */
export function plainInput(value: unknown, spec: InputSpecJson): SandboxValue {
  const literal = unwrapped(value);
  switch (spec[0]) {
    case 'INT':
      return wholeNumber(literal);
    case 'FLOAT':
      return Number(literal);
    case 'STRING':
      return pythonStr(literal);
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

/** One element of a link's source. The slot is a Python index: negative ones count from the end. */
export function atSlot<T>(slots: readonly T[], slot: unknown): T {
  const index = typeof slot === 'boolean' ? Number(slot) : slot;
  if (typeof index !== 'number' || !Number.isInteger(index)) {
    throw new NodeFailure(
      'TypeError',
      `list indices must be integers or slices, not ${pythonTypeName(slot)}`,
    );
  }
  const found = slots.at(index);
  if (found === undefined) throw new NodeFailure('IndexError', 'list index out of range');
  return found;
}

/**
 * The server's calls of a node: one with whole lists if the node type takes lists, else one per element of the
 * longest input, with shorter inputs repeating their last element.
 */
export function callsOf(inputs: InputLists, takesLists: boolean): Readonly<Record<string, SandboxValue>>[] {
  if (takesLists) return [Object.fromEntries(inputs)];
  const lengths = [...inputs.values()].map((values) => values.length);
  if (lengths.includes(0)) return [];
  return Array.from({ length: Math.max(1, ...lengths) }, (_, call) =>
    Object.fromEntries(
      [...inputs].map(([name, values]) => [name, values[Math.min(call, values.length - 1)]]),
    ),
  );
}

/** Raises Python's error for unknown or missing arguments. */
export function checkArguments(node: SandboxNode, inputs: InputLists): void {
  const { definition } = node;
  const callee = node.pythonFunction ?? `${definition.name}.execute`;
  for (const name of inputs.keys()) {
    if (inputSpec(definition, name) === undefined) {
      throw new NodeFailure(
        'TypeError',
        `${callee}() got an unexpected keyword argument ${pythonRepr(name)}`,
      );
    }
  }
  const missing = Object.entries(definition.input.required)
    .filter(([name, spec]) => !inputs.has(name) && !isOptionalInPractice(spec))
    .map(([name]) => pythonRepr(name));
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
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}
