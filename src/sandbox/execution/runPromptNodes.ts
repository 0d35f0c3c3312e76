import type { PromptNode } from '../nodes/sandboxNode';
import type { NodePlace } from './runEvent';

/** `[node id, slot]`; the server treats any two-element list that starts with text as a link (protocol 1.5). */
export type PromptLink = readonly [nodeId: string, slot: unknown];

export function isLink(value: unknown): value is PromptLink {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** The nodes of one run: those of the prompt, and those added by expansion. */
export class RunPromptNodes {
  readonly #nodes: Map<string, PromptNode>;
  readonly #parents = new Map<string, string>();
  /** The nodes of the file that expanded ones are shown at: those that a chain of expansions started from. */
  readonly #shownAt = new Map<string, string>();

  constructor(prompt: ReadonlyMap<string, PromptNode>) {
    this.#nodes = new Map(prompt);
  }

  get ids(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  get(id: string): PromptNode | undefined {
    return this.#nodes.get(id);
  }

  addExpanded(id: string, node: PromptNode, parentId: string, shownAt = parentId): void {
    this.#nodes.set(id, node);
    this.#parents.set(id, parentId);
    this.#shownAt.set(id, this.#shownAt.get(shownAt) ?? shownAt);
  }

  replace(id: string, node: PromptNode): void {
    this.#nodes.set(id, node);
  }

  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  place(id: string): NodePlace {
    const parentNodeId = this.#parents.get(id) ?? null;
    let real = id;
    for (let parent = this.#parents.get(real); parent !== undefined; parent = this.#parents.get(real))
      real = parent;
    return { nodeId: id, displayNodeId: this.#shownAt.get(id) ?? id, parentNodeId, realNodeId: real };
  }
}
