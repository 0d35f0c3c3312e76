import type { Catalog } from '../catalog/catalog';
import type { Prompt } from './prompt';

/** The node types of a prompt that use paid partner services, each once, in file order. */
export function partnerNodesOf(prompt: Prompt, catalog: Catalog): string[] {
  const classTypes = prompt.nodes.flatMap(({ classType }) => {
    return classType !== undefined && catalog.get(classType)?.apiNode === true ? [classType] : [];
  });
  return [...new Set(classTypes)];
}
