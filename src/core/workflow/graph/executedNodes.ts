import type { JsonNode } from '../../json/node';
import { GraphRefusal } from './graphProblem';
import type { LiveNode } from './liveGraph';

/** A node at its place in the unfolded graph: inner nodes once per instance that they run in. */
export interface ExecutedNode {
  /** The ids of the instances around it and its own, joined by ":"; the key in the prompt. */
  readonly id: string;
  readonly live: LiveNode;
  /** The instance that it lies in. */
  readonly instance: ExecutedNode | undefined;
}

/** Enough for any real graph; instances inside instances could unfold without end. */
const maxNodes = 100_000;

/**
 * Unfolds a graph whose root nodes are given in execution order: every node, those inside active instances too. Muted
 * and bypassed instances of the root stay folded; deeper ones do not: there the editor looks at the modes of the nodes
 * inside, which it sets when a person mutes an instance. Refuses subgraphs that contain themselves.
 */
export function unfold(order: readonly LiveNode[]): ReadonlyMap<string, ExecutedNode> {
  const nodes = new Map<string, ExecutedNode>();
  const add = (live: LiveNode, instance: ExecutedNode | undefined): void => {
    const id = instance ? `${instance.id}:${live.id}` : live.id;
    const node = { id, live, instance };
    if (nodes.size >= maxNodes)
      refuse(live.source.node, 'The subgraphs of this graph unfold to too many nodes.');
    nodes.set(id, node);
    if (!live.inside || (!instance && live.mode !== 'always')) return;
    for (let outer = instance; outer; outer = outer.instance) {
      if (outer.live.inside === live.inside) {
        const name = live.inside.subgraph?.name ?? live.type;
        refuse(live.source.node, `The subgraph "${name}" contains itself. Remove this instance from it.`);
      }
    }
    for (const inner of live.inside.nodes) add(inner, node);
  };
  for (const live of order) add(live, undefined);
  return nodes;
}

function refuse(node: JsonNode, message: string): never {
  throw new GraphRefusal({ code: 'subgraph-loop', message, node });
}
