import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import type { JsonNode } from '../json/node';
import { compileGraph } from '../workflow/graph/compileGraph';
import type { Prompt } from '../workflow/prompt';
import type { WorkflowPrompt } from './workflowPrompt';

/**
 * SHA-256 (hex) of what a workflow runs: the same for texts that differ only in whitespace, order of nodes and inputs,
 * or titles, and for graphs that differ only in layout. `{a|b}` and dates count as written: reading a graph again does
 * not change it. Undefined for a graph that can't be compiled.
 */
export function promptHash({ prompt, graph }: WorkflowPrompt, catalog?: Catalog): string | undefined {
  if (graph && !catalog) return undefined;
  const asWritten = { dynamicPrompts: 'keep', now: new Date(0) } as const;
  const lasting = graph && catalog ? compileGraph(graph.graph, catalog, asWritten) : { prompt };
  if (!('prompt' in lasting)) return undefined;
  return createHash('sha256').update(meaningOf(lasting.prompt)).digest('hex');
}

function meaningOf({ nodes }: Prompt): string {
  const lines = nodes.map(({ id, classType, inputs }) => {
    const members = new Map(inputs.map(({ name, valueNode }) => [name, plainText(valueNode)]));
    return `${JSON.stringify([id, classType ?? null])}${membersText(members)}`;
  });
  return lines.sort().join('\n');
}

/** JSON without blanks: names sorted, numbers as they are written, texts as they are read. */
function plainText(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      const members = new Map<string, string>();
      for (const { name, value } of node.properties) if (value) members.set(name, plainText(value));
      return membersText(members);
    }
    case 'array':
      return `[${node.items.map(plainText).join(',')}]`;
    case 'number':
    case 'nonFinite':
      return node.text;
    case 'string':
    case 'boolean':
    case 'null':
      return JSON.stringify(node.value);
  }
}

function membersText(members: ReadonlyMap<string, string>): string {
  const texts = Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`);
  // By code units, so the result is the same on every machine.
  return `{${texts.sort().join(',')}}`;
}
