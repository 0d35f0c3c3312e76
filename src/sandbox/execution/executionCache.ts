import { createHash } from 'node:crypto';
import type { SandboxValue, SandboxNode } from '../nodes/sandboxNode';
import type { FileStore } from '../files/fileStore';
import { isLinkValue, type RunPromptNodes } from './runOrder';

/** A list of values per slot, as the server maps nodes over lists. */
export interface CachedOutputs {
  readonly slots: readonly (readonly SandboxValue[])[];
  readonly shown?:
    | {
        readonly output: Readonly<Record<string, readonly unknown[]>>;
        readonly meta: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

/** Enough for hundreds of runs; the results that were not used for the longest time go first. */
const largestCache = 10_000;

/** Keys are all that results were made from (node types and inputs), whatever the IDs of nodes. */
export class ExecutionCache {
  readonly #entries = new Map<string, CachedOutputs>();

  get(key: string): CachedOutputs | undefined {
    const outputs = this.#entries.get(key);
    if (outputs !== undefined) this.set(key, outputs);
    return outputs;
  }

  set(key: string, outputs: CachedOutputs): void {
    this.#entries.delete(key);
    this.#entries.set(key, outputs);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > largestCache && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** A local server counts prompts, and drops what none of the last ones used. For one job at a time. */
export class RecentPromptsCache extends ExecutionCache {
  readonly #lastUse = new Map<string, number>();
  #run = 0;

  /** @param patience prompts without use after which a result goes */
  constructor(private readonly patience: number) {
    super();
  }

  override set(key: string, outputs: CachedOutputs): void {
    this.#lastUse.set(key, this.#run);
    super.set(key, outputs);
  }

  endRun(): void {
    for (const [key, run] of this.#lastUse) {
      if (this.#run - run < this.patience) continue;
      this.#lastUse.delete(key);
      this.delete(key);
    }
    this.#run++;
  }
}

/** All that a node's result depends on, as text. */
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
    // Ends a loop; a node in a loop never runs.
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
      hash.update(isLinkValue(value) ? `${this.of(value[0])}:${String(value[1])}` : plainText(value));
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
