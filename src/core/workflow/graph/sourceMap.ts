import type { JsonNode } from '../../json/node';
import type { ExecutedNode } from './executedNodes';

/** Maps the parts of a compiled prompt back to the text of the graph. */
export interface SourceMap {
  /** The node object in the file that a node of the prompt comes from. */
  node(executedId: string): JsonNode | undefined;
  /** The element of `widgets_values`, the link, or the slot that an input comes from; the node for defaults. */
  input(executedId: string, inputName: string): JsonNode | undefined;
  /** The ids under which a node object of the file is sent; for an instance, those of all nodes inside. */
  executedIds(graphNode: JsonNode): readonly string[];
}

/** Collects the places while a prompt is compiled. */
export class SourceMapBuilder implements SourceMap {
  private readonly nodes = new Map<string, ExecutedNode>();
  private readonly inputs = new Map<string, ReadonlyMap<string, JsonNode>>();
  private byNode: Map<JsonNode, string[]> | undefined;

  add(node: ExecutedNode, inputs: ReadonlyMap<string, JsonNode>): void {
    this.nodes.set(node.id, node);
    this.inputs.set(node.id, inputs);
  }

  node(executedId: string): JsonNode | undefined {
    return this.nodes.get(executedId)?.live.source.node;
  }

  input(executedId: string, inputName: string): JsonNode | undefined {
    return this.inputs.get(executedId)?.get(inputName);
  }

  executedIds(graphNode: JsonNode): readonly string[] {
    this.byNode ??= this.indexed();
    return this.byNode.get(graphNode) ?? [];
  }

  private indexed(): Map<JsonNode, string[]> {
    const index = new Map<JsonNode, string[]>();
    for (const [id, node] of this.nodes) {
      for (let at: ExecutedNode | undefined = node; at; at = at.instance) {
        const ids = index.get(at.live.source.node) ?? [];
        ids.push(id);
        index.set(at.live.source.node, ids);
      }
    }
    return index;
  }
}
