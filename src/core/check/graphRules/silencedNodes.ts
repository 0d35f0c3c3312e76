import type { GraphNode } from '../../workflow/graph/graphNode';
import { acceptsType } from '../../workflow/graph/slotTypes';
import { type GraphRule, graphNodeName, type LevelView } from '../graphRule';
import { typeOf } from '../graphMap';

/** Muted nodes that required inputs wait for, and bypassed nodes that have nothing to pass on. */
export const silencedNodes: GraphRule = (view, report) => {
  if (view.level.nodes.every(({ mode }) => mode === 'always')) return;
  const empty = new Set<GraphNode>();
  for (const node of view.level.nodes) {
    const definition = node.mode === 'always' ? view.definitionOf(node) : undefined;
    if (!definition) continue;
    const required = new Set(
      definition.inputs.filter(({ section }) => section === 'required').map(({ name }) => name),
    );
    for (const slot of node.inputs) {
      const link = slot.link === undefined ? undefined : view.level.links.get(slot.link);
      if (!link || !required.has(slot.name)) continue;
      const origin = originOf(link.originId, view);
      if (!origin) continue;
      if (origin.mode === 'muted') {
        report({
          code: 'muted-source',
          range: slot.node.get('name') ?? slot.node,
          message: `${slot.name} of ${graphNodeName(node)} comes from ${graphNodeName(origin)}, which is muted, so it is missing when the graph runs. Switch that node on, or connect another.`,
          related: [{ range: typeOf(origin.node), message: 'The muted node is here.' }],
        });
      } else if (origin.mode === 'bypassed' && !empty.has(origin) && !passesOn(origin, slot.type)) {
        empty.add(origin);
        report({
          code: 'bypass-without-match',
          range: origin.node.get('mode') ?? typeOf(origin.node),
          message: `${graphNodeName(origin)} is bypassed and has no connected input of type ${slot.type} to pass on to ${slot.name} of ${graphNodeName(node)}, which needs it.`,
          related: [{ range: slot.node.get('name') ?? slot.node, message: 'It is needed here.' }],
        });
      }
    }
  }
};

/** The node behind a link, reroutes looked through. */
function originOf(id: string, { nodes, level }: LevelView): GraphNode | undefined {
  let node = nodes.get(id);
  for (let steps = 0; node?.type === 'Reroute' && node.mode === 'always' && steps < nodes.size; steps++) {
    const link = node.inputs[0]?.link;
    const origin = link === undefined ? undefined : level.links.get(link)?.originId;
    node = origin === undefined ? undefined : nodes.get(origin);
  }
  return node;
}

function passesOn(node: GraphNode, type: string): boolean {
  return node.inputs.some((input) => input.link !== undefined && acceptsType(input.type, type));
}
