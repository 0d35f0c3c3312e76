import type { JsonNode } from '../../json/node';
import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graph';
import type { GraphRule } from '../graphRule';
import { graphNodeName } from '../graphRule';

/** Slots that name links which the table does not have, and links that name nodes which are not there. */
export const danglingLinks: GraphRule = ({ level, nodes, subgraph }, report) => {
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      if (slot.link === undefined || level.links.has(slot.link)) continue;
      const named = slot.node.get('link');
      report({
        code: 'dangling-link',
        range: named ?? slot.node,
        // What the web page makes of it.
        ...(named && { fix: { kind: 'replaceText', range: named, texts: ['null'] } }),
        message: `${slot.name} of ${graphNodeName(node)} names link ${slot.link}, which is not in the list of links. Connect it again.`,
      });
    }
    for (const slot of node.outputs) {
      const lost = new Set(slot.links.filter((id) => !level.links.has(id)));
      const list = slot.node.get('links');
      if (lost.size === 0 || !list) continue;
      report({
        code: 'dangling-link',
        severity: 'hint',
        range: list,
        fix: { kind: 'replaceText', range: list, texts: [listWithout(list, lost)] },
        message: `${slot.name} of ${graphNodeName(node)} names links that are not in the list of links: ${[...lost].slice(0, 8).join(', ')}.`,
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

/** The list of ids as it is written, on one line, without some of them. */
function listWithout(list: JsonNode, lost: ReadonlySet<string>): string {
  const items = list.kind === 'array' ? list.items : [];
  const texts = items.flatMap((item) => {
    if (item.kind === 'string') return lost.has(item.value) ? [] : [JSON.stringify(item.value)];
    return item.kind === 'number' && !lost.has(item.text) ? [item.text] : [];
  });
  return `[${texts.join(', ')}]`;
}
