import type { LiveLevel, LiveNode } from './liveNode';

/**
 * The editor's order within a level: nodes without open inputs first, in file order, then each node once all its links
 * are counted; nodes in cycles come last, by ID.
 */
export function executionOrder(level: LiveLevel): LiveNode[] {
  const order: LiveNode[] = [];
  const open = new Map<string, number>();
  for (const node of level.nodes) {
    const count = node.inputs.filter(({ link }) => link !== undefined).length;
    if (count === 0) order.push(node);
    else open.set(node.id, count);
  }
  const targets = targetsByOrigin(level);
  const seen = new Set<string>();
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    if (!node) break;
    for (const { linkId, target } of targets.get(node.id) ?? []) {
      if (seen.has(linkId)) continue;
      seen.add(linkId);
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

interface Target {
  readonly linkId: string;
  readonly slot: number;
  readonly target: LiveNode;
}

/** A node's targets, output by output. */
function targetsByOrigin(level: LiveLevel): ReadonlyMap<string, readonly Target[]> {
  const targets = new Map<string, Target[]>();
  for (const target of level.nodes) {
    for (const { link: linkId } of target.inputs) {
      const link = linkId === undefined ? undefined : level.links.get(linkId);
      if (!link || linkId === undefined) continue;
      const list = targets.get(link.originId) ?? [];
      list.push({ linkId, slot: link.originSlot, target });
      targets.set(link.originId, list);
    }
  }
  for (const [id, list] of targets) {
    if (list.length < 2) continue;
    let places: ReadonlyMap<string, number> | undefined;
    const placeOf = ({ linkId }: Target): number => {
      places ??= placesOfLinks(level.byId.get(id));
      return places.get(linkId) ?? 0;
    };
    list.sort((a, b) => a.slot - b.slot || placeOf(a) - placeOf(b));
  }
  return targets;
}

/** The order of links at a node's outputs, as in the file. */
function placesOfLinks(node: LiveNode | undefined): ReadonlyMap<string, number> {
  const links = node?.source.outputs.flatMap((output) => output.links) ?? [];
  return new Map(links.map((link, index) => [link, index]));
}
