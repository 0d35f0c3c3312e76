import type { JsonNode } from '../../json/node';
import type { ExecutedNode } from './executionOrder';
import { type Groups, groupByKey } from './grouped';
import { shownWidgets } from './promotedWidgets';

/** Maps the parts of a compiled prompt back to the text of the graph. */
export class SourceMap {
  private readonly nodes = new Map<string, ExecutedNode>();
  private readonly inputs = new Map<string, ReadonlyMap<string, JsonNode>>();
  private byNode: Groups<JsonNode, readonly [JsonNode, string]> | undefined;

  add(node: ExecutedNode, inputs: ReadonlyMap<string, JsonNode>): void {
    this.nodes.set(node.id, node);
    this.inputs.set(node.id, inputs);
  }

  node(executedId: string): JsonNode | undefined {
    return this.nodes.get(executedId)?.live.source.node;
  }

  /** The element of `widgets_values`, the link, or the slot that an input comes from; the node for defaults. */
  input(executedId: string, inputName: string): JsonNode | undefined {
    return this.inputs.get(executedId)?.get(inputName);
  }

  /** The ids under which a node object of the file is sent; for an instance, those of all nodes inside. */
  executedIds(graphNode: JsonNode): readonly string[] {
    this.byNode ??= groupByKey(this.placed(), ([node]) => node);
    return this.byNode.list(graphNode).map(([, id]) => id);
  }

  /** The inputs of nodes inside subgraphs, as the subgraph nodes show them. */
  promoted() {
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

  /** Each executed node at its own object and at those of the instances around it. */
  private *placed(): Generator<readonly [JsonNode, string]> {
    for (const [id, node] of this.nodes) {
      for (let at: ExecutedNode | undefined = node; at; at = at.instance) yield [at.live.source.node, id];
    }
  }
}
