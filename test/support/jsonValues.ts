import type { JsonNode } from '../../src/core/json/node';

export function valuesOf(node: JsonNode | undefined): JsonNode[] {
  if (!node) return [];
  const inner =
    node.kind === 'array'
      ? node.items
      : node.kind === 'object'
        ? node.properties.map(({ value }) => value)
        : [];
  return [node, ...inner.flatMap(valuesOf)];
}
