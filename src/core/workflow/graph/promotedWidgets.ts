import { mapDefined } from '../../safety/lists';
import { exactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import type { LiveLevel, LiveNode, LiveWidget, PlacedValue } from './liveNode';
import { textMember, readId, objectsAmong, listMember } from './members';
import type { GraphNode } from './graphNode';
import { groupByKey } from './grouped';
import { memoizeByObject } from '../../safety/memoizeByObject';

/** The target of a subgraph's input: an inner widget, or an input of an inner instance. */
type Promoted =
  | { readonly kind: 'widget'; readonly node: LiveNode; readonly widget: LiveWidget }
  | { readonly kind: 'nested'; readonly node: LiveNode; readonly index: number };

/** The value that an unlinked input gives to the inner nodes: the instance's own, or the inner widget's (workflows 1.4). */
export function promotedValue(instance: LiveNode, index: number): PlacedValue | undefined {
  const promoted = promotedAt(instance.inside, index);
  if (!promoted) return undefined;
  const own = ownValues(instance)[index];
  if (own && own.value !== null) return own;
  return promoted.kind === 'widget' ? promoted.widget.current : promotedValue(promoted.node, promoted.index);
}

export function promotedWidget(instance: LiveNode, index: number): LiveWidget | undefined {
  const promoted = promotedAt(instance.inside, index);
  if (promoted?.kind === 'nested') return promotedWidget(promoted.node, promoted.index);
  return promoted?.widget;
}

export interface ShownWidget {
  /** The names that people may use: the name and the labels of the input. */
  readonly names: readonly string[];
  /** The IDs from the instance to the inner node, joined by ":". */
  readonly path: string;
  readonly widget: string;
}

/** The inner widgets that a subgraph instance shows, also those that older editors showed without a link. */
export function shownWidgets(instance: LiveNode): ShownWidget[] {
  const { inputs, inside, source } = instance;
  const shown = inputs.flatMap(({ name, place }, index): ShownWidget[] => {
    const way = wayTo(instance, index);
    const own = place?.kind === 'object' ? textMember(place, 'label') : undefined;
    return way ? [{ ...way, names: named(name, own, inside?.subgraph?.inputs[index]?.label) }] : [];
  });
  if (!inside || !hasProxies(source)) return shown;
  const proxies = readProxyWidgets(instance).flatMap(({ nodeId, name }): ShownWidget[] => {
    const [node] = nodesOfFile(inside, nodeId);
    const input = node?.source.inputs.find((each) => (each.widget ?? each.name) === name);
    const slot = node?.inside ? node.inputs.findIndex((each) => each.name === name) : -1;
    const way = node && (node.inside ? wayBehind(node, slot) : { path: node.id, widget: name });
    return way ? [{ ...way, names: named(name, input?.label) }] : [];
  });
  return [...shown, ...proxies];
}

type Way = Pick<ShownWidget, 'path' | 'widget'>;

function wayTo(instance: LiveNode, index: number): Way | undefined {
  const promoted = promotedAt(instance.inside, index);
  if (!promoted) return undefined;
  const { node } = promoted;
  if (promoted.kind === 'widget') return { path: node.id, widget: promoted.widget.widget.name };
  return wayBehind(node, promoted.index);
}

function wayBehind(node: LiveNode, index: number): Way | undefined {
  const way = wayTo(node, index);
  return way && { ...way, path: `${node.id}:${way.path}` };
}

function named(...names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => (name === undefined || name === '' ? [] : name)))];
}

/** The nulls that the editor would send instead of the values inside the subgraph (workflows 1.4). */
export function promotedNulls(instance: LiveNode) {
  return instance.inputs.flatMap(({ name, link }, index) => {
    const place = link === undefined ? ownValues(instance)[index]?.place : undefined;
    const value = place?.kind === 'null' ? promotedValue(instance, index)?.value : null;
    return place && value !== undefined && value !== null ? [{ name, place, value }] : [];
  });
}

export function ownValuePlaces(instance: LiveNode): ReadonlySet<JsonNode> {
  return new Set(mapDefined(ownValues(instance), (value) => value?.place));
}

