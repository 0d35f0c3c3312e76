import type { NodeView, PromptView } from './promptView';

/** Which nodes the server looks at, and which of them run. */
export interface Reach {
  /** Checked by the server: an output node, or linked to one through declared inputs. */
  isChecked(node: NodeView): boolean;
  /** Runs: links in inputs that no class declares are followed too when a prompt runs (protocol 7.2). */
  isRun(node: NodeView): boolean;
}

/**
 * Walks up from the outputs. Classes that nobody knows may be outputs; where there is no output at all, the nodes that
 * nothing depends on stand for them, so that a file in the making is not grey from top to bottom.
 */
export function reachOf(view: PromptView): Reach {
  const nodes = [...view.nodes.values()];
  let roots = nodes.filter(({ definition }) => !definition || definition.isOutputNode);
  if (!roots.some(({ definition }) => definition?.isOutputNode)) {
    const used = new Set(nodes.flatMap(({ links }) => links.map(({ targetId }) => targetId)));
    roots = nodes.filter((node) => !used.has(node.id) || !node.definition);
    if (roots.length === 0) roots = nodes;
  }
  const checked = walk(view, roots, false);
  const run = walk(view, roots, true);
  return { isChecked: (node) => checked.has(node), isRun: (node) => run.has(node) };
}

function walk(view: PromptView, roots: readonly NodeView[], all: boolean): ReadonlySet<NodeView> {
  const seen = new Set<NodeView>(roots);
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const { isDeclared, targetId } of node.links) {
      const target = isDeclared || all ? view.nodes.get(targetId) : undefined;
      if (!target || seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}
