import type { Catalog } from '../catalog/catalog';
import type { Prompt } from './prompt';

/** Whether every node of a prompt is known, and none uses a partner service. */
export function isWithoutPartners(prompt: Prompt, catalog: Catalog): boolean {
  return prompt.nodes.every(({ classType }) => {
    const definition = classType === undefined ? undefined : catalog.get(classType);
    return definition !== undefined && !definition.apiNode;
  });
}

/** The node types of a prompt that use paid partner services, each once, in file order. */
export function partnerNodesOf(prompt: Prompt, catalog: Catalog): string[] {
  const classTypes = prompt.nodes.flatMap(({ classType }) => {
    return classType !== undefined && catalog.get(classType)?.apiNode === true ? [classType] : [];
  });
  return [...new Set(classTypes)];
}
