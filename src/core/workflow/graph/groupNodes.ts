import type { Catalog } from '../../catalog/catalog';
import { JsonArray, type JsonNode, JsonNull } from '../../json/node';
import type {
  Graph,
  GraphInput,
  GraphLink,
  GraphNode,
  GroupDefinition,
  GroupLink,
  SubgraphDefinition,
} from './graph';
import { groupNameOf, subgraphInputId, subgraphOutputId } from './graph';
import { type GroupInput, GroupNames } from './groupNames';
import { objectMember } from './members';
import { isPrimitive } from './virtualNodes';
import { layOut } from './widgets';

/** A group node as the editor turns it into a subgraph when it loads the file (workflows 1.4). */
export interface UnfoldedGroup {
  /** The instance: the file's node, with the type of the subgraph made for it. */
  readonly instance: GraphNode;
  readonly definition: SubgraphDefinition;
}

/** The group that a node is an instance of. */
export function groupOf(graph: Graph, node: GraphNode): GroupDefinition | undefined {
  const name = groupNameOf(node.type);
  return name === undefined ? undefined : graph.groups.get(name);
}

/** Makes a subgraph of one group node: links inside by index, values from the instance, inputs by name, outputs by index. */
export function unfoldGroup(node: GraphNode, group: GroupDefinition, catalog: Catalog): UnfoldedGroup {
  const names = new GroupNames(group, catalog);
  const nextValue = valuesOf(node);
  const links = new Map<string, GraphLink>();
  const inputLinks = new Map<string, string>();
  const outputLinks = new Map<number, string>();
  const place = (index: number, slot: number): string => `${index} ${slot}`;
  const add = (link: Omit<GraphLink, 'id'>): string => {
    const id = String(links.size + 1);
    links.set(id, { id, ...link });
    return id;
  };
  for (const link of group.links) {
    const id = add(innerLink(link));
    inputLinks.set(place(link.targetIndex, link.targetSlot), id);
  }
  const inputs = names.inputs.map((input, index) => {
    const slot = inputSlotOf(group.nodes[input.index], input);
    const id = add({
      originId: subgraphInputId,
      originSlot: index,
      targetId: String(input.index),
      targetSlot: slot,
      type: input.type,
      node: node.node,
    });
    inputLinks.set(place(input.index, slot), id);
    return { name: input.name, type: input.type, linkIds: [id], node: node.node };
  });
  const outputs = names.outputs.map((output, index) => {
    const ends = { originId: String(output.index), originSlot: output.slot };
    const id = add({ ...ends, targetId: subgraphOutputId, targetSlot: index, type: output.type, node: node.node });
    outputLinks.set(index, id);
    return { name: output.type, type: output.type, linkIds: [id], node: node.node };
  });
  const nodes = group.nodes.map((inner, index) => {
    const added = names.inputs.filter((each) => each.index === index && inputSlotOf(inner, each) >= inner.inputs.length);
    const slots = [...inner.inputs, ...added.map((each) => addedSlot(each, inner))];
    const linked = slots.map((slot, at) => ({ ...slot, link: inputLinks.get(place(index, at)) }));
    const values = innerValues(inner, index, names, catalog, nextValue);
    return { ...inner, id: String(index), inputs: linked, widgetsValues: values, namedValues: undefined };
  });
  const id = `${node.type} ${node.id}`;
  const definition = { id, name: group.name, inputs, outputs, node: group.node, nodes, links };
  // The editor forgets on the way that a group node was muted or bypassed.
  const instance = { ...node, type: id, mode: 'always' as const, widgetsValues: undefined, namedValues: undefined };
  return { instance, definition };
}

function innerLink(link: GroupLink): Omit<GraphLink, 'id'> {
  return {
    originId: String(link.originIndex),
    originSlot: link.originSlot,
    targetId: String(link.targetIndex),
    targetSlot: link.targetSlot,
    type: link.type,
    node: link.node,
  };
}

/** Where an inner node has the slot of an input; behind all others where the group does not list it. */
function inputSlotOf(inner: GraphNode | undefined, { inputName }: GroupInput): number {
  const inputs = inner?.inputs ?? [];
  if (inner?.type === 'Reroute') return 0;
  const index = inputs.findIndex(({ name }) => name === inputName);
  return index < 0 ? inputs.length : index;
}

function addedSlot(input: GroupInput, inner: GraphNode): GraphInput {
  const widget = input.isWidget ? input.inputName : undefined;
  return { name: input.inputName, type: input.type, link: undefined, widget, label: undefined, node: inner.node };
}

/** Gives the values of the instance one after the other. */
function valuesOf({ widgetsValues }: GraphNode): () => JsonNode | undefined {
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  let at = 0;
  return () => items[at++];
}

/** The values of an inner node: those that the instance shows are the instance's, the rest its own. */
function innerValues(
  inner: GraphNode,
  index: number,
  names: GroupNames,
  catalog: Catalog,
  nextValue: () => JsonNode | undefined,
): JsonNode | undefined {
  const own = inner.widgetsValues?.kind === 'array' ? inner.widgetsValues.items : [];
  if (isPrimitive(inner.type)) {
    const value = names.showsPrimitive(index) ? nextValue() : undefined;
    return listOf(inner.node.offset, [value ?? own[0], ...own.slice(1)]);
  }
  const definition = catalog.get(inner.type);
  if (!definition) return inner.widgetsValues;
  const values: (JsonNode | undefined)[] = [];
  const late: number[] = [];
  let shown: 'now' | 'late' | 'never' = 'now';
  layOut(definition, (widget) => {
    if (!widget.isStored) return undefined;
    const at = values.length;
    // An extra widget goes with the one before it.
    if (widget.spec) shown = names.shownWidget(index, widget.name);
    if (shown === 'late') late.push(at);
    values.push((shown === 'now' ? nextValue() : undefined) ?? own[at]);
    return undefined;
  });
  for (const at of late) values[at] = nextValue() ?? own[at];
  return listOf(inner.node.offset, values);
}

function listOf(offset: number, values: readonly (JsonNode | undefined)[]): JsonArray | undefined {
  const list = new JsonArray(offset);
  const last = values.findLastIndex((value) => value !== undefined);
  for (const value of values.slice(0, last + 1)) list.items.push(value ?? new JsonNull(offset));
  return last < 0 ? undefined : list;
}

/** What the author of a group set for an inner node: names and visibility of its inputs and outputs. */
export function groupSetting(group: GroupDefinition, index: number, side: 'input' | 'output', name: string): {
  readonly name?: string;
  readonly visible?: boolean;
} {
  const setting = objectMember(objectMember(objectMember(group.config, String(index)), side), name);
  const [shownName, visible] = [setting?.get('name'), setting?.get('visible')];
  return {
    ...(shownName?.kind === 'string' ? { name: shownName.value } : {}),
    ...(visible?.kind === 'boolean' ? { visible: visible.value } : {}),
  };
}
