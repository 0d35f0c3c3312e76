import type { JsonNode } from '../../json/node';
import type { GraphNode } from './graphNode';
import { grouped } from './grouped';
import type { LiveLevel, LiveNode } from './liveNode';
import { idOf, objectsIn, textMember } from './members';

/** An entry of `proxyWidgets`: an inner widget that an older editor showed on the instance (workflows 1.4). */
export interface Proxy {
  /** The id of the inner node in the file; "-1" for an input of the instance. */
  readonly nodeId: string;
  readonly name: string;
  /** The element of `widgets_values` at the same place. */
  readonly value: JsonNode | undefined;
}

/** Whether a file stores the widgets of an instance in the older form. */
export function hasProxies({ properties }: GraphNode): boolean {
  return properties?.property('proxyWidgets') !== undefined;
}

/** The entries of an instance; none if one of them is not valid. */
export function proxiesOf({ source, inside }: LiveNode): Proxy[] {
  const items = source.widgetsValues?.kind === 'array' ? source.widgetsValues.items : [];
  return proxyEntries(source).map(([nodeId = '', name = ''], index) => {
    const isKnown = inside && nodesOfFile(inside, nodeId).some((node) => hasWidget(node, name));
    // Names used to repeat the ids of the nodes on the way: "12: 3: seed".
    return {
      nodeId,
      name: isKnown ? name : name.replace(/^\s*(?:\d+\s*:\s*)+(?=.)/, ''),
      value: items[index],
    };
  });
}

const byFileId = new WeakMap<LiveLevel, ReadonlyMap<string, readonly LiveNode[]>>();

/** The nodes of a level that have an id in the file. */
export function nodesOfFile(level: LiveLevel, id: string): readonly LiveNode[] {
  let nodes = byFileId.get(level);
  if (!nodes) byFileId.set(level, (nodes = grouped(level.nodes, ({ source }) => source.id)));
  return nodes.get(id) ?? [];
}

function hasWidget({ inputs, widgets, inside }: LiveNode, name: string): boolean {
  return inside
    ? inputs.some((input) => input.name === name)
    : widgets.some(({ widget }) => widget.name === name);
}

/** The same as they are in the file: the id and the names of each. */
export function proxyEntries({ properties }: GraphNode): string[][] {
  const list = properties?.get('proxyWidgets');
  if (list?.kind !== 'array') return [];
  const entries = list.items.map((entry) => {
    if (entry.kind !== 'array') return [];
    const [node, ...names] = entry.items;
    // Ids may be numbers.
    const texts = [idOf(node), ...names.map((each) => (each.kind === 'string' ? each.value : undefined))];
    return texts.every((each) => each !== undefined) ? texts : [];
  });
  return entries.every(({ length }) => length === 2 || length === 3) ? entries : [];
}

/** Values of inputs that the editor could not place earlier, by input name. */
export function quarantinedValues({ properties }: GraphNode): ReadonlyMap<string, JsonNode> {
  const values = new Map<string, JsonNode>();
  const list = properties?.get('proxyWidgetErrorQuarantine');
  if (list?.kind !== 'array') return values;
  for (const lost of objectsIn(list.items)) {
    const [entry] = entriesFrom(lost.get('originalEntry'));
    const value = lost.get('hostValue');
    if (entry?.[0] !== '-1' || entry[1] === undefined || !value || value.kind === 'null') continue;
    if (textMember(lost, 'reason') !== undefined && !values.has(entry[1])) values.set(entry[1], value);
  }
  return values;
}

function entriesFrom(entry: JsonNode | undefined): string[][] {
  if (entry?.kind !== 'array') return [];
  return [entry.items.map((each) => (each.kind === 'string' ? each.value : ''))];
}
