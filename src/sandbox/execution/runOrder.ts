import { isLink, type RunPromptNodes } from './runPromptNodes';

/** A link to a node that the prompt does not have (protocol 7.2). */
export class MissingNodeError extends Error {
  override readonly name = 'MissingNodeError';
  constructor(readonly nodeId: string) {
    super(`Node ${nodeId} not found`);
  }
}

interface OrderRules {
  isCached(nodeId: string): boolean;
  isOutput(nodeId: string): boolean;
  isLazy(nodeId: string, inputName: string): boolean;
}

/**
 * Which node runs next. The order is the real server's (seen in its transcripts): nodes become pending depth first with
 * the inputs of a node taken from the last to the first; among the ready ones an output node goes first, then one that
 * an output waits for, then one two steps before an output, else the one that has been pending longest.
 */
export class ExecutionOrder {
  /** Pending node to the number of nodes that it waits for. */
  readonly #waitsFor = new Map<string, number>();
  /** Pending node to the nodes that wait for it, each with the slots it wants. */
  readonly #waiting = new Map<string, Map<string, Set<unknown>>>();

  constructor(
    private readonly nodes: RunPromptNodes,
    private readonly rules: OrderRules,
  ) {}

  get isEmpty(): boolean {
    return this.#waitsFor.size === 0;
  }

  add(nodeId: string): void {
    const stack = [nodeId];
    const links: (readonly [from: string, slot: unknown, to: string])[] = [];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (this.#waitsFor.has(id)) continue;
      const node = this.nodes.get(id);
      if (node === undefined) throw new MissingNodeError(id);
      this.#waitsFor.set(id, 0);
      this.#waiting.set(id, new Map());
      for (const [name, value] of Object.entries(node.inputs)) {
        if (!isLink(value) || this.rules.isLazy(id, name)) continue;
        const [from, slot] = value;
        if (!this.rules.isCached(from)) stack.push(from);
        links.push([from, slot, id]);
      }
    }
    for (const [from, slot, to] of links) this.addLink(from, slot, to);
  }

  /** Makes `to` wait for `from`, unless that is there already. */
  addLink(from: string, slot: unknown, to: string): void {
    if (this.rules.isCached(from)) return;
    this.add(from);
    const waiting = this.#waiting.get(from);
    if (waiting === undefined) return;
    const slots = waiting.get(to);
    if (slots === undefined) {
      waiting.set(to, new Set([slot]));
      this.#waitsFor.set(to, (this.#waitsFor.get(to) ?? 0) + 1);
    } else {
      slots.add(slot);
    }
  }

  /** The slots of a pending node that others wait for. */
  wantedSlots(nodeId: string): readonly unknown[] {
    return [...(this.#waiting.get(nodeId)?.values() ?? [])].flatMap((slots) => [...slots]);
  }

  /** The next node; it stays pending until `complete`. Undefined: what is left waits for itself. */
  next(): string | undefined {
    const ready = [...this.#waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
    const isOutput = (id: string): boolean => this.rules.isOutput(id);
    const feedsOutput = (id: string): boolean => this.#waitingFor(id).some(isOutput);
    return (
      ready.find(isOutput) ??
      ready.find(feedsOutput) ??
      ready.find((id) => this.#waitingFor(id).some(feedsOutput)) ??
      ready[0]
    );
  }

  complete(nodeId: string): void {
    for (const waiting of this.#waitingFor(nodeId)) {
      this.#waitsFor.set(waiting, (this.#waitsFor.get(waiting) ?? 1) - 1);
    }
    this.#waitsFor.delete(nodeId);
    this.#waiting.delete(nodeId);
  }

  /** The node that the real server blames for a loop: an expanded one if there is, else the first that cannot run. */
  blamedForLoop(): string {
    const stuck = [...this.#waitsFor.keys()];
    return stuck.find((id) => this.nodes.parentOf(id) !== undefined) ?? stuck[0] ?? '';
  }

  #waitingFor(nodeId: string): readonly string[] {
    return [...(this.#waiting.get(nodeId)?.keys() ?? [])];
  }
}
