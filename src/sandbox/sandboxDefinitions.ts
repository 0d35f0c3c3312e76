import type { Dialect } from './dialect';
import type { FileStore } from './files/fileStore';
import { sandboxDefinitions } from './nodes/nodeSet';
import type { NodeDefinitionJson, SandboxNode } from './nodes/sandboxNode';

/**
 * The current entries of `/object_info`. Made again only when the input files change, so that the same object means
 * the same text.
 */
export function nodeDefinitions(
  dialect: Dialect,
  files: FileStore,
  extra: ReadonlyMap<string, SandboxNode> = new Map(),
): () => Definitions {
  const own = Object.fromEntries([...extra].map(([name, node]) => [name, node.definition]));
  let known: { readonly key: string; readonly definitions: Definitions };
  const make = (names: readonly string[]): typeof known.definitions => {
    const all = { ...sandboxDefinitions(names), ...own };
    return dialect === 'local-old' ? inOldWords(all) : all;
  };
  known = { key: '', definitions: make([]) };
  return () => {
    const names = [...files.names('input', '')].sort();
    const key = names.join('\n');
    if (key !== known.key) known = { key, definitions: make(names) };
    return known.definitions;
  };
}

type Definitions = Readonly<Record<string, NodeDefinitionJson>>;

const laterTypes = /^(?:\w*Loop|Loop[IPR]\w+|LoadLoraModel|VideoTrim)$/;
const laterMembers = ['is_input_list', 'has_intermediate_output'];

/** Without the node types and members that later versions added. */
function inOldWords(definitions: Definitions): Definitions {
  const known = Object.entries(definitions).filter(([name]) => !laterTypes.test(name));
  const old = known.map(([name, definition]) => {
    const members = Object.entries(definition).filter(([member]) => !laterMembers.includes(member));
    return [name, Object.fromEntries(members)];
  });
  return Object.fromEntries(old) as Definitions;
}
