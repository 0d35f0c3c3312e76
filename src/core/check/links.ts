import type { Catalog } from '../catalog/catalog';
import type { ExpandedInput } from '../catalog/dynamic';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { pythonRepr, pythonStr, pythonTypeName } from '../workflow/values';
import { areCompatible } from './typeCompatibility';
import type { ErrorPlace } from './errorPlace';
import type { NodeView } from './promptView';
import { PythonRaise } from './pythonRaise';
import type { ServerNode } from './serverPrompt';
import type { NodeValidator } from './validators';
import { inputConfig, inputError, type ValidationError } from './literalErrors';

/** What the server follows as a link, at every input, declared or not: a pair of a string and a number. */
export function isServerLink(value: ExactValue): value is readonly [string, bigint | number | boolean] {
  if (!isExactList(value) || value.length !== 2) return false;
  const [id, slot] = value;
  return typeof id === 'string' && ['bigint', 'number', 'boolean'].includes(typeof slot);
}

/** A list as the value of a declared input. */
interface CheckedLink {
  readonly input: ExpandedInput;
  readonly link: readonly ExactValue[];
  readonly validator: NodeValidator | undefined;
  readonly place: ErrorPlace;
}

/**
 * Follows a list as the server does: to the node that it names, or to the error. Raises what the server's look-up of the
 * node or of its output raises (workflows 4.3).
 */
export function followLink<T extends Pick<ServerNode, 'classType'>>(
  nodes: ReadonlyMap<string, T>,
  catalog: Catalog | undefined,
  { input, link, validator, place }: CheckedLink,
): { readonly origin: T } | { readonly error: ValidationError } {
  const malformed = checkLinkForm(input, link, place);
  if (malformed) return { error: malformed };
  const origin = linkedNode(nodes, link, place);
  const received = typeAtSlot(definitionOf(catalog, origin), link[1] ?? null, place);
  const mismatch = validator?.takesTypes === true ? undefined : checkLinkType(input, received, link, place);
  return mismatch ? { error: mismatch } : { origin };
}

/** A list that is not a pair: the server reads every list as a link. */
export function checkLinkForm(
  input: ExpandedInput,
  value: readonly ExactValue[],
  place: ErrorPlace,
): ValidationError | undefined {
  if (value.length === 2) return undefined;
  const message = 'Bad linked input, must be a length-2 list of [node_id, slot_index]';
  return inputError('bad_linked_input', message, input.name, input.name, place, {
    input_config: inputConfig(input),
    received_value: value,
  });
}

/** The node that a link names. Raises what the server's look-up raises when there is none (workflows 4.3). */
export function linkedNode<T>(
  nodes: ReadonlyMap<string, T>,
  link: readonly ExactValue[],
  place: ErrorPlace,
): T {
  const id = link[0] ?? null;
  if (isExactList(id) || isExactObject(id)) {
    throw new PythonRaise('TypeError', `unhashable type: '${pythonTypeName(id)}'`, place);
  }
  // IDs are strings: a number names no node, even if a node with these digits exists.
  const node = typeof id === 'string' ? nodes.get(id) : undefined;
  if (!node) throw new PythonRaise('KeyError', pythonRepr(id), place);
  return node;
}

/**
 * The type of a node type's output at a slot; of an unknown node type, one that fits every input. Raises what indexing
 * the tuple, list or string of types raises.
 */
export function typeAtSlot(
  definition: NodeDefinition | undefined,
  slot: ExactValue,
  place: ErrorPlace,
): ExactValue {
  const container = definition ? containerOf(definition) : 'tuple';
  if (typeof slot !== 'bigint' && typeof slot !== 'boolean') {
    const typeName = pythonTypeName(slot);
    const wrong =
      container === 'string'
        ? `string indices must be integers, not '${typeName}'`
        : `${container} indices must be integers or slices, not ${typeName}`;
    throw new PythonRaise('TypeError', wrong, place);
  }
  if (!definition) return '*';
  const index = Number(slot);
  const types = typesOf(definition);
  const type = types[index < 0 ? types.length + index : index] ?? growingType(definition, index);
  if (type === undefined) throw new PythonRaise('IndexError', `${container} index out of range`, place);
  return type;
}

export function hasSlot({ id, definition, source }: NodeView, slot: ExactValue): boolean {
  try {
    typeAtSlot(definition, slot, { nodeId: id, range: source.idNode });
    return true;
  } catch (error) {
    if (error instanceof PythonRaise) return false;
    throw error;
  }
}

/** How Python stores the types: the newer interface makes a list, a pack's class may have a plain string. */
function containerOf(definition: NodeDefinition): 'tuple' | 'list' | 'string' {
  if (typeof definition.raw.get('output') === 'string') return 'string';
  return definition.isV3 ? 'list' : 'tuple';
}

/** The server takes single letters of a plain string. */
function typesOf({ raw, outputs }: NodeDefinition): readonly ExactValue[] {
  const output = raw.get('output');
  return typeof output === 'string' ? Array.from(output) : outputs.map(({ type }) => type);
}

/** Packs with any number of outputs return their only type, `*`, for every slot; the definition shows just that one. */
function growingType({ pythonModule, outputs }: NodeDefinition, slot: number): ExactValue | undefined {
  if (!pythonModule.startsWith('custom_nodes') || outputs.length !== 1 || slot < 0) return undefined;
  return outputs[0]?.type === '*' ? outputs[0].type : undefined;
}

export function checkLinkType(
  input: ExpandedInput,
  received: ExactValue,
  link: readonly ExactValue[],
  place: ErrorPlace,
): ValidationError | undefined {
  // A dynamic slot is compared by its own type's name, not by the type it is made for: only `*` fits it.
  const wanted = input.spec.rawType;
  if (areCompatible(received, wanted)) return undefined;
  const details = `${input.name}, received_type(${pythonStr(received)}) mismatch input_type(${pythonStr(wanted)})`;
  return inputError(
    'return_type_mismatch',
    'Return type mismatch between linked nodes',
    details,
    input.name,
    place,
    {
      input_config: inputConfig(input),
      received_type: received,
      linked_node: link,
    },
  );
}

/** The definition of a node's type in a prompt whose node types have all been looked up. */
export function linkedDefinition(catalog: Catalog, node: ServerNode): NodeDefinition {
  const definition = definitionOf(catalog, node);
  if (!definition) throw new PythonRaise('KeyError', pythonRepr(node.classType ?? null));
  return definition;
}

function definitionOf(
  catalog: Catalog | undefined,
  { classType }: Pick<ServerNode, 'classType'>,
): NodeDefinition | undefined {
  return typeof classType === 'string' ? catalog?.get(classType) : undefined;
}
