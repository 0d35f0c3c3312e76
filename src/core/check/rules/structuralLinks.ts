import { exactValue } from '../../json/exactValue';
import { isSlot } from '../promptView';
import type { NodeRule } from '../rule';
import { withProposal } from '../wording';
import { t } from '../../safety/localize';

/** Links of nodes with unknown types: only pairs that can be nothing else are judged. */
export const structuralLinks: NodeRule = (node, { view, similar }, report) => {
  if (node.definition) return;
  for (const { name, valueNode } of node.source.inputs) {
    // Without definitions, it is unknown which lists the server unwraps into links.
    const isWrapped = !view.catalog && valueNode.kind === 'object';
    const list = isWrapped ? valueNode.get('__value__') : valueNode;
    if (list?.kind !== 'array' || list.items.length !== 2) continue;
    const [id, slot] = list.items;
    const common = { nodeId: node.id, input: name } as const;
    if (id?.kind === 'string' && slot && isSlot(exactValue(slot)) && !view.nodes.has(id.value)) {
      const missing = t`There is no node ${JSON.stringify(id.value)} to link to.`;
      const names = similar(id.value, view.nodes.keys());
      report({
        code: 'link-to-missing-node',
        ...common,
        range: id,
        message: withProposal(missing, names, t`${missing} Link to another node.`),
        fix: { kind: 'chooseLink', nodeId: node.id, input: name, type: '*' },
      });
    } else if (!isWrapped && id?.kind === 'number' && slot?.kind === 'number' && view.nodes.has(id.text)) {
      report({
        code: 'link-id-not-text',
        ...common,
        range: id,
        message: t`Node IDs in links must be strings. Use ${JSON.stringify(id.text)}.`,
        fix: { kind: 'replaceText', range: id, texts: [JSON.stringify(id.text)] },
      });
    }
  }
};
