import type { JsonNode, JsonRange } from '../json/node';
import type { SourceMap } from './graph/sourceMap';
import { inputNamed, type Prompt } from './prompt';

/** Where the nodes and inputs of a prompt stand in the file (offsets in UTF-16 units). */
export interface PromptPlaces {
  /** The value of an input; the node where the file does not hold it, or where the node as a whole is meant. */
  of(nodeId: string, input?: string): JsonRange | undefined;
  /** What belongs to no node: the start of the workflow. */
  readonly start: JsonRange;
}

/** Places in a file that holds the prompt itself: a node is its class type, else its id. */
export function placesInPrompt(prompt: Prompt): PromptPlaces {
  return {
    of(nodeId, input) {
      const node = prompt.node(nodeId) ?? prompt.node(originOf(nodeId));
      const value = input === undefined || !node ? undefined : inputNamed(node, input)?.valueNode;
      return value ?? node?.classTypeNode ?? node?.idNode;
    },
    start: { offset: prompt.root?.offset ?? 0, length: 1 },
  };
}

/** Places in a graph file that the prompt was compiled from: a node is its type, a slot its name. */
export function placesInGraph(source: SourceMap, { offset }: JsonRange): PromptPlaces {
  return {
    of(nodeId, input) {
      const node = (source.node(nodeId) ?? source.node(originOf(nodeId)))?.node;
      if (!node) return undefined;
      const value = input === undefined ? undefined : source.input(nodeId, input);
      if (value && value !== node) return value.kind === 'object' ? (value.get('name') ?? value) : value;
      return (input === undefined ? undefined : slotName(node, input)) ?? typeRange(node);
    },
    start: { offset, length: 1 },
  };
}

/** What a graph node is marked at: its type, which one reads first. */
export function typeRange(node: JsonNode): JsonRange {
  return node.kind === 'object' ? (node.get('type') ?? node.get('id') ?? node) : node;
}

/** Nodes made at run time carry the id of their origin before a dot (protocol 1.5). */
function originOf(nodeId: string): string {
  return nodeId.split('.')[0] ?? nodeId;
}

/** The names of the slots of a node, read once: a node may have thousands of slots, and a finding at each. */
const slotNames = new WeakMap<JsonNode, ReadonlyMap<string, JsonNode>>();

function slotName(node: JsonNode, input: string): JsonNode | undefined {
  let names = slotNames.get(node);
  if (!names) slotNames.set(node, (names = namesOfSlots(node)));
  return names.get(input);
}

function namesOfSlots(node: JsonNode): ReadonlyMap<string, JsonNode> {
  const names = new Map<string, JsonNode>();
  const slots = node.kind === 'object' ? node.get('inputs') : undefined;
  for (const slot of slots?.kind === 'array' ? slots.items : []) {
    const name = slot.kind === 'object' ? slot.get('name') : undefined;
    if (name?.kind === 'string' && !names.has(name.value)) names.set(name.value, name);
  }
  return names;
}
