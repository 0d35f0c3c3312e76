import { subgraphInputId, subgraphOutputId } from '../../workflow/graph/graphLinks';
import { readId } from '../../workflow/graph/members';
import type { JsonNode } from '../../json/node';
import { type GraphRule, graphNodeLabel } from '../graphRule';
import { t } from '../../safety/localize';

/** The links listed at outputs don't matter, because the editor rewrites them. */
export const danglingLinks: GraphRule = ({ level, nodes, subgraph, definitionOf }, report) => {
  const taken = new Map<string, JsonNode | undefined>();
  for (const node of level.nodes) {
    for (const slot of node.inputs) {
      if (slot.link !== undefined) taken.set(slot.link, slot.node);
      const named = slot.node.get('link');
      const id = readId(named);
      if (!named || id === undefined || slot.link !== undefined) continue;
      const input = definitionOf(node)?.inputs.find(({ name }) => name === slot.name);
      const isNeeded = input?.section === 'required' && slot.widget === undefined;
      report({
        code: 'dangling-link',
        range: named,
        explains: [slot.node],
        // What the ComfyUI editor does with it; an input that needs a link is then missing.
        fix: isNeeded ? undefined : { kind: 'replaceText', range: named, texts: ['null'] },
        message: t`${slot.name} of ${graphNodeLabel(node)} refers to link ${id}, which is not in the list of links. Connect it again.`,
      });
    }
  }
  const edges = subgraph ? [subgraphInputId, subgraphOutputId] : [];
  for (const [id, links] of level.bySlot) {
    if (nodes.has(id) || edges.includes(id)) for (const link of links) taken.set(link.id, undefined);
  }
  for (const link of level.links.values()) {
    const { id, originId, targetId, node } = link;
    if (nodes.has(originId) && nodes.has(targetId)) continue;
    const [first, other] = [originId, targetId].filter((each) => !nodes.has(each) && !edges.includes(each));
    // An input that names a link to nowhere is reported with its fix.
    if (first === undefined || (first === targetId && level.shared.has(link))) continue;
    const slot = taken.get(id);
    report({
      code: 'dangling-link',
      // A leftover that no input uses has no effect.
      severity: taken.has(id) ? undefined : 'hint',
      range: node,
      explains: slot && [slot],
      fix: { kind: 'cutRow', places: [node] },
      message:
        other === undefined
          ? t`Link ${id} refers to node ${first}, which doesn't exist. Remove the link, or connect it again.`
          : t`Link ${id} refers to node ${first} and node ${other}, which doesn't exist. Remove the link, or connect it again.`,
    });
  }
};
