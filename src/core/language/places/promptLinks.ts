import { reachableItems } from '../../workflow/closure';
import { groupByKey } from '../../workflow/graph/grouped';
import { largestId } from '../../workflow/graph/members';
import type { Prompt } from '../../workflow/prompt';

/** The consumers of each node, in file order. */
export function findConsumers(prompt: Prompt, nodeId: string) {
  return prompt.nodes.flatMap((node) => {
    return node.inputs.flatMap((input) => {
      return input.link?.nodeId === nodeId ? [{ node, input, slot: input.link.slot }] : [];
    });
  });
}

/** A node and everything that needs it: linking one of these to it would close a loop. */
export function findDependents(prompt: Prompt, nodeId: string): Set<string> {
  const users = usersIn(prompt);
  return reachableItems([nodeId], (id) => users.get(id)?.map((use) => use.id) ?? []);
}

type Users = ReadonlyMap<string, readonly { readonly id: string }[]>;

const usersByPrompt = new WeakMap<Prompt, Users>();

/** Collected once for all nodes: a file may have thousands of broken links. */
function usersIn(prompt: Prompt): Users {
  const known = usersByPrompt.get(prompt);
  if (known) return known;
  const uses = prompt.nodes.flatMap(({ id, inputs }) =>
    inputs.flatMap(({ link }) => (link ? [{ id, from: link.nodeId }] : [])),
  );
  const users = groupByKey(uses, ({ from }) => from);
  usersByPrompt.set(prompt, users);
  return users;
}

export function findRequirements(prompt: Prompt, nodeIds: readonly string[]): Set<string> {
  return reachableItems(nodeIds, (id) => {
    return (prompt.node(id)?.inputs ?? []).flatMap(({ link }) => (link ? [link.nodeId] : []));
  });
}

/** A free ID above all that editors count to. */
export function freeId(ids: readonly string[]): number {
  return largestId(ids) + 1;
}
