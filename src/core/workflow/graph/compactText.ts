import type { JsonNode, JsonObject } from '../../json/node';

/**
 * The JSON of a node on one line, every number as in the file. Of duplicate names, the last one counts; bare NaN and
 * Infinity become null, so that every JSON parser can read it.
 */
export function compactText(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return objectText(node);
    case 'array':
      return `[${node.items.map(compactText).join(',')}]`;
    case 'number':
      return node.text;
    case 'nonFinite':
      return 'null';
    case 'string':
    case 'boolean':
    case 'null':
      return JSON.stringify(node.value);
  }
}

function objectText(object: JsonObject): string {
  const members = new Map<string, string>();
  for (const { name, value } of object.properties) if (value) members.set(name, compactText(value));
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
