import type { JsonNode } from '../../json/node';
import type { ExecutedNode } from './executionOrder';
import { shownWidgets } from './promotedWidgets';

/** Maps the parts of a compiled prompt back to the text of the graph. */
export interface SourceMap {
  node(executedId: string): JsonNode | undefined;
  /** The element of `widgets_values`, the link, or the slot that an input comes from; the node for defaults. */
  input(executedId: string, inputName: string): JsonNode | undefined;
  /** The ids under which a node object of the file is sent; for an instance, those of all nodes inside. */
  executedIds(graphNode: JsonNode): readonly string[];
  promoted(): readonly PromotedInput[];
}

/** An input of a node inside a subgraph, as the subgraph node shows it. */
export interface PromotedInput {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly input: string;
  readonly target: { readonly nodeId: string; readonly input: string };
}

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

  promoted(): readonly PromotedInput[] {
    const instances = new Set<ExecutedNode>();
    for (const { instance } of this.nodes.values())
      for (let at = instance; at && !instances.has(at); at = at.instance) instances.add(at);
    return [...instances].flatMap(({ id, live }) =>
      shownWidgets(live).flatMap(({ names, path, widget }) => {
        const target = { nodeId: `${id}:${path}`, input: widget };
        return names.map((input) => ({ nodeId: id, nodeName: live.title, input, target }));
      }),
    );
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
