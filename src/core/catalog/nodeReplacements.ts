import { exactFrom, type ExactValue, isExactList, isExactObject } from '../json/exactValue';

/** How a node type that is gone is replaced by an existing one (workflows 3, GET /node_replacements). */
export interface NodeReplacement {
  readonly newClassType: string;
  /** Undefined: the server carries no input over, so the new node has none. */
  readonly inputs?: readonly InputMapping[] | undefined;
  readonly outputs?: readonly { readonly oldSlot: number; readonly newSlot: number }[] | undefined;
}

/** A new input gets a fixed value or that of an old input. */
export type InputMapping =
  { readonly name: string; readonly from: string } | { readonly name: string; readonly value: ExactValue };

/** Old node type to the replacement that a server makes: the first in its list. */
export type NodeReplacements = ReadonlyMap<string, NodeReplacement>;

/** Reads the answer of GET /node_replacements (plain data); entries of other shapes are left out. */
export function readReplacements(data: unknown): NodeReplacements {
  const table = new Map<string, NodeReplacement>();
  const exact = exactFrom(data);
  if (!isExactObject(exact)) return table;
  for (const [oldClassType, entries] of exact) {
    const first = isExactList(entries) ? entries[0] : undefined;
    const newClassType = isExactObject(first) ? first.get('new_node_id') : undefined;
    if (!isExactObject(first) || typeof newClassType !== 'string') continue;
    const inputs = readList(first.get('input_mapping'), readInput);
    const outputs = readList(first.get('output_mapping'), readOutput);
    table.set(oldClassType, { newClassType, inputs, outputs });
  }
  return table;
}

function readList<T>(
  list: ExactValue | undefined,
  read: (entry: ExactValue) => T | undefined,
): T[] | undefined {
  return isExactList(list) ? list.map(read).filter((entry) => entry !== undefined) : undefined;
}

function readInput(entry: ExactValue): InputMapping | undefined {
  if (!isExactObject(entry)) return undefined;
  const [name, from, value] = [entry.get('new_id'), entry.get('old_id'), entry.get('set_value')];
  if (typeof name !== 'string') return undefined;
  if (value !== undefined) return { name, value };
  return typeof from === 'string' ? { name, from } : undefined;
}

function readOutput(entry: ExactValue): { oldSlot: number; newSlot: number } | undefined {
  if (!isExactObject(entry)) return undefined;
  const [oldSlot, newSlot] = [entry.get('old_idx'), entry.get('new_idx')];
  if (typeof oldSlot !== 'bigint' || typeof newSlot !== 'bigint') return undefined;
  return { oldSlot: Number(oldSlot), newSlot: Number(newSlot) };
}
