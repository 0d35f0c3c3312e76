import type { Catalog } from '../../catalog/catalog';
import { areCompatible } from '../../check/typeCompatibility';
import { textOf, type TextEdit } from '../../json/textEdit';
import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';
import { EditPlan } from './editPlan';
import { definitionOf, inputsOf, wantedType } from '../places/nodeInputs';
import { consumersOf } from '../places/promptLinks';

/**
 * Edits that remove a node from a prompt and link its targets to its sources, as the ComfyUI editor does with a
 * bypassed node (workflows 2, G3). Undefined if an output in use has no input of its type to replace it.
 */
export function bypassEdits(
  prompt: Prompt,
  node: PromptNode,
  catalog: Catalog | undefined,
): TextEdit[] | undefined {
  const definition = definitionOf(node, catalog);
  const property = prompt.root?.property(node.id);
  const consumers = consumersOf(prompt, node.id);
  if (!definition || !prompt.root || !property || consumers.length === 0) return undefined;
  const edits = new EditPlan(prompt.document.text);
  for (const { input, slot } of consumers) {
    const output = definition.outputs[slot];
    const source = output && standIn(node, slot, output.type, catalog);
    if (!source || source.link?.nodeId === node.id) return undefined;
    edits.replace(input.valueNode, textOf(prompt.document.text, source.valueNode));
  }
  edits.remove(prompt.root, property);
  return edits.edits();
}

/** The linked input whose value an output passes on: at the same index, of the same type, or of a compatible one. */
function standIn(
  node: PromptNode,
  slot: number,
  type: Parameters<typeof areCompatible>[0],
  catalog: Catalog | undefined,
): PromptInput | undefined {
  const sockets = inputsOf(node, catalog).flatMap(({ name, spec }) => {
    const input = node.inputs.find((each) => each.name === name);
    return input?.link ? [{ input, type: wantedType(spec) }] : [];
  });
  const same = sockets[slot];
  if (same && areCompatible(type, same.type)) return same.input;
  const very = sockets.find((each) => each.type === type);
  return (very ?? sockets.find((each) => areCompatible(type, each.type)))?.input;
}
