import type { JsonNode, JsonRange } from '../json/node';
import type { SourceMap } from './graph/sourceMap';
import { promptInputNamed, type Prompt } from './prompt';
import { type Graph, renumberedNodes } from './graph/graph';
import type { GraphNode } from './graph/graphNode';
import type { WorkflowDocument } from './workflowDocument';
import { memoizeByObject } from '../safety/memoizeByObject';

/** The places of a prompt's nodes and inputs in the file (offsets in UTF-16 units). */
export interface PromptPlaces {
  /** The value of an input; the node if the value is not in the file, or if the whole node is meant. */
  of(nodeId: string, input?: string): JsonRange | undefined;
  /** For findings that belong to no node: the start of the workflow. */
  readonly start: JsonRange;
}

/** Places in a file that contains the prompt itself: a node is marked at its class type, else at its id. */
export function placesInPrompt(prompt: Prompt): PromptPlaces {
  return {
    of(nodeId, input) {
      const node = prompt.node(nodeId) ?? prompt.node(originOf(nodeId));
      const value = input === undefined || !node ? undefined : promptInputNamed(node, input)?.valueNode;
      return value ?? node?.classTypeNode ?? node?.idNode;
    },
    start: { offset: prompt.root?.offset ?? 0, length: 1 },
  };
}

/** Places in a graph file that the prompt was compiled from: a node is marked at its type, a slot at its name. */
export function placesInGraph(source: SourceMap, { offset }: JsonRange): PromptPlaces {
  return {
    of(nodeId, input) {
      const node = source.node(nodeId) ?? source.node(originOf(nodeId));
      if (!node) return undefined;
      const value = input === undefined ? undefined : source.input(nodeId, input);
      if (value && value !== node) return value.kind === 'object' ? (value.get('name') ?? value) : value;
      return (input === undefined ? undefined : slotNameIn(node, input)) ?? typeRange(node);
    },
    start: { offset, length: 1 },
  };
}

/** A graph node is marked at its type, which users read first. */
export function typeRange(node: JsonNode): JsonRange {
  return node.kind === 'object' ? (node.get('type') ?? node.get('id') ?? node) : node;
}

/** Ids of nodes made at run time start with the id of their origin and a dot (protocol 1.5). */
function originOf(nodeId: string): string {
  return nodeId.split('.')[0] ?? nodeId;
}

/** The name of a node's slot for an input in a graph file. */
export function slotNameIn(node: JsonNode, input: string): JsonNode | undefined {
  return slotNames(node).get(input);
}

/** Read once: a node may have thousands of slots, each with a finding. */
const slotNames = memoizeByObject((node: JsonNode): ReadonlyMap<string, JsonNode> => {
  const names = new Map<string, JsonNode>();
  const slots = node.kind === 'object' ? node.get('inputs') : undefined;
  for (const slot of slots?.kind === 'array' ? slots.items : []) {
    const name = slot.kind === 'object' ? slot.get('name') : undefined;
    if (name?.kind === 'string' && !names.has(name.value)) names.set(name.value, name);
  }
  return names;
});

/** UTF-16 offsets; undefined if the text has no node of this ID and type. Expanded IDs begin with their node's (protocol 3.3). */
export function nodePlaceInText(
  { prompt, graph }: WorkflowDocument,
  nodeId: string,
  classType?: string,
): JsonRange | undefined {
  if (prompt) return placeInPrompt(prompt, nodeId, classType);
  return graph && placeInGraph(graph, nodeId, classType);
}

function placeInPrompt(prompt: Prompt, nodeId: string, classType: string | undefined): JsonRange | undefined {
  // ComfyUI's page runs node `2:7` of such a file as `2_7`.
  const exact = prompt.node(nodeId) ?? prompt.node(nodeId.replaceAll('_', ':'));
  const found = exact ?? prompt.node(nodeId.split('.')[0] ?? nodeId);
  if (!found || (exact && classType !== undefined && exact.classType !== classType)) return undefined;
  return found.classTypeNode ?? found.idNode;
}

/** An ID such as `12:3` leads through instance 12 of a subgraph to node 3; nodes of group nodes are placed at the group. */
function placeInGraph(graph: Graph, nodeId: string, classType: string | undefined): JsonRange | undefined {
  let nodes: readonly GraphNode[] | undefined = graph.nodes;
  let runIds: ReadonlyMap<string, string> | undefined;
  const runId = ({ id }: GraphNode): string => runIds?.get(id) ?? id;
  let found: GraphNode | undefined;
  let rest = nodeId.split('.')[0] ?? nodeId;
  while (rest !== '') {
    // An ID may have colons itself.
    const next: GraphNode | undefined =
      nodes?.find((each) => runId(each) === rest) ??
      nodes?.find((each) => rest.startsWith(`${runId(each)}:`));
    if (!next) break;
    found = next;
    rest = rest.slice(runId(next).length + 1);
    nodes = graph.subgraphs.get(next.type)?.nodes;
    runIds = renumberedNodes(graph).bySubgraph.get(next.type);
  }
  const isExact = rest === '' && !nodeId.includes('.');
  if (!found || (isExact && classType !== undefined && found.type !== classType)) return undefined;
  return typeRange(found.node);
}
