import { parseJson } from '../json/tree';
import { type Graph, readGraph } from '../workflow/graph/graph';
import type { Prompt, PromptNode } from '../workflow/prompt';

/**
 * The graph that the page makes of a prompt: each node once, its values by name, and a link per linked input. It has
 * no places; {@link layOutPrompt} finds them.
 */
export function promptGraph(prompt: Prompt): Graph {
  const links: string[] = [];
  const slots = new Map<string, number>();
  for (const { inputs } of prompt.nodes) {
    for (const { link } of inputs) {
      if (link) slots.set(link.nodeId, Math.max(slots.get(link.nodeId) ?? 0, link.slot + 1));
    }
  }
  const nodes = prompt.nodes.map((node) => nodeText(prompt, node, slots.get(node.id) ?? 0, links));
  const text = `{"nodes":[${nodes.join(',')}],"links":[${links.join(',')}],"version":0.4}`;
  const document = parseJson(text);
  // The text is an object, whatever the values in it are.
  if (!document.root) throw new Error('A text that begins with a brace is an object.');
  return readGraph(document, document.root);
}

/** More outputs than any node has: a number in a file decides nothing here. */
const mostOutputs = 100;

function nodeText({ document }: Prompt, node: PromptNode, outputs: number, links: string[]): string {
  const values: string[] = [];
  const inputs = node.inputs.flatMap(({ name, link, valueNode }, index) => {
    if (!link) {
      const value = document.text.slice(valueNode.offset, valueNode.offset + valueNode.length);
      values.push(`${JSON.stringify(name)}:${value}`);
      return [];
    }
    const id = links.length + 1;
    const ends = [id, link.nodeId, link.slot, node.id, index, '*'];
    links.push(JSON.stringify(ends));
    return [JSON.stringify({ name, type: '*', link: id })];
  });
  const count = Math.min(outputs, mostOutputs);
  const slots = Array.from({ length: count }, () => '{"name":"","type":"*"}');
  const title = node.title === undefined ? '' : `"title":${JSON.stringify(node.title)},`;
  return `{"id":${JSON.stringify(node.id)},"type":${JSON.stringify(node.classType ?? '')},${title}"inputs":[${inputs.join(',')}],"outputs":[${slots.join(',')}],"widgets_values":{${values.join(',')}}}`;
}
