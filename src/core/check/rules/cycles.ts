import { countAt } from '../../safety/lists';
import { findLinkLoops } from '../loops';
import type { LinkView, NodeView, PromptView } from '../promptView';
import { checkedNodeName, type PromptRule, valuePlace } from '../rule';
import { t } from '../../safety/localize';

const mostRelated = 20;
const mostNamed = 8;

interface Step {
  readonly node: NodeView;
  readonly link: LinkView;
}

/**
 * Cycles through declared inputs: the server rejects them and reports each node (workflows 4.2, row 0). Each is
 * reported once, at a link that closes it. Cycles that share nodes are one until one of their links is removed.
 */
export const cycles: PromptRule = ({ view }, report) => {
  const loops = findLinkLoops(view, ({ isDeclared }) => isDeclared);
  if (loops.length === 0) return;
  const order = new Map([...view.nodes.values()].map((node, index) => [node, index]));
  const place = (node: NodeView): number => countAt(order, node);
  for (const loop of loops) {
    const members = [...loop].sort((a, b) => place(a) - place(b));
    const way = shortestWay(members, view);
    const [first, ...others] = way;
    if (!first) continue;
    report({
      code: 'cycle',
      ...valuePlace(first.node, first.link.input),
      nodeIds: members.map(({ id }) => id),
      message:
        others.length === 0
          ? t`${checkedNodeName(first.node)} uses its own output as an input. Link to another node.`
          : t`These nodes form a cycle: ${wordsOf(way)}. Remove one of the links.`,
      counts: 'checked',
      related: others.slice(0, mostRelated).map(({ node, link }, index) => {
        const origin = others[index + 1]?.node ?? first.node;
        const message = t`${checkedNodeName(node)} uses the output of ${checkedNodeName(origin)} here.`;
        return { ...valuePlace(node, link.input), message };
      }),
      fix: {
        kind: 'cutLink',
        links: way.slice(0, mostRelated).map(({ node, link }) => ({ nodeId: node.id, input: link.input })),
      },
    });
  }
};

/** The shortest loop through the first of nodes that all depend on each other, against the links: from taker to giver. */
function shortestWay(members: readonly NodeView[], { nodes }: PromptView): readonly Step[] {
  const [start] = members;
  const loop = new Set(members);
  const takers = new Map<NodeView, Step>();
  const open = start ? [start] : [];
  for (const node of open) {
    for (const link of node.links) {
      const giver = link.isDeclared ? nodes.get(link.targetId) : undefined;
      if (!giver || !loop.has(giver)) continue;
      if (giver === start) return wayTo({ node, link }, takers);
      if (takers.has(giver)) continue;
      takers.set(giver, { node, link });
      open.push(giver);
    }
  }
  return [];
}

function wayTo(last: Step, takers: ReadonlyMap<NodeView, Step>): readonly Step[] {
  const way = [last];
  for (let at = takers.get(last.node); at; at = takers.get(at.node)) way.push(at);
  return way.reverse();
}

function wordsOf(way: readonly Step[]): string {
  const [first, ...others] = way.map(({ node }) => checkedNodeName(node));
  const flow = [first, ...others.reverse()];
  const named = flow.length > mostNamed ? [...flow.slice(0, mostNamed), '…'] : flow;
  return [...named, first].join(' → ');
}
