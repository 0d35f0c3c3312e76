import type { Catalog } from '../catalog/catalog';
import type { NodeReplacement, NodeReplacements } from '../catalog/nodeReplacements';
import { exactEquals } from '../json/exactEquals';
import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { pythonRepr, pythonTypeName } from '../workflow/values';
import { PythonRaise } from './pythonRaise';
import { serverNodePlace, type ServerNode, type ServerPrompt } from './serverPrompt';

/**
 * Replaces nodes whose type the server lacks and has a replacement for, as it does before validation, and moves their
 * outgoing links. Raises where the server fails: a replaced node without an input that is carried over, and on a strict
 * server one without `_meta` (workflows 1.1). `tolerant` continues there, for callers that examine the prompt anyway.
 */
export function applyReplacements(
  prompt: ServerPrompt,
  catalog: Catalog,
  table: NodeReplacements,
  server: 'strict' | 'lenient' | 'tolerant',
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
    if (server !== 'tolerant') checkMeta(node, server === 'lenient');
    node.classType = replacement.newClassType;
    node.inputs = takenOver(node, replacement, server === 'tolerant');
  }
}

/** Before the inputs get their new names: the links themselves are moved, wherever they end up. */
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

function checkMeta(node: ServerNode, isLenient: boolean): void {
  const { meta } = node;
  if (meta === undefined && isLenient) return;
  if (meta === undefined) throw new PythonRaise('KeyError', "'_meta'", serverNodePlace(node));
  if (isExactObject(meta) || isExactList(meta)) return;
  const text = `'${pythonTypeName(meta)}' object has no attribute 'copy'`;
  throw new PythonRaise('AttributeError', text, serverNodePlace(node));
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
      throw new PythonRaise('KeyError', pythonRepr(mapping.from), serverNodePlace(node));
    }
  }
  return inputs;
}
