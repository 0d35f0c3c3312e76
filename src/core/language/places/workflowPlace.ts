import { contains, type JsonNode } from '../../json/node';
import type { Graph, GraphLevel } from '../../workflow/graph/graph';
import { type GraphLink, linkPart, type LinkPart } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode, GraphOutput } from '../../workflow/graph/graphNode';
import { readId } from '../../workflow/graph/members';
import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { type JsonPlace, jsonPlaceAt } from './jsonPlace';

/** The root graph or the inside of a subgraph: the scope of IDs. */
export type GraphScope = GraphLevel & { readonly node: JsonNode };

interface InPrompt {
  readonly json: JsonPlace;
  readonly prompt: Prompt;
}

interface InGraph {
  readonly json: JsonPlace;
  readonly graph: Graph;
  readonly scope: GraphScope;
}

/** What both formats have; `node` is anywhere else in a node. */
type NodePart = 'nodeId' | 'nodeType' | 'title' | 'node';

/** A position at an input of a prompt: its name, its value, or one of the two parts of a link. */
export interface InputPlace extends InPrompt {
  readonly kind: 'inputName' | 'inputValue' | 'linkNode' | 'linkSlot';
  readonly node: PromptNode;
  readonly name: string;
  readonly input: PromptInput | undefined;
}

/** A position in a workflow, in one of the two formats. */
export type WorkflowPlace =
  | (InPrompt & { readonly kind: 'newNode' })
  | (InPrompt & { readonly kind: NodePart | 'newMember' | 'newInput'; readonly node: PromptNode })
  | InputPlace
  | (InGraph & { readonly kind: NodePart; readonly node: GraphNode })
  /** An element of `widgets_values` by position or by name, or of `widgets_values_named`. */
  | (InGraph & {
      readonly kind: 'widget';
      readonly node: GraphNode;
      readonly index: number | undefined;
      readonly name: string | undefined;
    })
  | (InGraph & { readonly kind: 'input'; readonly node: GraphNode; readonly input: GraphInput })
  | (InGraph & {
      readonly kind: 'output';
      readonly node: GraphNode;
      readonly output: GraphOutput;
      readonly slot: number;
      readonly linkId: string | undefined;
    })
  | (InGraph & { readonly kind: 'link'; readonly link: GraphLink; readonly part: LinkPart });

export type GraphPlace = Extract<WorkflowPlace, InGraph>;
export type PromptPlace = Exclude<WorkflowPlace, InGraph>;

export function graphScopes(graph: Graph): GraphScope[] {
  return [graph, ...graph.subgraphs.values()];
}

export function workflowPlaceAt(
  { prompt, graph }: WorkflowDocument,
  offset: number,
): WorkflowPlace | undefined {
  const read = graph ?? prompt;
  const json = read && jsonPlaceAt(read.document, offset);
  if (!json) return undefined;
  return graph ? inGraph(graph, json) : prompt && inPrompt(prompt, json);
}

function inPrompt(prompt: Prompt, json: JsonPlace): PromptPlace | undefined {
  const depth = prompt.root ? json.containers.indexOf(prompt.root) : -1;
  if (depth < 0) return undefined;
  const [outer, member, list, deeper] = json.containers.slice(depth + 1);
  if (!outer && json.at === 'newName') return { kind: 'newNode', json, prompt };
  const node = prompt.nodes.find((each) => each.node === (outer ?? json.property?.value));
  if (!node) return undefined;
  const name = json.property?.name ?? '';
  const at = { json, prompt, node };
  if (!outer) return { kind: json.at === 'name' ? 'nodeId' : 'node', ...at };
  if (!member) {
    if (json.at === 'newName') return { kind: 'newMember', ...at };
    return { kind: json.at !== 'name' && name === 'class_type' ? 'nodeType' : 'node', ...at };
  }
  if (member !== node.inputsNode) {
    return { kind: !list && json.at === 'value' && name === 'title' ? 'title' : 'node', ...at };
  }
  if (!list) {
    if (json.at === 'newName') return { kind: 'newInput', ...at };
    const input = node.inputs.find((each) => each.name === name);
    return { kind: json.at === 'name' ? 'inputName' : 'inputValue', ...at, name, input };
  }
  const input = node.inputs.find(({ valueNode }) => valueNode === list);
  if (list.kind !== 'array' || deeper || !input || json.index === undefined) return { kind: 'node', ...at };
  return { kind: json.index === 0 ? 'linkNode' : 'linkSlot', ...at, name: input.name, input };
}

const memberKinds = new Map<string | undefined, NodePart>([
  ['id', 'nodeId'],
  ['type', 'nodeType'],
  ['title', 'title'],
]);

function inGraph(graph: Graph, json: JsonPlace): GraphPlace | undefined {
  const { containers, index } = json;
  const name = json.property?.name;
  const scope = graphScopes(graph).findLast(({ node }) => containers.some((each) => each === node));
  if (!scope) return undefined;
  const [list, element, member, slotObject] = containers.slice(
    containers.findIndex((each) => each === scope.node) + 1,
  );
  if (list?.kind !== 'array' || !element) return undefined;
  const node = scope.nodes.find((each) => each.node === element);
  if (!node) {
    const link = scope.rows.find((each) => each.node === element);
    const part = linkPart(index ?? name);
    return link && part && { kind: 'link', json, graph, scope, link, part };
  }
  const at = { json, graph, scope, node };
  if (!member) {
    const isValue = json.at === 'value' || json.at === 'newValue';
    return { kind: (isValue ? memberKinds.get(name) : undefined) ?? 'node', ...at };
  }
  const isValues = !slotObject && (member === node.widgetsValues || member === node.namedValues);
  if (isValues && contains(member, json.node ?? { offset: json.offset, length: 0 })) {
    return { kind: 'widget', ...at, index, name };
  }
  const input = node.inputs.find((each) => each.node === slotObject);
  if (input) return { kind: 'input', ...at, input };
  const slot = node.outputs.findIndex((each) => each.node === slotObject);
  const output = node.outputs[slot];
  if (!output) return { kind: 'node', ...at };
  const linkId = json.node && index !== undefined ? readId(json.node) : undefined;
  return { kind: 'output', ...at, output, slot, linkId };
}

/** An ID in the form of the existing one: a number or a string. */
export function textLike(place: JsonNode | undefined, id: string): string {
  return place?.kind === 'string' || !/^-?\d+$/.test(id) ? JSON.stringify(id) : id;
}
