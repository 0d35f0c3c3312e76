import type { Catalog } from './catalog';
import { exactEquals } from '../json/exactEquals';
import { exactFrom, type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { pythonRepr, pythonTypeName } from '../workflow/values';
import { PythonRaise } from '../check/pythonRaise';
import { nodePlace, type ServerNode, type ServerPrompt } from '../check/serverPrompt';

/** How a class that is gone is written with one that is there (workflows 3, GET /node_replacements). */
export interface NodeReplacement {
  readonly newClassType: string;
  /** Undefined: the server takes no input over, so the new node has none. */
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
 * moves the links that leave them. Raises where the server fails: a replaced node without `_meta` or without an input
 * that is to be taken over (workflows 1.1). `tolerant` goes on there, for those who look at the prompt all the same.
 */
export function applyReplacements(
  prompt: ServerPrompt,
  catalog: Catalog,
  table: NodeReplacements,
  tolerant = false,
): void {
  const replaced: [ServerNode, NodeReplacement][] = [];
  for (const node of prompt.values()) {
    const { classType, inputs } = node;
    if (typeof classType !== 'string' || !inputs || catalog.has(classType)) continue;
    const replacement = table.get(classType);
    if (replacement && catalog.has(replacement.newClassType)) replaced.push([node, replacement]);
  }
  if (replaced.length > 0) moveLinks(prompt, new Map(replaced.map(([{ id }, each]) => [id, each.outputs])));
  for (const [node, replacement] of replaced) {
    if (!tolerant) checkMeta(node);
    node.classType = replacement.newClassType;
    node.inputs = takenOver(node, replacement, tolerant);
  }
}

/** Before the inputs get their new names: the links themselves are moved, wherever they stand afterwards. */
function moveLinks(prompt: ServerPrompt, outputs: ReadonlyMap<string, NodeReplacement['outputs']>): void {
  for (const { inputs } of prompt.values()) {
    for (const [name, value] of inputs ?? []) {
      if (!isExactList(value) || value.length !== 2) continue;
      const [origin, slot = null] = value;
      if (typeof origin !== 'string') continue;
      const target = outputs.get(origin)?.findLast(({ oldSlot }) => exactEquals(slot, BigInt(oldSlot)));
      if (target) inputs?.set(name, [origin, BigInt(target.newSlot)]);
    }
  }
}

function checkMeta(node: ServerNode): void {
  const { meta } = node;
  if (meta === undefined) throw new PythonRaise('KeyError', "'_meta'", nodePlace(node));
  if (isExactObject(meta) || isExactList(meta)) return;
  const text = `'${pythonTypeName(meta)}' object has no attribute 'copy'`;
  throw new PythonRaise('AttributeError', text, nodePlace(node));
}

function takenOver(
  node: ServerNode,
  replacement: NodeReplacement,
  tolerant: boolean,
): Map<string, ExactValue> {
  const inputs = new Map<string, ExactValue>();
  for (const mapping of replacement.inputs ?? []) {
    const value = 'from' in mapping ? node.inputs?.get(mapping.from) : mapping.value;
    if (value !== undefined) inputs.set(mapping.name, value);
    else if (!tolerant && 'from' in mapping) {
      throw new PythonRaise('KeyError', pythonRepr(mapping.from), nodePlace(node));
    }
  }
  return inputs;
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
