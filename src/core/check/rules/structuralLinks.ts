import type { JsonNode } from '../../json/node';
import type { NodeRule } from '../rule';
import { didYouMean } from '../wording';

/** What the server's executor takes for a slot. */
const slotKinds = new Set<JsonNode['kind']>(['number', 'nonFinite', 'boolean']);

/** Links of nodes whose class nobody knows: only pairs that can be nothing else are judged. */
export const structuralLinks: NodeRule = (node, { view, similar }, report) => {
  if (node.definition) return;
  for (const { name, valueNode } of node.source.inputs) {
    if (valueNode.kind !== 'array' || valueNode.items.length !== 2) continue;
    const [id, slot] = valueNode.items;
    const common = { nodeId: node.id, input: name } as const;
    if (id?.kind === 'string' && slot && slotKinds.has(slot.kind) && !view.nodes.has(id.value)) {
      report({
        code: 'link-to-missing-node',
        ...common,
        range: id,
        message: `There is no node ${JSON.stringify(id.value)} to link to.${didYouMean(similar(id.value, view.nodes.keys())) || ' Link to another node.'}`,
        fix: { kind: 'chooseLink', nodeId: node.id, input: name, type: '*' },
      });
    } else if (id?.kind === 'number' && slot?.kind === 'number' && view.nodes.has(id.text)) {
      report({
        code: 'link-id-not-text',
        ...common,
        range: id,
        message: `Node IDs in links are strings. Use ${JSON.stringify(id.text)}.`,
        fix: { kind: 'replaceText', range: id, texts: [JSON.stringify(id.text)] },
      });
    }
  }
};
