import type { ExactValue } from '../json/exactValue';
import { pythonStr } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { nodePlace, type ServerNode } from './serverPrompt';
import type { ValidationError } from './validationError';

/** A loop of links, in the order of the walk; the first node is the one that was met again. */
export class Cycle {
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
      place: linkInto(node, this.nodes[(index + 1) % this.nodes.length]) ?? nodePlace(node),
    };
  }

  private get details(): string {
    this.#details ??= [...this.nodes, ...this.nodes.slice(0, 1)]
      .map(({ id, classType }) => `${id} (${pythonStr(classType ?? null)})`)
      .join(' -> ');
    return this.#details;
  }
}

/** The link of a node that keeps the loop closed: the one to the node after it. */
function linkInto(node: ServerNode, next: ServerNode | undefined): ErrorPlace | undefined {
  const input = node.source.inputs.find(({ link }) => link?.nodeId === next?.id);
  return input && { nodeId: node.id, input, range: input.valueNode };
}
