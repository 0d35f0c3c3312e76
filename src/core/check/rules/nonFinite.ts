import type { JsonNode, JsonNonFinite } from '../../json/node';
import type { PromptRule } from '../rule';
import { t } from '../../safety/localize';

/** Bare NaN and Infinity: Python servers read them, other programs reject the entire file. */
export const nonFinite: PromptRule = ({ view }, report) => {
  const { document, nodes } = view.prompt;
  if (!document.problems.some(({ kind }) => kind === 'nonFinite')) return;
  for (const { id, inputs } of nodes) {
    for (const { name, valueNode } of inputs) {
      for (const found of nonFiniteIn(valueNode)) {
        report({
          code: 'non-finite-number',
          nodeId: id,
          input: name,
          range: found,
          message: t`${found.text} isn't valid JSON. This server accepts it, but most other programs don't. Use a number or null.`,
          counts: 'always',
          fix: { kind: 'replaceText', range: found, texts: ['0', 'null'] },
        });
      }
    }
  }
};

function nonFiniteIn(node: JsonNode): JsonNonFinite[] {
  if (node.kind === 'nonFinite') return [node];
  if (node.kind === 'array') return node.items.flatMap(nonFiniteIn);
  if (node.kind === 'object')
    return node.properties.flatMap(({ value }) => (value ? nonFiniteIn(value) : []));
  return [];
}
