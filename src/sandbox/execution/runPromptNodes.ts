import type { SubmittedNode } from '../nodes/sandboxNode';
import type { NodePlace } from './runEvent';
import { parseExact } from '../../core/json/boundedJson';
import { isExactObject } from '../../core/json/exactValue';
import type { RunRequest } from './runRequest';

/** `[node id, slot]`; the server treats any two-element list that starts with text as a link (protocol 1.5). */
export type LinkValue = readonly [nodeId: string, slot: unknown];

export function isLink(value: unknown): value is LinkValue {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** The nodes of one run: those of the prompt, and those added by expansion. */
export class RunPromptNodes {
  readonly #nodes: Map<string, SubmittedNode>;
  readonly #parents = new Map<string, string>();
  /** The nodes of the file that expanded ones are shown at: those that a chain of expansions started from. */
  readonly #shownAt = new Map<string, string>();

  constructor(prompt: ReadonlyMap<string, SubmittedNode>) {
    this.#nodes = new Map(prompt);
  }

  get ids(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  get(id: string): SubmittedNode | undefined {
    return this.#nodes.get(id);
  }

  addExpanded(id: string, node: SubmittedNode, parentId: string, shownAt = parentId): void {
    this.#nodes.set(id, node);
    this.#parents.set(id, parentId);
    this.#shownAt.set(id, this.#shownAt.get(shownAt) ?? shownAt);
  }

  replace(id: string, node: SubmittedNode): void {
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

/** JavaScript objects list integer keys first; the text has the order that the real server uses. */
export function inFileOrder({ prompt, promptText }: RunRequest): ReadonlyMap<string, SubmittedNode> {
  const inText = textOrder(promptText).filter((id) => Object.hasOwn(prompt, id));
  const ids = new Set([...inText, ...Object.keys(prompt)]);
  return new Map([...ids].flatMap((id) => (prompt[id] === undefined ? [] : [[id, prompt[id]]])));
}

function textOrder(promptText: string): readonly string[] {
  try {
    const exact = parseExact(promptText);
    return isExactObject(exact) ? [...exact.keys()] : [];
  } catch {
    return [];
  }
}
