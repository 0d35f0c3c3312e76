import type { Catalog } from '../catalog/catalog';
import type { ExpandedInput } from '../catalog/dynamic';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { pythonRepr, pythonStr, pythonTypeName } from '../workflow/values';
import { areCompatible } from './typeCompatibility';
import type { ErrorPlace } from './errorPlace';
import type { NodeView } from './promptView';
import { PythonRaise } from './pythonRaise';
import type { ServerNode, ServerPrompt } from './serverPrompt';
import { inputConfig, inputError, type ValidationError } from './literalErrors';

/** What the server follows as a link, at every input, declared or not: a pair of a string and a number. */
export function isServerLink(value: ExactValue): value is readonly [string, bigint | number | boolean] {
  if (!isExactList(value) || value.length !== 2) return false;
  const [id, slot] = value;
  return typeof id === 'string' && ['bigint', 'number', 'boolean'].includes(typeof slot);
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
export function linkedNode(prompt: ServerPrompt, link: readonly ExactValue[], place: ErrorPlace): ServerNode {
  const id = link[0] ?? null;
  if (isExactList(id) || isExactObject(id)) {
    throw new PythonRaise('TypeError', `unhashable type: '${pythonTypeName(id)}'`, place);
  }
  // IDs are strings: a number names no node, even if a node with these digits exists.
  const node = typeof id === 'string' ? prompt.get(id) : undefined;
  if (!node) throw new PythonRaise('KeyError', pythonRepr(id), place);
  return node;
}

/** The type of a node type's output at a slot. Raises what indexing the tuple, list or string of types raises. */
export function typeAtSlot(definition: NodeDefinition, slot: ExactValue, place: ErrorPlace): ExactValue {
  const container = containerOf(definition);
  if (typeof slot !== 'bigint' && typeof slot !== 'boolean') {
    const typeName = pythonTypeName(slot);
    const wrong =
      container === 'string'
        ? `string indices must be integers, not '${typeName}'`
        : `${container} indices must be integers or slices, not ${typeName}`;
    throw new PythonRaise('TypeError', wrong, place);
  }
  const index = Number(slot);
  const types = typesOf(definition);
  const type = types[index < 0 ? types.length + index : index] ?? growingType(definition, index);
  if (type === undefined) throw new PythonRaise('IndexError', `${container} index out of range`, place);
  return type;
}

export function hasSlot({ id, definition, source }: NodeView, slot: ExactValue): boolean {
  if (!definition) return true;
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

/** The definition of a linked node's type; every node type was looked up before any link is followed. */
export function linkedDefinition(catalog: Catalog, node: ServerNode): NodeDefinition {
  const definition = typeof node.classType === 'string' ? catalog.get(node.classType) : undefined;
  if (!definition) throw new PythonRaise('KeyError', pythonRepr(node.classType ?? null));
  return definition;
}
