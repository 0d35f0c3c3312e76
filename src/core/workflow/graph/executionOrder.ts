import type { LiveInput, LiveLevel, LiveNode } from './liveNode';

/**
 * The editor's order within a level: nodes without open inputs first, in file order, then each node once all its links
 * are counted; nodes in cycles come last, by ID.
 */
export function executionOrder(level: LiveLevel, targets: LinkTargets): LiveNode[] {
  const order: LiveNode[] = [];
  const open = new Map<string, number>();
  for (const node of level.nodes) {
    let count = 0;
    for (const { link } of node.inputs) if (link !== undefined) count++;
    if (count === 0) order.push(node);
    else open.set(node.id, count);
  }
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    if (!node) break;
    for (const { target } of targets.get(node.id) ?? []) {
      const left = (open.get(target.id) ?? 0) - 1;
      if (left === 0) {
        open.delete(target.id);
        order.push(target);
      } else if (left > 0) open.set(target.id, left);
    }
  }
  const rest = level.nodes.filter(({ id }) => open.has(id));
  return [...order, ...rest.sort((a, b) => Number(a.id) - Number(b.id) || 0)];
}

/** An input that a link leads to. */
export interface LinkTarget {
  readonly linkId: string;
  readonly slot: number;
  readonly target: LiveNode;
  readonly input: LiveInput;
}

export type LinkTargets = ReadonlyMap<string, readonly LinkTarget[]>;

/** The targets of each node, output by output, and of one output by the ids of its links. */
export function targetsByOrigin(level: LiveLevel): LinkTargets {
  const targets = new Map<string, LinkTarget[]>();
  for (const target of level.nodes) {
    for (const input of target.inputs) {
      const { link: linkId } = input;
      const link = linkId === undefined ? undefined : level.links.get(linkId);
      if (!link || linkId === undefined) continue;
      const list = targets.get(link.originId);
      const found = { linkId, slot: link.originSlot, target, input };
      if (list) list.push(found);
      else targets.set(link.originId, [found]);
    }
  }
  for (const list of targets.values()) {
    if (list.length > 1) list.sort((a, b) => a.slot - b.slot || Number(a.linkId) - Number(b.linkId) || 0);
  }
  return targets;
}
