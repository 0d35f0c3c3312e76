import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graph';
import type { GraphRule } from '../graphRule';
import { graphNodeName } from '../graphRule';
import { t } from '../../safety/localize';

/**
 * Inputs that name links which the table does not have, and links that name nodes which are not there. What outputs
 * say of their links is of no account: the editor writes these lists anew.
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
        // What the web page makes of it.
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
      // A left-over that no input takes has no effect.
      severity: taken.has(id) ? undefined : 'hint',
      range: node,
      message:
        other === undefined
          ? t`Link ${id} refers to node ${first}, which doesn't exist. Remove the link, or connect it again.`
          : t`Link ${id} refers to node ${first} and node ${other}, which doesn't exist. Remove the link, or connect it again.`,
    });
  }
};
