import type { NodeDefinitionJson, SandboxNode } from './sandboxNode';

/** Every node class of the sandbox by class type. */
export function sandboxNodes(): ReadonlyMap<string, SandboxNode> {
  return new Map();
}

/**
 * The answer of `/object_info`.
 * @param inputFiles names in the input area, which the file inputs of the loaders offer.
 */
export function sandboxDefinitions(inputFiles: readonly string[] = []): Record<string, NodeDefinitionJson> {
  return Object.fromEntries(
    inputFiles.map((name) => [name, [...sandboxNodes().values()][0]]).flatMap(() => []),
  );
}
