import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graphLinks';
import { idOf } from '../../workflow/graph/members';
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
      const named = slot.node.get('link');
      const id = idOf(named);
      if (!named || id === undefined || slot.link !== undefined) continue;
      report({
        code: 'dangling-link',
        range: named,
        // What the ComfyUI editor does with it.
        fix: { kind: 'replaceText', range: named, texts: ['null'] },
        message: t`${slot.name} of ${graphNodeName(node)} refers to link ${id}, which is not in the list of links. Connect it again.`,
      });
    }
  }
  const edges = subgraph ? [subgraphInputId, subgraphOutputId] : [];
  for (const [id, links] of level.bySlot) {
    if (nodes.has(id) || edges.includes(id)) for (const link of links) taken.add(link.id);
  }
  for (const { id, originId, targetId, node } of level.links.values()) {
    if (nodes.has(originId) && nodes.has(targetId)) continue;
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
