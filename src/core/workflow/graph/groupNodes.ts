import type { Catalog } from '../../catalog/catalog';
import { type ExactValue, exactValue } from '../../json/exactValue';
import { floatText } from '../../json/exactWriter';
import { JsonArray, JsonBoolean, type JsonNode, JsonNull, JsonNumber, JsonString } from '../../json/node';
import { type Graph, type GroupDefinition, groupNodeName } from './graph';
import { type GraphLink, subgraphInputId, subgraphOutputId } from './graphLinks';
import type { GraphNode } from './graphNode';
import { groupByKey } from './grouped';
import { type GroupInput, GroupNames } from './groupNames';
import { firstByName, textMember } from './members';
import { isPrimitive, isVirtualType } from './virtualNodes';
import { layOutWidgets } from './widgets';

export function instanceGroup(graph: Graph, node: GraphNode): GroupDefinition | undefined {
  const name = groupNodeName(node.type);
  return name === undefined ? undefined : graph.groups.get(name);
}

/** The types of inner nodes that neither the server nor the editor knows. */
export function missingInside({ nodes }: GroupDefinition, catalog: Catalog): string[] {
  const types = new Set(nodes.map(({ type }) => type));
  return [...types].filter((type) => !catalog.get(type) && !isVirtualType(type));
}

/** The unknown node types that keep a group node folded. */
export interface MissingInside {
  readonly group: string;
  readonly nodes: readonly GraphNode[];
}

/** Says why a node of the file stays folded; undefined if it is not a group node, or is unfolded. */
export function missingInGroups(
  { groups }: Pick<Graph, 'groups'>,
  catalog: Catalog,
): (node: JsonNode | undefined) => MissingInside | undefined {
  const known = new Map<string, MissingInside | undefined>();
  return (node) => {
    const type = node?.kind === 'object' ? textMember(node, 'type') : undefined;
    const name = type === undefined ? undefined : groupNodeName(type);
    const group = name === undefined ? undefined : groups.get(name);
    if (!group) return undefined;
    if (!known.has(group.name)) known.set(group.name, insideOf(group, catalog));
    return known.get(group.name);
  };
}

function insideOf(group: GroupDefinition, catalog: Catalog): MissingInside | undefined {
  const types = new Set(missingInside(group, catalog));
  // Keeps the first of each: `delete` returns true once.
  const nodes = group.nodes.filter(({ type }) => types.delete(type));
  return nodes.length === 0 ? undefined : { group: group.name, nodes };
}

/** Makes a subgraph of a group node: links by index, values from the instance, inputs by name, outputs by index. */
export function unfoldGroup(node: GraphNode, group: GroupDefinition, catalog: Catalog) {
  const names = new GroupNames(group, catalog);
  const shown = shownValues(node, names);
  const links = new Map<string, GraphLink>();
  const feeding = new Map<string, string>();
  const add = (link: Omit<GraphLink, 'id'>): string => {
    const id = String(links.size + 1);
    links.set(id, { id, ...link });
    return id;
  };
  for (const { originIndex, targetIndex, ...link } of group.links) {
    const id = add({ ...link, originId: String(originIndex), targetId: String(targetIndex) });
    feeding.set(`${targetIndex} ${link.targetSlot}`, id);
  }
  const shownInputs = groupByKey(names.inputs, ({ index }) => index);
  const nodes = group.nodes.map((inner, index) => withAllSlots(inner, shownInputs.list(index)));
  const linked = new Set(node.inputs.flatMap((each) => (each.link === undefined ? [] : [each.name])));
  const slots = nodes.map(({ inputs }) => firstByName(inputs));
  const inputs = names.inputs.map(({ name, type, index, inputName }, outer) => {
    const slot = slots[index]?.get(inputName) ?? -1;
    const isLinked = linked.has(name);
    // The editor does not reconnect inner reroutes when it unfolds a group: links through them are lost.
    if (slot < 0 || (feeding.has(`${index} ${slot}`) && !isLinked))
      return { name, type, label: undefined, linkIds: [], node: node.node };
    const target = { targetId: String(index), targetSlot: slot };
    const id = add({ originId: subgraphInputId, originSlot: outer, ...target, type, node: node.node });
    feeding.set(`${index} ${slot}`, id);
    return { name, type, label: undefined, linkIds: [id], node: node.node };
  });
  const outputs = names.outputs.map(({ index, slot, type }, outer) => {
    const target = { targetId: subgraphOutputId, targetSlot: outer };
    const id = add({ originId: String(index), originSlot: slot, ...target, type, node: node.node });
    return { name: type, type, label: undefined, linkIds: [id], node: node.node };
  });
  const fed = nodes.map((inner, index) => {
    const inputs = inner.inputs.map((slot, at) => ({ ...slot, link: feeding.get(`${index} ${at}`) }));
    const widgetsValues = innerValues(inner, index, shown, catalog);
    return { ...inner, id: String(index), inputs, widgetsValues, namedValues: undefined };
  });
  const id = `${node.type} ${node.id}`;
  const definition = {
    ...noRows,
    id,
    name: group.name,
    inputs,
    outputs,
    node: group.node,
    nodes: fed,
    links,
  };
  // The editor forgets along the way that a group node was muted or bypassed.
  const values = { widgetsValues: undefined, namedValues: undefined };
  return { instance: { ...node, ...values, type: id, mode: 'always' as const }, definition };
}

