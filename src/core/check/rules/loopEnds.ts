import { t } from '../../safety/localize';
import type { LoopFault } from '../loopBoundaries';
import type { NodeView, PromptView } from '../promptView';
import { classPlace, nodeName, type PromptRule, valuePlace } from '../rule';
import type { Place } from '../ruleFinding';
import { and } from '../wording';

/** How many links that leave a loop are marked, and how many of its nodes are named. */
const mostMarked = 20;
const mostNamed = 8;

interface Trouble {
  readonly place: Place;
  readonly message: string;
}

/** The fault of a loop, at the link or the node that has to change: the server names all its nodes (workflows 4.7). */
export const loopEnds: PromptRule = ({ view, verdict }, report) => {
  const fault = verdict?.loopFault;
  if (!fault) return;
  for (const { place, message } of troubles(fault, view).slice(0, mostMarked)) {
    report({
      code: 'loop',
      ...place,
      nodeIds: fault.nodeIds,
      message,
      // Only outputs that depend on the loop are lost.
      severity: verdict.valid ? 'warning' : 'error',
      counts: 'always',
    });
  }
};

function troubles(fault: LoopFault, view: PromptView): Trouble[] {
  const nodes = nodesIn(fault.nodeIds, view);
  switch (fault.type) {
    case 'loop_start_without_end':
      return nodes.map((start) => ({
        place: classPlace(start),
        message: t`${nodeName(start)} has no End Loop. Add one that receives the result of the loop, or remove the node.`,
      }));
    case 'loop_end_without_start':
      return nodes.map((end) => ({ place: classPlace(end), message: withoutStart(end, fault, view) }));
    case 'ambiguous_loop_nesting': {
      const ends = nodes.filter(({ classType }) => classType === 'EndLoop');
      const starts = namesOf(nodes.filter((node) => !ends.includes(node)));
      return ends.map((end) => ({
        place: classPlace(end),
        message: t`${nodeName(end)} could end any of these loops: ${starts}. Give each its own End Loop. To nest one in another, link its parent_iteration to the other's iteration_index.`,
      }));
    }
    case 'loop_end_cycle':
      return nodes.slice(0, 1).map((end) => ({
        place: classPlace(end),
        message: t`These End Loops depend on each other: ${namesOf(nodes)}. Remove one of the links between them.`,
      }));
    case 'loop_accumulate_from_body':
      return accumulated(nodes, fault, view);
    case 'loop_escape':
      return escapes(fault, view);
  }
}

function withoutStart(end: NodeView, { pairs }: LoopFault, view: PromptView): string {
  const before = walk(
    [end],
    ({ links }) => links.map(({ targetId }) => targetId),
    view,
    () => false,
  );
  const start = [...before].find(({ classType }) => classType === 'StartLoop');
  const other = start && view.nodes.get(pairs.get(start.id) ?? '');
  return other
    ? t`${nodeName(end)} has no Start Loop of its own: ${nodeName(start)} already ends at ${nodeName(other)}. Remove one of the two, or add a Start Loop.`
    : t`${nodeName(end)} has no Start Loop: it depends on none. Link the body of the loop to one, or remove the node.`;
}

function accumulated(nodes: readonly NodeView[], fault: LoopFault, view: PromptView): Trouble[] {
  return nodes.flatMap((end) => {
    const link = end.links.find(({ input }) => input === 'accumulate');
    const source = link && view.nodes.get(link.targetId);
    if (end.classType !== 'EndLoop' || !source || !fault.nodeIds.includes(source.id)) return [];
    const message = t`accumulate of ${nodeName(end)} depends on ${nodeName(source)}, which is inside the loop. Set it to true or false, or link it to a node outside.`;
    return [{ place: valuePlace(end, 'accumulate'), message }];
  });
}

/** Every link from inside the loop to one of the fault's nodes outside of it. */
function escapes({ nodeIds, pairs }: LoopFault, view: PromptView): Trouble[] {
  // The pair that was made last is the one that is not closed.
  const [startId = '', endId = ''] = [...pairs].at(-1) ?? [];
  const [start, end] = [view.nodes.get(startId), view.nodes.get(endId)];
  if (!start || !end) return [];
  const outside = nodesIn(nodeIds, view).filter((node) => node !== start && node !== end);
  const stops = new Set<NodeView>([end, ...outside]);
  const takers = takersIn(view);
  const body = walk(
    [start],
    ({ id }) => takers.get(id) ?? [],
    view,
    (node) => stops.has(node),
  );
  return outside.flatMap((node) =>
    node.links.flatMap(({ input, targetId }) => {
      const origin = view.nodes.get(targetId);
      if (!origin || stops.has(origin) || !body.has(origin)) return [];
      const what = t`This link leaves the loop from ${nodeName(start)} to ${nodeName(end)}: ${nodeName(node)} uses ${nodeName(origin)}. Use the output of ${nodeName(end)} instead.`;
      const message = node.definition?.outputs.length
        ? t`${what} To run ${nodeName(node)} in every iteration, link it to a termination input there.`
        : what;
      return [{ place: valuePlace(node, input), message }];
    }),
  );
}

function takersIn({ nodes }: PromptView): ReadonlyMap<string, readonly string[]> {
  const takers = new Map<string, string[]>();
  for (const { id, links } of nodes.values()) {
    for (const { targetId } of links) {
      const known = takers.get(targetId);
      if (known) known.push(id);
      else takers.set(targetId, [id]);
    }
  }
  return takers;
}

/** Everything reached from some nodes, with those where it stops. */
function walk(
  from: readonly NodeView[],
  next: (node: NodeView) => readonly string[],
  { nodes }: PromptView,
  stopsAt: (node: NodeView) => boolean,
): ReadonlySet<NodeView> {
  const found = new Set(from);
  for (const node of found) {
    if (stopsAt(node)) continue;
    for (const id of next(node)) {
      const reached = nodes.get(id);
      if (reached) found.add(reached);
    }
  }
  return found;
}

function nodesIn(ids: readonly string[], { nodes }: PromptView): NodeView[] {
  return ids.flatMap((id) => nodes.get(id) ?? []);
}

function namesOf(nodes: readonly NodeView[]): string {
  const names = nodes.slice(0, mostNamed).map(nodeName);
  return and(nodes.length > mostNamed ? [...names, '…'] : names);
}
