import { changeWords, type ComparedWorkflows, differencesByNode, nodeName } from '../diff/differenceWords';
import type { WorkflowChange } from '../diff/workflowDifferences';
import type { Drawing } from './drawing';
import type { NodeMark } from './drawnNode';

export interface MarkedDrawing {
  readonly drawing: Drawing;
  /** By the IDs of the drawing's nodes. */
  readonly marks: ReadonlyMap<string, NodeMark>;
}

/** Set before the ID of a removed node, so that it can stand beside a node of the later version. */
const removedId = 'removed ';

/**
 * Both versions of a workflow in one drawing: the later one, with the nodes that it lacks where they were. What changed
 * inside a subgraph is told at its instance.
 */
export function markedDrawing(
  before: Drawing,
  after: Drawing,
  changes: readonly WorkflowChange[],
  workflows: ComparedWorkflows,
): MarkedDrawing {
  const marks = new Map<string, NodeMark>();
  const earlier = new Map(before.nodes.map((node) => [node.id, node]));
  const later = new Set(after.nodes.map(({ id }) => id));
  const removed = new Set<string>();
  for (const { node, sign, changes: own } of differencesByNode(changes)) {
    const { id = '' } = node.after ?? node.before ?? {};
    const [outermost = '', ...inner] = id.split(':');
    const isInside = inner.length > 0 && !later.has(id);
    const isRemoved = sign === '-' && !isInside;
    if (isRemoved) removed.add(id);
    const kind = isInside || sign === '~' ? 'changed' : isRemoved ? 'removed' : 'added';
    const place = isRemoved ? removedId + id : isInside ? outermost : id;
    const words = own.flatMap((change) => changeWords(change, workflows) ?? []);
    const name = node.after ?? node.before;
    const lines = isInside && name ? [`${sign} ${nodeName(name)}`, ...words] : words;
    const known = marks.get(place);
    marks.set(place, { kind: known?.kind ?? kind, words: [...(known?.words ?? []), ...lines] });
  }
  const gone = [...removed].flatMap((id) => {
    const node = earlier.get(id);
    return node ? [{ ...node, id: removedId + id }] : [];
  });
  return { drawing: { ...after, nodes: [...gone, ...after.nodes] }, marks };
}
