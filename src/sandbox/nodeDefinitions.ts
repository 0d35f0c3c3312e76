import type { FileStore } from './files/fileStore';
import { sandboxDefinitions } from './nodes/nodeSet';
import type { NodeDefinitionJson, SandboxNode } from './nodes/sandboxNode';

/**
 * The entries of `/object_info` as of now. They are made again only when other input files are there, so that the same
 * object stands for the same text.
 */
export function nodeDefinitions(
  files: FileStore,
  extra: ReadonlyMap<string, SandboxNode> = new Map(),
): () => Readonly<Record<string, NodeDefinitionJson>> {
  const own = Object.fromEntries([...extra].map(([name, node]) => [name, node.definition]));
  let known: { readonly key: string; readonly definitions: Readonly<Record<string, NodeDefinitionJson>> };
  known = { key: '', definitions: { ...sandboxDefinitions([]), ...own } };
  return () => {
    const names = [...files.names('input', '')].sort();
    const key = names.join('\n');
    if (key !== known.key) known = { key, definitions: { ...sandboxDefinitions(names), ...own } };
    return known.definitions;
  };
}
