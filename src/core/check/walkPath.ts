import { countAt } from '../safety/lists';
import { serverNodePlace, type ServerNode } from './serverPrompt';
import type { ValidationError } from './literalErrors';
import type { ExactValue } from '../json/exactValue';
import { pythonStr } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';

interface Found {
  readonly cycle: Cycle;
  readonly depth: number;
  /** How many nodes had been entered when it was found: those entered later have no part in it. */
  readonly entered: number;
}

/** The path from an output to the node being validated, with the widest cycle found on it. */
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

  /** Returns the nodes of a new cycle when a link leads back to a node on the path. */
  close(node: ServerNode): readonly ServerNode[] {
    const depth = countAt(this.depths, node);
    if (this.found && this.isIn(this.found, depth)) return [];
    const nodes = this.nodes.slice(depth);
    this.found = { cycle: new Cycle(nodes), depth, entered: this.entered };
    return nodes;
  }

  private isIn(found: Found, depth: number): boolean {
    return depth >= found.depth && (this.order[depth] ?? Infinity) < found.entered;
  }
}

/** A loop of links, in the order of the walk; the first node is the one that was met again. */
class Cycle {
  #details: string | undefined;

  constructor(private readonly nodes: readonly ServerNode[]) {}

  /**
   * The error of the node at a position of the cycle. Its message is created on demand: a large file has many cycles.
   */
  errorAt(index: number): ValidationError | undefined {
    const node = this.nodes[index];
    if (!node) return undefined;
    const detailsOf = (): string => this.details;
    const idsOf = (): ExactValue => this.nodes.map(({ id }) => id);
    return {
      type: 'dependency_cycle',
      message: 'Dependency cycle detected',
      get details() {
        return detailsOf();
      },
      get extra_info() {
        return new Map<string, ExactValue>([
          ['node_id', node.id],
          ['cycle_nodes', idsOf()],
        ]);
      },
      place: linkInto(node, this.nodes[(index + 1) % this.nodes.length]) ?? serverNodePlace(node),
    };
  }

  private get details(): string {
    this.#details ??= [...this.nodes, ...this.nodes.slice(0, 1)]
      .map(({ id, classType }) => `${id} (${pythonStr(classType ?? null)})`)
      .join(' -> ');
    return this.#details;
  }
}

function linkInto(node: ServerNode, next: ServerNode | undefined): ErrorPlace | undefined {
  const input = node.source.inputs.find(({ link }) => link?.nodeId === next?.id);
  return input && { nodeId: node.id, input, range: input.valueNode };
}
