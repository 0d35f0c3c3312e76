import type { GraphNode } from '../../workflow/graph/graphNode';
import { type GraphRule, graphNodeName } from '../graphRule';
import { t } from '../../safety/localize';

/** The list of links and the slots of the nodes disagree; the ComfyUI editor goes by the slots (workflows 1.2). */
export const linkTable: GraphRule = ({ level, nodes }, report) => {
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      const link = slot.link === undefined ? undefined : level.links.get(slot.link);
      if (!link || link.targetId === node.id) continue;
      report({
        code: 'link-table',
        range: slot.node.get('link') ?? slot.node,
        message: t`${slot.name} of ${graphNodeName(node)} uses link ${link.id}, which the list of links connects to node ${link.targetId}. The slot wins; reconnect it to be sure.`,
        related: [{ range: link.node, message: t`Link ${link.id} is here.` }],
      });
    }
  }
  const taken = new Map<GraphNode, ReadonlySet<string | undefined>>();
  const takenBy = (node: GraphNode): ReadonlySet<string | undefined> => {
    const links = taken.get(node) ?? new Set(node.inputs.map(({ link }) => link));
    taken.set(node, links);
    return links;
  };
  for (const { id, targetId, node: range } of level.links.values()) {
    const target = nodes.get(targetId);
    if (!target || takenBy(target).has(id)) continue;
    report({
      code: 'link-table',
      severity: 'information',
      range,
      message: t`Link ${id} leads to ${graphNodeName(target)}, where no input uses it, so it has no effect.`,
    });
  }
};
