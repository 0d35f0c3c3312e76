import type { JsonNode, JsonRange } from '../json/node';
import type { SourceMap } from '../workflow/graph/sourceMap';
import type { Prompt } from '../workflow/prompt';
import type { RunProblem } from './runRefusal';

/** Where the nodes and inputs of a prompt stand in the file that was run (offsets in UTF-16 units). */
export interface PromptPlaces {
  /** The node, for what is said about it as a whole; the start of the workflow when the file has no such node. */
  node(nodeId: string): JsonRange;
  /** The value of an input; undefined when the file does not hold it. */
  input(nodeId: string, name: string): JsonRange | undefined;
}

/** Places in a file that holds the prompt itself: a node is its class type, else its id. */
export function placesInPrompt(prompt: Prompt): PromptPlaces {
  return {
    node(nodeId) {
      const node = prompt.node(nodeId) ?? prompt.node(originOf(nodeId));
      const place = node?.classTypeNode ?? node?.idNode;
      return place ? rangeOf(place) : { offset: prompt.root?.offset ?? 0, length: 1 };
    },
    input(nodeId, name) {
      const value = prompt.node(nodeId)?.inputs.find((input) => input.name === name)?.valueNode;
      return value && rangeOf(value);
    },
  };
}

/** Places in a graph file that the prompt was compiled from: a node is its type, a value its place in the graph. */
export function placesInGraph(source: SourceMap, graph: JsonRange): PromptPlaces {
  const nodePlace = (nodeId: string): JsonNode | undefined =>
    (source.node(nodeId) ?? source.node(originOf(nodeId)))?.node;
  return {
    node(nodeId) {
      const node = nodePlace(nodeId);
      return node ? typeRange(node) : { offset: graph.offset, length: 1 };
    },
    input(nodeId, name) {
      const place = source.input(nodeId, name);
      if (!place) return undefined;
      return place === nodePlace(nodeId) ? typeRange(place) : rangeOf(place);
    },
  };
}

/** The same problem where the file that was run has it. */
export function placedIn(places: PromptPlaces, problem: RunProblem): RunProblem {
  const { nodeId, input } = problem;
  const known = input === undefined ? undefined : places.input(nodeId, input);
  return { ...problem, ...(known ?? places.node(nodeId)) };
}

/** What a graph node is marked at: its type, which one reads first. */
export function typeRange(node: JsonNode): JsonRange {
  return rangeOf((node.kind === 'object' ? node.get('type') : undefined) ?? node);
}

/** Nodes made at run time carry the id of their origin before a dot (protocol 1.5). */
function originOf(nodeId: string): string {
  return nodeId.split('.')[0] ?? nodeId;
}

function rangeOf({ offset, length }: JsonRange): JsonRange {
  return { offset, length };
}
