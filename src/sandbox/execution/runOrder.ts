import { isLink, type RunPromptNodes } from './runPromptNodes';

/** A link to a node that is not in the prompt (protocol 7.2). */
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
 * Decides which node runs next, in the order seen in transcripts of the real server. Nodes become pending depth
 * first, from the last input to the first. Among the ready ones an output node goes first, then a node that an output
 * waits for, then a node two steps before an output, else the one that has been pending longest.
 */
export class ExecutionOrder {
  /** Pending node to the number of nodes it waits for. */
  readonly #waitsFor = new Map<string, number>();
  /** Pending node to the nodes that wait for it, each with the slots it needs. */
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

  /** Makes `to` wait for `from`, unless `from` is done. */
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

  /** The next node, which stays pending until `complete`. Undefined: the remaining nodes wait for each other. */
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

  /** Of a node that is done, or that others are executed for. */
  complete(nodeId: string): void {
    for (const waiting of this.#waitingFor(nodeId))
      this.#waitsFor.set(waiting, (this.#waitsFor.get(waiting) ?? 0) - 1);
    this.#waitsFor.delete(nodeId);
    this.#waiting.delete(nodeId);
  }

  /** The node that the real server blames for a loop: an expanded one if any, else the first that cannot run. */
  blamedForLoop(): string {
    const stuck = [...this.#waitsFor.keys()];
    return stuck.find((id) => this.nodes.parentOf(id) !== undefined) ?? stuck[0] ?? '';
  }

  #waitingFor(nodeId: string): readonly string[] {
    return [...(this.#waiting.get(nodeId)?.keys() ?? [])].filter((id) => this.#waitsFor.has(id));
  }
}
