import { mapDefined } from '../safety/lists';
import { reachableItems } from '../workflow/closure';
import type { NodeView, PromptView } from './promptView';

/** Which nodes the server validates, and which of them run. */
export interface Reach {
  /** Validated by the server: an output node, or linked to one through declared inputs. */
  isChecked(node: NodeView): boolean;
  /** Runs: links at undeclared inputs are followed too when a prompt runs (protocol 7.2). */
  isRun(node: NodeView): boolean;
  /** Runs for an output that reaches it through an undeclared input, which may run whatever the server found here. */
  isRunUnchecked(node: NodeView): boolean;
}

/**
 * Walks up from the outputs, or from those to run. Unknown node types may be outputs; if there is no output at all,
 * nodes that nothing depends on take their place, so that a new file is not entirely grayed out.
 */
export function reachFromOutputs(view: PromptView, targets: readonly string[] = []): Reach {
  const nodes = [...view.nodes.values()];
  const isTarget = ({ id }: NodeView): boolean => targets.length === 0 || targets.includes(id);
  let roots = nodes.filter((node) => (!node.definition || node.definition.isOutputNode) && isTarget(node));
  if (targets.length === 0 && !roots.some(({ definition }) => definition?.isOutputNode)) {
    const used = new Set(nodes.flatMap(({ links }) => links.map(({ targetId }) => targetId)));
    roots = nodes.filter((node) => !used.has(node.id) || !node.definition);
    if (roots.length === 0) roots = nodes;
  }
  const behind = (
    starts: Iterable<NodeView>,
    follows: (link: NodeView['links'][number]) => boolean = () => true,
  ): ReadonlySet<NodeView> =>
    reachableItems(starts, ({ links }) =>
      links.flatMap((link) => (follows(link) ? (view.nodes.get(link.targetId) ?? []) : [])),
    );
  const checked = behind(roots, ({ isDeclared }) => isDeclared);
  const run = behind(roots);
  const undeclared = [...run].flatMap(({ links }) => links.filter(({ isDeclared }) => !isDeclared));
  const unchecked = behind(mapDefined(undeclared, ({ targetId }) => view.nodes.get(targetId)));
  return {
    isChecked: (node) => checked.has(node),
    isRun: (node) => run.has(node),
    isRunUnchecked: (node) => unchecked.has(node),
  };
}
