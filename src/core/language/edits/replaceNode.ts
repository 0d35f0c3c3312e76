import type { NodeReplacement } from '../../catalog/nodeReplacements';
import { writeExact } from '../../json/exactWriter';
import { textOf } from '../../json/textEdit';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import type { EditPlan } from './editPlan';
import { consumersOf } from '../places/promptLinks';

/** Rewrites a node with its replacement: inputs under their new names, outgoing links moved. */
export function replaceNode(
  prompt: Prompt,
  node: PromptNode,
  replacement: NodeReplacement,
  edits: EditPlan,
): void {
  if (node.classTypeNode) edits.replace(node.classTypeNode, JSON.stringify(replacement.newClassType));
  if (replacement.inputs) replaceInputs(prompt, node, replacement.inputs, edits);
  for (const { oldSlot, newSlot } of replacement.outputs ?? []) {
    if (oldSlot === newSlot) continue;
    for (const { input, slot } of consumersOf(prompt, node.id)) {
      const slotNode = input.valueNode.kind === 'array' ? input.valueNode.items[1] : undefined;
      if (slot === oldSlot && slotNode) edits.replace(slotNode, String(newSlot));
    }
  }
}

function replaceInputs(
  { document }: Prompt,
  node: PromptNode,
  mappings: NonNullable<NodeReplacement['inputs']>,
  edits: EditPlan,
): void {
  const object = node.inputsNode;
  if (object?.kind !== 'object') return;
  const renamed = new Set<string>();
  for (const mapping of mappings) {
    if (!('from' in mapping)) {
      edits.set(object, mapping.name, writeExact(mapping.value));
      renamed.add(mapping.name);
      continue;
    }
    const old = object.property(mapping.from);
    if (!old?.value) continue;
    // An old input can fill several new ones: the first replaces it, the others are added.
    if (!renamed.has(mapping.from)) edits.replace(old.key, JSON.stringify(mapping.name));
    else edits.add(object, mapping.name, textOf(document.text, old.value));
    renamed.add(mapping.from);
  }
  for (const property of object.properties) if (!renamed.has(property.name)) edits.remove(object, property);
}
