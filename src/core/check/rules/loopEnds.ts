import { t } from '../../safety/localize';
import type { LoopFault } from '../loopBoundaries';
import type { LinkView, NodeView, PromptView } from '../promptView';
import { classPlace, nodeName, type PromptRule, valuePlace } from '../rule';
import { and } from '../wording';

/** How many places of one fault are marked, and how many of its nodes are named. */
const mostMarked = 20;
const mostNamed = 8;

/** What is wrong at a node, or at one of its links. */
interface Trouble {
  readonly node: NodeView;
  readonly link?: LinkView;
  readonly message: string;
}

/** The fault of a loop, at the link or the node that has to change: the server names all its nodes (workflows 4.7). */
export const loopEnds: PromptRule = ({ view, verdict }, report) => {
  const fault = verdict?.loopFault;
  if (!fault) return;
  for (const { node, link, message } of troubles(fault, view).slice(0, mostMarked)) {
    report({
      code: 'loop',
      ...(link ? valuePlace(node, link.input) : classPlace(node)),
      nodeIds: fault.nodeIds,
      message,
      // Only outputs that depend on the loop are lost.
      severity: verdict.valid ? 'warning' : 'error',
      counts: 'always',
    });
  }
};

function troubles({ type, nodeIds, loop }: LoopFault, view: PromptView): Trouble[] {
  const nodes = nodeIds.flatMap((id) => view.nodes.get(id) ?? []);
  const start = loop && view.nodes.get(loop.start);
  const end = loop && view.nodes.get(loop.end);
  switch (type) {
    case 'loop_start_without_end':
      return nodes.map((node) => ({
        node,
        message: t`${nodeName(node)} has no End Loop. Add one that receives the result of the loop, or remove the node.`,
      }));
    case 'loop_end_without_start':
      return nodes.map((node) => ({
        node,
        message:
          start && end
            ? t`${nodeName(node)} has no Start Loop of its own, because ${nodeName(start)} already ends at ${nodeName(end)}. Remove one of the two, or add a Start Loop.`
            : t`${nodeName(node)} has no Start Loop, because it doesn't depend on any. Link the body of the loop to one, or remove the node.`,
      }));
    case 'ambiguous_loop_nesting': {
      const node = nodes.find(({ classType }) => classType === 'EndLoop');
      if (!node) return [];
      const starts = namesOf(nodes.filter((each) => each !== node));
      const message = t`${nodeName(node)} could end any of these loops: ${starts}. Give each its own End Loop. To nest one in another, link its parent_iteration to the other's iteration_index.`;
      return [{ node, message }];
    }
    case 'loop_end_cycle': {
      const message = t`These End Loops depend on each other: ${namesOf(nodes)}. Remove one of the links between them.`;
      return nodes.slice(0, 1).map((node) => ({ node, message }));
    }
    case 'loop_accumulate_from_body':
      return linksOf(end, view)
        .filter(({ link }) => link.input === 'accumulate')
        .map(({ node, link, origin }) => {
          const message = t`accumulate of ${nodeName(node)} depends on ${nodeName(origin)}, which is inside the loop. Set it to true or false, or link it to a node outside.`;
          return { node, link, message };
        });
    case 'loop_escape':
      if (!start || !end) return [];
      return nodes
        .filter((node) => node !== start && node !== end)
        .flatMap((node) => linksOf(node, view))
        .filter(({ origin }) => loop.inside.has(origin.id))
        .map(({ node, link, origin }) => {
          const what = t`This link leaves the loop from ${nodeName(start)} to ${nodeName(end)}: ${nodeName(node)} uses ${nodeName(origin)}. Use the output of ${nodeName(end)} instead.`;
          const message = node.definition?.outputs.length
            ? t`${what} To run ${nodeName(node)} in every iteration, link it to a termination input there.`
            : what;
          return { node, link, message };
        });
  }
}

function linksOf(
  node: NodeView | undefined,
  { nodes }: PromptView,
): { readonly node: NodeView; readonly link: LinkView; readonly origin: NodeView }[] {
  if (!node) return [];
  return node.links.flatMap((link) => {
    const origin = nodes.get(link.targetId);
    return origin ? [{ node, link, origin }] : [];
  });
}

function namesOf(nodes: readonly NodeView[]): string {
  const names = nodes.slice(0, mostNamed).map(nodeName);
  return and(nodes.length > mostNamed ? [...names, '…'] : names);
}
