import { mapDefined } from '../../safety/lists';
import { t } from '../../safety/localize';
import type { LoopFault } from '../loopBoundaries';
import type { LinkView, NodeView, PromptView } from '../promptView';
import { classPlace, checkedNodeName, type PromptRule, valuePlace } from '../rule';
import type { Place } from '../ruleFinding';
import { nodesInWords } from '../wording';

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
