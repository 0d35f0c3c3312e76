import { reachableItems } from '../../workflow/closure';
import { groupByKey } from '../../workflow/graph/grouped';
import { largestId } from '../../workflow/graph/members';
import type { Prompt } from '../../workflow/prompt';
import { memoizeByObject } from '../../safety/memoizeByObject';

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
  return reachableItems([nodeId], (id) => users.list(id).map((use) => use.id));
}

/** Collected once for all nodes: a file may have thousands of broken links. */
const usersIn = memoizeByObject(({ nodes }: Prompt) => {
  const uses = nodes.flatMap(({ id, inputs }) =>
    inputs.flatMap(({ link }) => (link ? [{ id, from: link.nodeId }] : [])),
  );
  return groupByKey(uses, ({ from }) => from);
});

export function findRequirements(prompt: Prompt, nodeIds: readonly string[]): Set<string> {
  return reachableItems(nodeIds, (id) => {
    return (prompt.node(id)?.inputs ?? []).flatMap(({ link }) => (link ? [link.nodeId] : []));
  });
}

/** A free ID above all that editors count to. */
export function freeId(ids: readonly string[]): number {
  return largestId(ids) + 1;
}
