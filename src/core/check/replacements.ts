import type { Catalog } from '../catalog/catalog';
import { exactEquals } from '../json/exactEquals';
import { exactFrom, type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { PythonRaise } from './pythonRaise';
import { nodePlace, type ServerNode, type ServerPrompt } from './serverPrompt';

/** How a class that is gone is written with one that is there (workflows 3, GET /node_replacements). */
export interface NodeReplacement {
  readonly newClassType: string;
  /** Undefined: the inputs stay as they are. */
  readonly inputs?: readonly InputMapping[];
  readonly outputs?: readonly { readonly oldSlot: number; readonly newSlot: number }[];
}

/** A new input takes a set value or that of an old input. */
export type InputMapping =
  { readonly name: string; readonly from: string } | { readonly name: string; readonly value: ExactValue };

/** Old class type to the replacement that a server makes: the first one it lists. */
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
    table.set(oldClassType, { newClassType, ...(inputs ? { inputs } : {}), ...(outputs ? { outputs } : {}) });
  }
  return table;
}

/**
 * Replaces the nodes whose class the server does not know and has a replacement for, as it does before any check, and
 * moves the links that leave them. Raises where the server fails: a replaced node without `_meta` (workflows 1.1).
 */
export function applyReplacements(prompt: ServerPrompt, catalog: Catalog, table: NodeReplacements): void {
  for (const node of prompt.values()) {
    const { classType, inputs } = node;
    if (typeof classType !== 'string' || !inputs || catalog.has(classType)) continue;
    const replacement = table.get(classType);
    if (!replacement || !catalog.has(replacement.newClassType)) continue;
    if (node.meta === undefined) throw new PythonRaise('KeyError', "'_meta'", nodePlace(node));
    replace(node, inputs, replacement);
    for (const { oldSlot, newSlot } of replacement.outputs ?? []) {
      if (oldSlot !== newSlot) moveLinks(prompt, node.id, oldSlot, newSlot);
    }
  }
}

function replace(node: ServerNode, old: ReadonlyMap<string, ExactValue>, replacement: NodeReplacement): void {
  node.classType = replacement.newClassType;
  if (!replacement.inputs) return;
  const inputs = new Map<string, ExactValue>();
  for (const mapping of replacement.inputs) {
    const value = 'from' in mapping ? old.get(mapping.from) : mapping.value;
    if (value !== undefined) inputs.set(mapping.name, value);
  }
  node.inputs = inputs;
}

function moveLinks(prompt: ServerPrompt, nodeId: string, oldSlot: number, newSlot: number): void {
  for (const { inputs } of prompt.values()) {
    for (const [name, value] of inputs ?? []) {
      if (!isExactList(value) || value.length !== 2 || value[0] !== nodeId) continue;
      if (exactEquals(value[1] ?? null, BigInt(oldSlot))) inputs?.set(name, [nodeId, BigInt(newSlot)]);
    }
  }
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
