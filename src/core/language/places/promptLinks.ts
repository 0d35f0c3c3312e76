import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';

/** An input linked to a node's output. */
interface Consumer {
  readonly node: PromptNode;
  readonly input: PromptInput;
  readonly slot: number;
}

/** Who uses which node, in file order. */
export function consumersOf(prompt: Prompt, nodeId: string): Consumer[] {
  return prompt.nodes.flatMap((node) => {
    return node.inputs.flatMap((input) => {
      return input.link?.nodeId === nodeId ? [{ node, input, slot: input.link.slot }] : [];
    });
  });
}

/** A node and everything that needs it: linking one of these to it would close a loop. */
export function dependentsOf(prompt: Prompt, nodeId: string): Set<string> {
  const users = new Map<string, string[]>();
  for (const node of prompt.nodes) {
    for (const { link } of node.inputs) {
      if (!link) continue;
      const list = users.get(link.nodeId);
      if (list) list.push(node.id);
      else users.set(link.nodeId, [node.id]);
    }
  }
  return closure([nodeId], (id) => users.get(id) ?? []);
}

/** Some nodes and everything that they need. */
export function requirementsOf(prompt: Prompt, nodeIds: readonly string[]): Set<string> {
  return closure(nodeIds, (id) => {
    return (prompt.node(id)?.inputs ?? []).flatMap(({ link }) => (link ? [link.nodeId] : []));
  });
}

/** What can be reached from some ids, those included. */
export function closure(start: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(start);
  const waiting = [...found];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const each of next(id)) {
      if (found.has(each)) continue;
      found.add(each);
      waiting.push(each);
    }
  }
  return found;
}

/** The smallest integer above all numeric IDs: an unused ID. */
export function freeId(prompt: Prompt): string {
  let largest = 0n;
  for (const { id } of prompt.nodes) {
    if (/^\d{1,30}$/.test(id) && BigInt(id) > largest) largest = BigInt(id);
  }
  return String(largest + 1n);
}
