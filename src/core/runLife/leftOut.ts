import type { LeftOut } from '../jobs/job';
import { parseExact } from '../json/exactReader';
import { isExactList, isExactObject } from '../json/exactValue';
import type { NodeErrorMap } from '../protocol/nodeErrors';

/**
 * What a server leaves out of a prompt that it accepts with node errors (protocol 1.5): the outputs that depend on a
 * rejected node, and every node that only they depend on. Undefined when nothing is left out.
 */
export function leftOutOf(promptText: string, nodeErrors: NodeErrorMap): LeftOut | undefined {
  const refused = Object.entries(nodeErrors);
  if (refused.length === 0) return undefined;
  const outputs = new Set(
    refused.flatMap(([nodeId, { dependentOutputs }]) =>
      dependentOutputs.length > 0 ? dependentOutputs : [nodeId],
    ),
  );
  const sources = sourcesIn(promptText);
  /** Links from a node to others that still want it. */
  const wanted = new Map<string, number>();
  for (const id of [...sources.values()].flat()) wanted.set(id, (wanted.get(id) ?? 0) + 1);
  const nodes = new Set(outputs);
  const open = [...outputs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const source of sources.get(id) ?? []) {
      const left = (wanted.get(source) ?? 0) - 1;
      wanted.set(source, left);
      if (left > 0 || nodes.has(source)) continue;
      nodes.add(source);
      open.push(source);
    }
  }
  return { outputs: [...outputs], nodes: [...nodes] };
}

/** Node ID -> the nodes that its inputs link to, one entry per link. */
function sourcesIn(promptText: string): Map<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  const prompt = parseExact(promptText);
  for (const [id, node] of isExactObject(prompt) ? prompt : []) {
    const inputs = isExactObject(node) ? node.get('inputs') : undefined;
    const linked = [...(isExactObject(inputs) ? inputs.values() : [])].flatMap((value) => {
      const source = isExactList(value) && value.length === 2 ? value[0] : undefined;
      return typeof source === 'string' ? [source] : [];
    });
    sources.set(id, linked);
  }
  return sources;
}
