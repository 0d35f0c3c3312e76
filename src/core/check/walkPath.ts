import { Cycle } from './cycle';
import type { ServerNode } from './serverPrompt';
import type { ValidationError } from './validationError';

interface Found {
  readonly cycle: Cycle;
  /** Where the cycle starts on the path. */
  readonly depth: number;
  /** How many nodes had been entered when it was found: those entered later have no part in it. */
  readonly entered: number;
}

/**
 * The path from an output up to the node being validated, and the cycle found on it. A wider cycle found later replaces
 * a smaller one, so only one is kept.
 */
export class WalkPath {
  private readonly nodes: ServerNode[] = [];
  private readonly order: number[] = [];
  private readonly depths = new Map<ServerNode, number>();
  private entered = 0;
  private found: Found | undefined;

  get length(): number {
    return this.nodes.length;
  }

  has(node: ServerNode): boolean {
    return this.depths.has(node);
  }

  enter(node: ServerNode): void {
    this.depths.set(node, this.nodes.length);
    this.nodes.push(node);
    this.order.push(this.entered++);
  }

  /** Leaves the last node; its part in a loop, if it has one. */
  leave(): ValidationError | undefined {
    const depth = this.nodes.length - 1;
    const { found } = this;
    const error = found && this.isIn(found, depth) ? found.cycle.errorAt(depth - found.depth) : undefined;
    const node = this.nodes.pop();
    this.order.pop();
    if (node) this.depths.delete(node);
    if (found?.depth === depth) this.found = undefined;
    return error;
  }

  /**
   * A link leads back to a node on the path: all nodes from there on form a cycle, unless that node is already in one.
   * Returns the nodes of a new cycle.
   */
  close(node: ServerNode): readonly ServerNode[] {
    const depth = this.depths.get(node) ?? 0;
    if (this.found && this.isIn(this.found, depth)) return [];
    const nodes = this.nodes.slice(depth);
    this.found = { cycle: new Cycle(nodes), depth, entered: this.entered };
    return nodes;
  }

  private isIn(found: Found, depth: number): boolean {
    return depth >= found.depth && (this.order[depth] ?? Infinity) < found.entered;
  }
}
