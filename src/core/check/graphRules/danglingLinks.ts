import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graph';
import type { GraphRule } from '../graphRule';
import { graphNodeName } from '../graphRule';

/** Slots that name links which the table does not have, and links that name nodes which are not there. */
export const danglingLinks: GraphRule = ({ level, nodes, subgraph }, report) => {
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      if (slot.link === undefined || level.links.has(slot.link)) continue;
      report({
        code: 'dangling-link',
        range: slot.node.get('link') ?? slot.node,
        message: `${slot.name} of ${graphNodeName(node)} names link ${slot.link}, which is not in the list of links. Connect it again.`,
      });
    }
    for (const slot of node.outputs) {
      const lost = slot.links.filter((id) => !level.links.has(id));
      if (lost.length === 0) continue;
      report({
        code: 'dangling-link',
        severity: 'hint',
        range: slot.node.get('links') ?? slot.node,
        message: `${slot.name} of ${graphNodeName(node)} names links that are not in the list of links: ${lost.slice(0, 8).join(', ')}.`,
      });
    }
  }
  const edges = subgraph ? [subgraphInputId, subgraphOutputId] : [];
  for (const { id, originId, targetId, node } of level.links.values()) {
    const missing = [originId, targetId].filter((each) => !nodes.has(each) && !edges.includes(each));
    if (missing.length === 0) continue;
    report({
      code: 'dangling-link',
      range: node,
      message: `Link ${id} names node ${missing.join(' and node ')}, which is not there. Remove the link, or connect it again.`,
    });
  }
};
