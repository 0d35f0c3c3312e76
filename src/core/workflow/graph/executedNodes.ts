import type { JsonNode } from '../../json/node';
import { budgets } from '../../safety/budgets';
import { type GraphProblem, GraphRefusal } from './graphProblem';
import type { LiveNode } from './liveNode';
import { numberText, t } from '../../safety/localize';

/** A node at its place in the expanded graph: inner nodes occur once per instance. */
export interface ExecutedNode {
  /** Its id and those of the instances around it, joined by ":"; the key in the prompt. */
  readonly id: string;
  readonly live: LiveNode;
  /** The instance that contains it. */
  readonly instance: ExecutedNode | undefined;
}

/**
 * Expands a graph whose root nodes are in execution order: every node, including those inside active instances. Muted
 * and bypassed root instances are not expanded; nested ones are, because there the editor looks at the modes of the
 * inner nodes, which it sets when the user mutes an instance. Rejects subgraphs that contain themselves.
 * @param inactiveToo expands muted and bypassed root instances as well
 */
export function unfold(order: readonly LiveNode[], inactiveToo = false): ReadonlyMap<string, ExecutedNode> {
  const nodes = new Map<string, ExecutedNode>();
  let letters = 0;
  let inputs = 0;
  const add = (live: LiveNode, instance: ExecutedNode | undefined): void => {
    const id = instance ? `${instance.id}:${live.id}` : live.id;
    const node = { id, live, instance };
    letters += id.length;
    inputs += live.inputs.length + live.widgets.length;
    const isTooMuch = letters > budgets.promptText || inputs > budgets.unfoldedInputs;
    if (nodes.size >= budgets.unfoldedNodes || isTooMuch) {
      throw new GraphRefusal(tooManyNodes(live.source.node));
    }
    nodes.set(id, node);
    if (!live.inside || (!inactiveToo && !instance && live.mode !== 'always')) return;
    for (let outer = instance; outer; outer = outer.instance) {
      if (outer.live.inside === live.inside) {
        const name = live.inside.subgraph?.name ?? live.type;
        refuse(live.source.node, t`The subgraph ${name} contains itself. Remove this instance from it.`);
      }
    }
    for (const inner of live.inside.nodes) add(inner, node);
  };
  for (const live of order) add(live, undefined);
  return nodes;
}

export function tooManyNodes(node: JsonNode): GraphProblem {
  const most = numberText(budgets.unfoldedNodes);
  const message = t`With its subgraphs expanded, this graph has more than ${most} nodes. Nest fewer instances.`;
  return { code: 'too-large', message, node };
}

function refuse(node: JsonNode, message: string): never {
  throw new GraphRefusal({ code: 'subgraph-loop', message, node });
}