/** Values that the editor couldn't place come first, then those of `proxyWidgets`, then `widgets_values` in order. */
const ownValues = memoizeByObject((instance: LiveNode): readonly (PlacedValue | undefined)[] => {
  const { source, inputs, inside } = instance;
  const { widgetsValues, namedValues } = source;
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : undefined;
  const named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  const lost = quarantinedValues(source);
  const declared = inside?.subgraph?.declaredInputs ?? 0;
  const isPromoted = (index: number): boolean => index < declared && promotedAt(inside, index) !== undefined;
  const feedsUnknown = inputs.map((_input, index) => index < declared && feedsUnknownWidget(inside, index));
  // Whether an input of an unknown inner node was a widget, and has a value here, the file itself says best.
  const hasMarks = inputs.filter(({ widget }) => widget !== undefined).length === items?.length;
  const isByName =
    feedsUnknown.includes(true) && !hasMarks && namedValues?.properties.length === items?.length;
  let at = 0;
  const values = inputs.map(({ name, widget }, index) => {
    const isUnmarked = feedsUnknown[index] === true && hasMarks && widget === undefined;
    const hasValue = !isUnmarked && (isPromoted(index) || feedsUnknown[index]);
    if (hasValue !== true) return undefined;
    const item = items && !isByName ? items[at++] : named?.get(name);
    return placed(lost.get(name) ?? item);
  });
  for (const { nodeId, name, value } of readProxyWidgets(instance)) {
    if (!value) continue;
    const index = nodeId === '-1' ? inputNamed(instance, name) : proxiedInput(instance, nodeId, name);
    if (index >= 0) values[index] = placed(value);
  }
  return values;
});

/** An inner node of an unknown type has no widgets here, but the file says which inputs belong to one. */
function feedsUnknownWidget(inside: LiveLevel | undefined, index: number): boolean {
  return targetsAt(inside, index).some(
    ({ node, input }) => !node.definition && !node.inside && input.widget !== undefined,
  );
}

function placed(place: JsonNode | undefined): PlacedValue | undefined {
  return place && { value: exactValue(place), place };
}

function inputNamed({ inputs, inside }: LiveNode, name: string): number {
  return inputs.findIndex((each, index) => each.name === name && promotedAt(inside, index) !== undefined);
}

/** The instance's input for an inner widget, as named in `proxyWidgets`; -1 if there is none. */
export function proxiedInput({ inputs, inside }: LiveNode, nodeId: string, name: string): number {
  const key = proxyKey(nodeId, name);
  const index = inside && (primitives.get(inside)?.get(key) ?? proxiedIndex(inside).get(key));
  return index !== undefined && index < inputs.length ? index : -1;
}

/** The inputs of a level by their target, as far as they have been read; inputs are only added. */
const proxied = new WeakMap<LiveLevel, { read: number; readonly byKey: Map<string, number> }>();

function proxiedIndex(inside: LiveLevel): ReadonlyMap<string, number> {
  const index = proxied.get(inside) ?? { read: 0, byKey: new Map<string, number>() };
  proxied.set(inside, index);
  const count = inside.subgraph?.inputs.length;
  for (; count !== undefined && index.read < count; index.read++) {
    for (const { node, input } of targetsAt(inside, index.read)) {
      const name = node.inside ? input.name : input.widget;
      if (name === undefined) continue;
      const key = proxyKey(node.source.id, name);
      if (!index.byKey.has(key)) index.byKey.set(key, index.read);
      break;
    }
  }
  return index.byKey;
}

const primitives = new WeakMap<LiveLevel, Map<string, number>>();

/** An input replaced the inner primitive: entries of `proxyWidgets` for the primitive now mean the input. */
export function showPrimitive(inside: LiveLevel, nodeId: string, name: string, slot: number): void {
  const known = primitives.get(inside) ?? new Map<string, number>();
  primitives.set(inside, known.set(proxyKey(nodeId, name), slot));
}

/** A link inside has changed: what was read of its level is outdated. */
export function forgetProxied(inside: LiveLevel): void {
  proxied.delete(inside);
}

function proxyKey(nodeId: string, name: string): string {
  return JSON.stringify([nodeId, name]);
}

const knownPromotions = new WeakMap<LiveLevel, Map<number, Promoted | undefined>>();

