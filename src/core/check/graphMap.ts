import { exactEquals } from '../json/exactEquals';
import { exactValue } from '../json/exactValue';
import type { JsonNode, JsonRange } from '../json/node';
import { inputNamed } from '../workflow/prompt';
import type { SourceMap } from '../workflow/graph/sourceMap';
import type { Draft, Place } from './draft';
import type { FileMap } from './findings';
import type { FixHint } from './finding';
import type { NodeView } from './promptView';

/** Leads findings about a compiled prompt to the graph that it was made from. */
export class GraphMap implements FileMap {
  constructor(
    private readonly source: SourceMap,
    private readonly nodes: ReadonlyMap<string, NodeView>,
    /** For what belongs to no node. */
    private readonly graph: JsonNode,
  ) {}

  place({ nodeId, input }: Place): JsonRange | undefined {
    if (nodeId === undefined) return { offset: this.graph.offset, length: 1 };
    const node = this.source.node(nodeId)?.node;
    if (!node) return undefined;
    const value = input === undefined ? undefined : this.source.input(nodeId, input);
    // A slot is marked at its name; what the file does not say, such as a default, at the type of the node.
    if (value && value !== node) return value.kind === 'object' ? (value.get('name') ?? value) : value;
    return (input === undefined ? undefined : slotName(node, input)) ?? typeOf(node);
  }

  /** Only what can be put in the place of one value of the graph; all else would mean to draw a link or a node. */
  fix(draft: Draft): FixHint | undefined {
    const { fix, nodeId, input } = draft;
    if (fix?.kind === 'addOutput') return fix;
    if (!fix || nodeId === undefined) return undefined;
    switch (fix.kind) {
      case 'findPack': {
        const range = this.place({ nodeId, range: fix.range });
        return range && { ...fix, range };
      }
      case 'replaceText': {
        const range = input === undefined ? undefined : this.valueOf(nodeId, input, fix.range);
        return range && { ...fix, range };
      }
      default:
        return undefined;
    }
  }

  /** The element of the file that holds just this value of the prompt. */
  private valueOf(nodeId: string, input: string, range: JsonRange): JsonRange | undefined {
    const value = this.source.input(nodeId, input);
    const node = this.nodes.get(nodeId);
    const sent = node && inputNamed(node.source, input)?.valueNode;
    if (!value || !sent || sent.offset !== range.offset || sent.length !== range.length) return undefined;
    if (value.kind === 'object' || value.kind === 'array') return undefined;
    return exactEquals(exactValue(value), exactValue(sent)) ? value : undefined;
  }
}

export function typeOf(node: JsonNode): JsonRange {
  return node.kind === 'object' ? (node.get('type') ?? node.get('id') ?? node) : node;
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
