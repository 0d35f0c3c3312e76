import type { LiveInput, LiveLevel, LiveNode } from './liveNode';
import type { JsonNode } from '../../json/node';
import { budgets } from '../../safety/budgets';
import { GraphRefusal } from './graphProblem';
import { type Groups, groupByKey } from './grouped';
import { numberText, t } from '../../safety/localize';

/** Nodes without links come first, in file order; then each node once all its links are counted; those in cycles last, by ID. */
export function executionOrder(level: LiveLevel, targets: LinkTargets): LiveNode[] {
  const order: LiveNode[] = [];
  const open = new Map<string, number>();
  for (const node of level.nodes) {
    let count = 0;
    for (const { link } of node.inputs) if (link !== undefined) count++;
    if (count === 0) order.push(node);
    else open.set(node.id, count);
  }
  // The loop goes on with the nodes that it adds.
  for (const node of order) {
    for (const { target } of targets.list(node.id)) {
      const left = open.get(target.id);
      if (left === 1) {
        open.delete(target.id);
        order.push(target);
      } else if (left !== undefined) open.set(target.id, left - 1);
    }
  }
  const rest = level.nodes.filter(({ id }) => open.has(id));
  return [...order, ...rest.sort((a, b) => Number(a.id) - Number(b.id) || 0)];
}

export interface LinkTarget {
  readonly linkId: string;
  readonly originId: string;
  readonly slot: number;
  readonly target: LiveNode;
  readonly input: LiveInput;
}

export type LinkTargets = Groups<string, LinkTarget>;

/** The targets of each node, output by output, and of one output by the ids of its links. */
export function targetsByOrigin(level: LiveLevel): LinkTargets {
  const found: LinkTarget[] = [];
  for (const target of level.nodes) {
    for (const input of target.inputs) {
      const { link: linkId } = input;
      const link = linkId === undefined ? undefined : level.links.get(linkId);
      if (!link || linkId === undefined) continue;
      found.push({ linkId, originId: link.originId, slot: link.originSlot, target, input });
    }
  }
  const targets = groupByKey(found, ({ originId }) => originId);
  for (const list of targets.values()) {
    if (list.length > 1) list.sort((a, b) => a.slot - b.slot || Number(a.linkId) - Number(b.linkId) || 0);
  }
  return targets;
}

/** A node at its place in the expanded graph: inner nodes occur once per instance. */
export interface ExecutedNode {
  /** Its id and those of the instances around it, joined by ":"; the key in the prompt. */
  readonly id: string;
  readonly live: LiveNode;
  readonly instance: ExecutedNode | undefined;
}

/** Expands a graph. The editor leaves out inactive instances only at the root: deeper ones have inner nodes with modes. */
export function unfoldInstances(
  order: readonly LiveNode[],
  inactiveToo = false,
): ReadonlyMap<string, ExecutedNode> {
  const nodes = new Map<string, ExecutedNode>();
  let letters = 0;
  let inputs = 0;
  const add = (live: LiveNode, instance: ExecutedNode | undefined): void => {
    const id = instance ? `${instance.id}:${live.id}` : live.id;
    const node = { id, live, instance };
    letters += id.length;
    inputs += live.inputs.length + live.widgets.length;
    const isTooMuch = letters > budgets.unfoldedIds || inputs > budgets.unfoldedInputs;
    if (isTooMuch || nodes.size >= budgets.unfoldedNodes) throw tooManyNodes(live.source.node);
    nodes.set(id, node);
    if (!live.inside || (!inactiveToo && !instance && live.mode !== 'always')) return;
    for (let outer = instance; outer; outer = outer.instance) {
      if (outer.live.inside === live.inside) {
        const name = live.inside.subgraph?.name ?? live.type;
        const message = t`The subgraph ${name} contains itself. Remove this instance from it.`;
        throw new GraphRefusal({ code: 'subgraph-loop', message, node: live.source.node });
      }
    }
    for (const inner of live.inside.nodes) add(inner, node);
  };
  for (const live of order) add(live, undefined);
  return nodes;
}

export function tooManyNodes(node: JsonNode): GraphRefusal {
  const most = numberText(budgets.unfoldedNodes);
  const message = t`With its subgraphs expanded, this graph has more than ${most} nodes. Nest fewer instances.`;
  return new GraphRefusal({ code: 'too-large', message, node });
}