const noRows = {
  twins: [],
  rows: [],
  bySlot: new Map<string, never>(),
  replaced: new Map<string, never>(),
  shared: new Set<never>(),
};

function withAllSlots(inner: GraphNode, shown: readonly GroupInput[]): GraphNode {
  if (inner.type === 'Reroute') return inner;
  const known = new Set(inner.inputs.map(({ name }) => name));
  const bare = { link: undefined, widget: undefined, label: undefined, node: inner.node };
  const added = shown.flatMap(({ inputName: name, type }) =>
    known.has(name) ? [] : [{ name, type, ...bare }],
  );
  return added.length === 0 ? inner : { ...inner, inputs: [...inner.inputs, ...added] };
}

/** The instance's values for the inner widgets that it shows, by index and name; undefined for those without one. */
type ShownValues = ReadonlyMap<string, JsonNode | undefined>;

function shownValues({ widgetsValues }: GraphNode, names: GroupNames): ShownValues {
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const shown = new Map<string, JsonNode | undefined>();
  let at = 0;
  for (const { index, inputName, controls } of names.values) {
    shown.set(`${index} ${inputName}`, items[at]);
    at += 1 + controls;
  }
  return shown;
}

function innerValues(
  inner: GraphNode,
  index: number,
  shown: ShownValues,
  catalog: Catalog,
): JsonNode | undefined {
  const own = inner.widgetsValues?.kind === 'array' ? inner.widgetsValues.items : [];
  if (isPrimitive(inner.type)) {
    return listOf(inner.node.offset, [shown.get(`${index} value`) ?? own[0], ...own.slice(1)]);
  }
  const definition = catalog.get(inner.type);
  if (!definition) return inner.widgetsValues;
  const values: (JsonNode | undefined)[] = [];
  layOutWidgets(definition, (widget) => {
    if (!widget.isStored) return undefined;
    const key = `${index} ${widget.name}`;
    const isShown = widget.spec !== undefined && shown.has(key);
    // Shown widgets without a value on the instance get their default.
    const standard = isShown ? nodeOf(widget.defaultValue, inner.node.offset) : undefined;
    const value = shown.get(key) ?? standard ?? own[values.length];
    values.push(value);
    return value && exactValue(value);
  });
  return listOf(inner.node.offset, values);
}

function nodeOf(value: ExactValue | undefined, offset: number): JsonNode | undefined {
  switch (typeof value) {
    case 'string':
      return new JsonString(offset, 0, value);
    case 'boolean':
      return new JsonBoolean(offset, value);
    case 'bigint':
      return new JsonNumber(offset, value.toString());
    case 'number':
      return new JsonNumber(offset, floatText(value));
    default:
      return undefined;
  }
}

function listOf(offset: number, values: readonly (JsonNode | undefined)[]): JsonArray | undefined {
  const last = values.findLastIndex((value) => value !== undefined);
  const items = values.slice(0, last + 1).map((value) => value ?? new JsonNull(offset));
  return last < 0 ? undefined : new JsonArray(offset, items);
}
