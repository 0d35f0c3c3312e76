import { mapDefined, countAt } from '../../safety/lists';
import { t } from '../../safety/localize';
import type { LoopFault } from '../loopBoundaries';
import type { LinkView, NodeView, PromptView } from '../promptView';
import { classPlace, checkedNodeName, type PromptRule, valuePlace } from '../rule';
import type { Place } from '../rule';
import { nodesInWords } from '../wording';
import { findLinkLoops } from '../loops';

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

const mostMarked = 20;

/** The fault of a loop, at the link or the node that has to change: the server names all its nodes (workflows 4.7). */
export const loopEnds: PromptRule = ({ view, verdict }, report) => {
  const fault = verdict?.loopFault;
  if (!fault) return;
  const { nodeIds } = fault;
  // Only outputs that depend on the loop are lost.
  const severity = verdict.valid ? 'warning' : 'error';
  for (const trouble of troubles(fault, view).slice(0, mostMarked))
    report({ code: 'loop', ...trouble, nodeIds, severity, counts: 'always' });
};

type Trouble = Place & { readonly message: string };

function troubles({ type, nodeIds, loop }: LoopFault, view: PromptView): readonly Trouble[] {
  const nodes = mapDefined(nodeIds, (id) => view.nodes.get(id));
  const ends = nodes.filter(({ classType }) => classType === 'EndLoop');
  const start = loop && view.nodes.get(loop.start);
  const end = loop && view.nodes.get(loop.end);
  const at = (places: readonly NodeView[], words: (name: string) => string): readonly Trouble[] =>
    places.map((node) => ({ ...classPlace(node), message: words(checkedNodeName(node)) }));
  const atLinks = (
    takers: readonly NodeView[],
    isMeant: (link: LinkView) => boolean,
    words: (origin: NodeView, taker: NodeView) => string,
  ): readonly Trouble[] =>
    takers.flatMap((taker) =>
      taker.links.filter(isMeant).flatMap(({ input, targetId }) => {
        const origin = view.nodes.get(targetId);
        return origin ? [{ ...valuePlace(taker, input), message: words(origin, taker) }] : [];
      }),
    );

  switch (type) {
    case 'loop_start_without_end':
      return at(
        nodes,
        (name) =>
          t`${name} has no End Loop. Add one that receives the result of the loop, or remove the node.`,
      );
    case 'loop_end_without_start':
      return at(nodes, (name) =>
        start && end
          ? t`${name} has no Start Loop of its own, because ${checkedNodeName(start)} already ends at ${checkedNodeName(end)}. Remove one of the two, or add a Start Loop.`
          : t`${name} has no Start Loop, because it doesn't depend on any. Link the loop body to one, or remove the node.`,
      );
    case 'ambiguous_loop_nesting': {
      const starts = nodeIds.filter((id) => id !== ends[0]?.id);
      return at(
        ends,
        (name) =>
          t`${name} could end several loops, which start at ${nodesInWords(starts)}. Give each its own End Loop. To nest one in another, link its parent_iteration to the other's iteration_index.`,
      );
    }
    case 'loop_end_cycle':
      return at(
        nodes.slice(0, 1),
        () =>
          t`These End Loops depend on each other: ${nodesInWords(nodeIds)}. Remove one of the links between them.`,
      );
    case 'loop_accumulate_from_body':
      return atLinks(
        ends,
        ({ input, targetId }) => input === 'accumulate' && nodeIds.includes(targetId),
        (origin, taker) =>
          t`accumulate of ${checkedNodeName(taker)} depends on ${checkedNodeName(origin)}, which is inside the loop. Set it to true or false, or link it to a node outside the loop.`,
      );
    case 'loop_escape': {
      if (!start || !end) return [];
      const outside = nodes.filter((node) => node !== start && node !== end);
      const around = new Set([end, ...outside].map(({ id }) => id));
      return atLinks(
        outside,
        ({ targetId: id }) => id === start.id || (loop.reached?.has(id) === true && !around.has(id)),
        (origin, taker) => {
          const what = t`This link leaves the loop from ${checkedNodeName(start)} to ${checkedNodeName(end)}: ${checkedNodeName(taker)} uses ${checkedNodeName(origin)}. Use the output of ${checkedNodeName(end)} instead.`;
          if (!taker.definition?.outputs.length) return what;
          return t`${what} To run ${checkedNodeName(taker)} in every iteration, link it to a termination input there.`;
        },
      );
    }
  }
}
