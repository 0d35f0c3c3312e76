import { loopsOf } from '../loops';
import { classPlace, nodeName, type PromptRule, valuePlace } from '../rule';

/** How many other nodes of a loop are shown beside each. */
const mostRelated = 20;

/** Loops of links between declared inputs: the server refuses them (workflows 4.2, row 0). */
export const cycles: PromptRule = ({ view }, report) => {
  for (const members of loopsOf(view, ({ isDeclared }) => isDeclared)) {
    const loop = new Set(members.map(({ id }) => id));
    const names = members.slice(0, 6).map(nodeName).join(', ') + (members.length > 6 ? ', …' : '');
    for (const node of members) {
      const link = node.links.find(({ isDeclared, targetId }) => isDeclared && loop.has(targetId));
      if (!link) continue;
      const others = members.slice(0, mostRelated + 1).filter((other) => other !== node);
      report({
        code: 'cycle',
        ...valuePlace(node, link.input),
        message:
          members.length === 1
            ? 'This node takes its own output as an input. Link to another node.'
            : `These nodes wait for each other: ${names}. Cut one of the links between them.`,
        counts: 'checked',
        related: others.slice(0, mostRelated).map((other) => ({
          ...classPlace(other),
          message: `${nodeName(other)} is in the loop.`,
        })),
        fix: { kind: 'removeInput', nodeId: node.id, input: link.input },
      });
    }
  }
};
