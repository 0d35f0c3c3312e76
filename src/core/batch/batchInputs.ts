import type { Catalog } from '../catalog/catalog';
import type { InputSpec } from '../catalog/inputSpec';
import type { JsonNode } from '../json/node';
import { readWorkflowPrompt } from '../runs/readWorkflowPrompt';
import type { RunRefusal } from '../runs/runRefusal';
import type { WorkflowPrompt } from '../runs/workflowPrompt';
import { type PromptInput, type PromptNode, inputSpecs } from '../workflow/prompt';
import { groupByKey } from '../workflow/graph/grouped';
import type { WorkflowDocument } from '../workflow/workflowDocument';

export interface BatchInput {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly classType: string | undefined;
  readonly input: string;
  /** The value in the file; undefined for a link, and for a value that the file leaves to the node's default. */
  readonly value: JsonNode | undefined;
  readonly linkedTo: string | undefined;
  /** Missing without the definition of the node type. */
  readonly spec: InputSpec | undefined;
  /** A graph's text in which `{a|b}` is still to be resolved when it is sent. */
  readonly isDynamic: boolean;
  readonly shownOn: readonly InputName[];
}

export type InputName = Pick<BatchInput, 'nodeId' | 'nodeName' | 'input'> & {
  readonly classType?: string | undefined;
};

export interface BatchInputs {
  readonly kind: 'inputs';
  readonly read: WorkflowPrompt;
  readonly inputs: readonly BatchInput[];
}

/** A graph needs the catalog. */
export function readBatchInputs(
  workflow: WorkflowDocument,
  catalog: Catalog | undefined,
): BatchInputs | RunRefusal {
  const read = readWorkflowPrompt(workflow, catalog);
  if (read.kind === 'refused') return read;
  const keyOf = (nodeId: string, input: string): string => JSON.stringify([nodeId, input]);
  const shown = groupByKey(read.graph?.source.promoted() ?? [], ({ target }) =>
    keyOf(target.nodeId, target.input),
  );
  const inputs = read.prompt.nodes.flatMap((node) => {
    const specs = inputSpecs(node, catalog);
    return node.inputs.map((input) => ({
      ...inputOf(read, node, input, specs.get(input.name)),
      shownOn: shown.get(keyOf(node.id, input.name)) ?? [],
    }));
  });
  return { kind: 'inputs', read, inputs };
}

function inputOf(
  { graph }: WorkflowPrompt,
  node: PromptNode,
  { name, link, valueNode }: PromptInput,
  spec: InputSpec | undefined,
): Omit<BatchInput, 'shownOn'> {
  // In a graph, the place of a default is its node, and that of a link its slot.
  const value = graph ? graph.source.input(node.id, name) : valueNode;
  const isLiteral = !link && value !== undefined && (!graph || isScalar(value));
  return {
    nodeId: node.id,
    nodeName: node.title ?? node.classType ?? node.id,
    classType: node.classType,
    input: name,
    value: isLiteral ? value : undefined,
    linkedTo: link?.nodeId,
    spec,
    isDynamic: graph !== undefined && spec?.kind === 'string' && spec.dynamicPrompts,
  };
}

function isScalar({ kind }: JsonNode): boolean {
  return kind !== 'object' && kind !== 'array';
}
