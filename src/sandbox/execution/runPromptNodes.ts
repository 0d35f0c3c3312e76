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
  /** The nodes that expanded ones are shown at, if not at their parents. */
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
    this.#shownAt.set(id, shownAt);
  }

  replace(id: string, node: PromptNode): void {
    this.#nodes.set(id, node);
  }

  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  place(id: string): NodePlace {
    const parentNodeId = this.#parents.get(id) ?? null;
    // A chain of expansions is shown at the node of the file that started it.
    return {
      nodeId: id,
      displayNodeId: endOf(this.#shownAt, id),
      parentNodeId,
      realNodeId: endOf(this.#parents, id),
    };
  }
}

function endOf(chain: ReadonlyMap<string, string>, id: string): string {
  let end = id;
  for (let next = chain.get(end); next !== undefined; next = chain.get(end)) end = next;
  return end;
}
