import { createHash } from 'node:crypto';
import type { FileStore } from '../files/fileStore';
import type { SandboxNode } from '../nodes/sandboxNode';
import { isLink, type RunPromptNodes } from './runPromptNodes';

/** Everything that a node's result depends on, as text: the key of its cached result. */
export class CacheKeys {
  readonly #keys = new Map<string, string>();
  #unique = 0;

  constructor(
    private readonly prompt: RunPromptNodes,
    private readonly nodes: ReadonlyMap<string, SandboxNode>,
    private readonly files: FileStore,
  ) {}

  of(nodeId: string): string {
    const known = this.#keys.get(nodeId);
    if (known !== undefined) return known;
    // A placeholder for the node while its inputs are followed, so that a loop ends here; a node in a loop never
    // runs.
    this.#keys.set(nodeId, this.#never('loop'));
    const key = this.#build(nodeId);
    this.#keys.set(nodeId, key);
    return key;
  }

  #build(nodeId: string): string {
    const node = this.prompt.get(nodeId);
    if (node === undefined) return this.#never('missing');
    const hash = createHash('sha256');
    const parent = this.prompt.parentOf(nodeId);
    // Expanded nodes are kept apart from nodes of the file, as on the real server.
    hash.update(parent === undefined ? '' : this.of(parent));
    hash.update(JSON.stringify(node.class_type));
    hash.update(this.#fingerprint(node.class_type, node.inputs));
    for (const [name, value] of Object.entries(node.inputs).sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(JSON.stringify(name));
      hash.update(isLink(value) ? `${this.of(value[0])}:${String(value[1])}` : plainText(value));
    }
    return hash.digest('hex');
  }

  #fingerprint(classType: string, inputs: Readonly<Record<string, unknown>>): string {
    try {
      return this.nodes.get(classType)?.fingerprint?.(inputs, this.files) ?? '';
    } catch {
      // A node type that cannot say what it depends on is never cached.
      return this.#never('changed');
    }
  }

  #never(why: string): string {
    this.#unique += 1;
    return `${why} ${this.#unique} ${Math.random()}`;
  }
}

/** JSON with integers of any size. */
function plainText(value: unknown): string {
  if (value === undefined) return 'undefined';
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? `${member}n` : member,
  );
}