/** The first widget that the links of a subgraph input lead to. A subgraph inside itself promotes nothing. */
function promotedAt(inside: LiveLevel | undefined, index: number): Promoted | undefined {
  if (!inside) return undefined;
  const known = knownPromotions.get(inside) ?? new Map<number, Promoted | undefined>();
  knownPromotions.set(inside, known);
  if (!known.has(index)) {
    known.set(index, undefined);
    known.set(index, findPromoted(inside, index));
  }
  return known.get(index);
}

function findPromoted(inside: LiveLevel, index: number): Promoted | undefined {
  for (const { node, input, slot } of targetsAt(inside, index)) {
    if (node.role === 'instance') {
      if (promotedAt(node.inside, slot)) return { kind: 'nested', node, index: slot };
      continue;
    }
    const widget = node.widgets.find((each) => each.widget.name === input.widget);
    if (widget) return { kind: 'widget', node, widget };
  }
  return undefined;
}

function targetsAt(inside: LiveLevel | undefined, index: number) {
  const shown = inside?.subgraph?.inputs[index];
  if (!inside || !shown) return [];
  return shown.linkIds.flatMap((linkId) => {
    const link = inside.links.get(linkId);
    const node = link && inside.byId.get(link.targetId);
    const slot = node?.inputs.findIndex((each) => each.link === linkId) ?? -1;
    const input = node?.inputs[slot];
    return node && input ? [{ node, input, slot }] : [];
  });
}

/** An entry of `proxyWidgets`: an inner widget that an older editor showed on the instance (workflows 1.4). */
export interface Proxy {
  /** The id of the inner node in the file; "-1" for an input of the instance. */
  readonly nodeId: string;
  readonly name: string;
  readonly value: JsonNode | undefined;
}

export function hasProxies({ properties }: GraphNode): boolean {
  return properties?.property('proxyWidgets') !== undefined;
}

/** The entries of an instance; none if one of them is not valid. */
export function readProxyWidgets({ source, inside }: LiveNode): Proxy[] {
  const items = source.widgetsValues?.kind === 'array' ? source.widgetsValues.items : [];
  return proxyEntries(source).map(([nodeId = '', name = ''], index) => {
    const isKnown = inside && nodesOfFile(inside, nodeId).some((node) => hasWidget(node, name));
    // Names used to repeat the ids of the nodes on the way: "12: 3: seed".
    const plain = isKnown ? name : name.replace(/^\s*(?:\d+\s*:\s*)+(?=.)/, '');
    return { nodeId, name: plain, value: items[index] };
  });
}

const nodesByFileId = memoizeByObject(({ nodes }: LiveLevel) => groupByKey(nodes, ({ source }) => source.id));

export function nodesOfFile(level: LiveLevel, id: string): readonly LiveNode[] {
  return nodesByFileId(level).list(id);
}

function hasWidget({ inputs, widgets, inside }: LiveNode, name: string): boolean {
  return inside
    ? inputs.some((input) => input.name === name)
    : widgets.some(({ widget }) => widget.name === name);
}

export function proxyEntries({ properties }: GraphNode): string[][] {
  const entries = listMember(properties, 'proxyWidgets').map((entry) => {
    if (entry.kind !== 'array') return [];
    const [node, ...names] = entry.items;
    const texts = [readId(node), ...names.map((each) => (each.kind === 'string' ? each.value : undefined))];
    return texts.every((each) => each !== undefined) ? texts : [];
  });
  return entries.every(({ length }) => length === 2 || length === 3) ? entries : [];
}

/** Values of inputs that the editor could not place earlier, by input name. */
function quarantinedValues({ properties }: GraphNode): ReadonlyMap<string, JsonNode> {
  const values = new Map<string, JsonNode>();
  for (const lost of objectsAmong(listMember(properties, 'proxyWidgetErrorQuarantine'))) {
    const [node, name] = listMember(lost, 'originalEntry');
    const value = lost.get('hostValue');
    const isInput = node?.kind === 'string' && node.value === '-1' && name !== undefined;
    if (!isInput || !value || value.kind === 'null' || textMember(lost, 'reason') === undefined) continue;
    const key = name.kind === 'string' ? name.value : '';
    if (!values.has(key)) values.set(key, value);
  }
  return values;
}
