import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graph';
import type { GraphRule } from '../graphRule';
import { graphNodeName } from '../graphRule';
import { t } from '../../safety/localize';

/**
 * Inputs that name links missing from the table, and links that name missing nodes. The links listed at outputs don't
 * matter: the editor rewrites them.
 */
export const danglingLinks: GraphRule = ({ level, nodes, subgraph }, report) => {
  const taken = new Set<string>();
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      if (slot.link !== undefined) taken.add(slot.link);
      if (slot.link === undefined || level.links.has(slot.link)) continue;
      const named = slot.node.get('link');
      report({
        code: 'dangling-link',
        range: named ?? slot.node,
        // What the ComfyUI editor does with it.
        fix: named && { kind: 'replaceText', range: named, texts: ['null'] },
        message: t`${slot.name} of ${graphNodeName(node)} refers to link ${slot.link}, which is not in the list of links. Connect it again.`,
      });
    }
  }
  const edges = subgraph ? [subgraphInputId, subgraphOutputId] : [];
  for (const { id, originId, targetId, node } of level.links.values()) {
    const [first, other] = [originId, targetId].filter((each) => !nodes.has(each) && !edges.includes(each));
    if (first === undefined) continue;
    report({
      code: 'dangling-link',
      // A leftover that no input uses has no effect.
      severity: taken.has(id) ? undefined : 'hint',
      range: node,
      message:
        other === undefined
          ? t`Link ${id} refers to node ${first}, which doesn't exist. Remove the link, or connect it again.`
          : t`Link ${id} refers to node ${first} and node ${other}, which doesn't exist. Remove the link, or connect it again.`,
    });
  }
};
