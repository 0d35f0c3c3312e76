import type { Catalog } from '../catalog/catalog';
import { expandInputs } from '../catalog/dynamic';
import type { JsonNode } from '../json/node';
import { valueOf } from '../workflow/prompt';
import type { Prompt, PromptInput, PromptNode } from '../workflow/prompt';
import type { RunProblem } from './runRefusal';

/**
 * Links to nodes that do not exist, where the server follows them without having looked: its worker dies, and with
 * it every later job of everybody (protocol 7.2). Such a prompt is never sent.
 *
 * The server checks declared inputs from the outputs on, and refuses what it finds there. So a missing node is
 * dangerous when the way to it from an output takes at least one input that the class does not declare. Without
 * node definitions nobody can tell which those are: then every link to a missing node is named.
 */
export function linksThatStopServer(
  prompt: Prompt,
  catalog: Catalog | undefined,
  targets: readonly string[] = [],
): RunProblem[] {
  if (!catalog)
    return prompt.nodes.flatMap((node) => danglingLinksOf(prompt, node).map((input) => problem(node, input)));
  const declared = new Map(prompt.nodes.map((node) => [node.id, declaredInputs(node, catalog)]));
  const outputs = prompt.nodes.filter(({ id, classType }) => {
    const isOutput = classType !== undefined && catalog.get(classType)?.isOutputNode === true;
    return isOutput && (targets.length === 0 || targets.includes(id));
  });
  const found = new Map<PromptInput, RunProblem>();
  const seen = new Set<string>();
  const open = outputs.map((node) => ({ node, unchecked: false }));
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, unchecked } = step;
    const key = `${unchecked ? 'u' : 'c'}${node.id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const input of node.inputs) {
      const target = linkTarget(input.valueNode);
      if (target === undefined) continue;
      const next = { unchecked: unchecked || declared.get(node.id)?.has(input.name) !== true };
      const linked = prompt.node(target);
      if (linked) open.push({ ...next, node: linked });
      else if (next.unchecked) found.set(input, problem(node, input));
    }
  }
  return [...found.values()];
}

function danglingLinksOf(prompt: Prompt, node: PromptNode): PromptInput[] {
  return node.inputs.filter(({ valueNode }) => {
    const target = linkTarget(valueNode);
    return target !== undefined && prompt.node(target) === undefined;
  });
}

/** The node that the server's executor takes a value to link to: any pair of a text and a number, whole or not. */
function linkTarget(value: JsonNode): string | undefined {
  if (value.kind !== 'array' || value.items.length !== 2) return undefined;
  const [id, slot] = value.items;
  if (id?.kind !== 'string' || (slot?.kind !== 'number' && slot?.kind !== 'nonFinite')) return undefined;
  return id.value;
}

function declaredInputs(node: PromptNode, catalog: Catalog): ReadonlySet<string> {
  const definition = node.classType === undefined ? undefined : catalog.get(node.classType);
  if (!definition) return new Set();
  const given = new Map(node.inputs.map((input) => [input.name, valueOf(input)]));
  return new Set(expandInputs(definition, given).inputs.map(({ name }) => name));
}

function problem(node: PromptNode, input: PromptInput): RunProblem {
  const { offset, length } = input.valueNode;
  return {
    nodeId: node.id,
    input: input.name,
    offset,
    length,
    message: `Input ${input.name} of node ${node.id} is linked to node ${linkTarget(input.valueNode) ?? ''}, which doesn't exist.`,
    type: 'link_to_missing_node',
  };
}
