import { countAt } from '../../safety/lists';
import type { JsonNode } from '../../json/node';
import { sourceTextIn } from '../../json/textEdit';
import type { GraphInput, GraphNode } from './graphNode';
import { type Groups, groupByKey } from './grouped';
import { readId, readSlotIndex, readSlotType } from './members';

/** A row of a list of links, tuple or object (workflows 1.2). */
export interface GraphLink {
  /** As in the file, but for a row that repeats another's: "5 (2)". */
  readonly id: string;
  readonly repeats?: string;
  readonly originId: string;
  readonly originSlot: number;
  readonly targetId: string;
  readonly targetSlot: number;
  readonly type: string;
  readonly node: JsonNode;
}

/** Inner links start at this node for inputs of the subgraph, and end at the next one for its outputs. */
export const subgraphInputId = '-10';
export const subgraphOutputId = '-20';

export function readLinks(items: readonly JsonNode[]): GraphLink[] {
  const times = new Map<string, number>();
  return items.flatMap((node) => {
    const link = readLink(node);
    if (!link) return [];
    const count = countAt(times, link.id) + 1;
    times.set(link.id, count);
    return count === 1 ? link : { ...link, id: `${link.id} (${count})`, repeats: link.id };
  });
}

function readLink(node: JsonNode): GraphLink | undefined {
  const [idPart, origin, originSlot, target, targetSlot, type] = linkParts.map((part) =>
    partNode({ node }, part),
  );
  const id = readId(idPart);
  if (id === undefined) return undefined;
  return {
    id,
    originId: readId(origin) ?? '',
    originSlot: readSlotIndex(originSlot) ?? 0,
    targetId: readId(target) ?? '',
    targetSlot: readSlotIndex(targetSlot) ?? 0,
    type: readSlotType(type),
    node,
  };
}

/** The names that objects have for the parts of a link, in the order of the tuple. */
export const partNames = {
  id: 'id',
  origin: 'origin_id',
  originSlot: 'origin_slot',
  target: 'target_id',
  targetSlot: 'target_slot',
  type: 'type',
};

export type LinkPart = keyof typeof partNames;
const linkParts = Object.keys(partNames) as LinkPart[];

export function linkPart(place: string | number | undefined): LinkPart | undefined {
  return linkParts.find((part, index) => place === partNames[part] || place === index);
}

export function partNode({ node }: Pick<GraphLink, 'node'>, part: LinkPart): JsonNode | undefined {
  if (node.kind === 'array') return node.items[linkParts.indexOf(part)];
  return node.kind === 'object' ? node.get(partNames[part]) : undefined;
}

/** A link as JSON text: with some parts changed, or as a list instead of an object. */
export function graphLinkText(
  text: string,
  node: JsonNode,
  changed: Readonly<Partial<Record<LinkPart, string>>>,
  isList = node.kind === 'array',
): string {
  const parts = linkParts.map((part) => {
    const old = partNode({ node }, part);
    const value = changed[part] ?? (old ? sourceTextIn(text, old) : 'null');
    return isList ? value : `"${partNames[part]}": ${value}`;
  });
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

/** The links of a level as they are after loading. */
export interface RepairedLinks {
  readonly nodes: readonly GraphNode[];
  readonly links: ReadonlyMap<string, GraphLink>;
  /** The rows that count by their slot because no input names them, by target node; slots as the editor orders them. */
  readonly bySlot: ReadonlyMap<string, readonly GraphLink[]>;
  /** The ids of rows without effect, with the ids of the rows that have their place. */
  readonly replaced: ReadonlyMap<string, string>;
  /** The rows that an input names which is not the only one, or not at their end. */
  readonly shared: ReadonlySet<GraphLink>;
}

/** Each row belongs to the input of its target that names it; of unnamed rows to one slot, the first counts (workflows 1.2). */
export function repairedLinks(nodes: readonly GraphNode[], rows: readonly GraphLink[]): RepairedLinks {
  const links = new Map(rows.map((row) => [row.id, row]));
  const repeats = groupByKey(
    rows.filter((row) => row.repeats !== undefined),
    (row) => placeOf(row.repeats, row.targetId),
  );
  const named = new Set<GraphLink>();
  const shared = new Set<GraphLink>();
  const rowOf = (node: GraphNode, id: string): GraphLink | undefined => {
    const row = links.get(id);
    if (row?.targetId === node.id && !named.has(row)) return row;
    return repeats.get(placeOf(id, node.id))?.shift() ?? row;
  };
  const connected = nodes.map((node): GraphNode => {
    const inputs = node.inputs.map((input) => {
      const row = input.link === undefined ? undefined : rowOf(node, input.link);
      if (row) (row.targetId === node.id && !named.has(row) ? named : shared).add(row);
      if (row?.id === input.link) return input;
      return row ? { ...input, link: row.id } : { ...input, link: undefined, isLost: true as const };
    });
    return inputs.every((input, index) => input === node.inputs[index]) ? node : { ...node, inputs };
  });
  const { replaced, bySlot } = unnamedRows(rows, named, shared);
  for (const [id] of replaced) {
    const row = links.get(id);
    if (row && !shared.has(row)) links.delete(id);
  }
  return { nodes: connected, links, bySlot, replaced, shared };
}

function unnamedRows(
  rows: readonly GraphLink[],
  named: ReadonlySet<GraphLink>,
  shared: ReadonlySet<GraphLink>,
): { readonly replaced: Map<string, string>; readonly bySlot: Map<string, GraphLink[]> } {
  const replaced = new Map<string, string>();
  const unnamed = rows.filter((row) => !named.has(row));
  const first = new Map<string, GraphLink | undefined>();
  if (unnamed.length === 0) return { replaced, bySlot: new Map() };
  for (const { targetId, targetSlot } of unnamed) first.set(placeOf(targetId, targetSlot), undefined);
  const rank = (row: GraphLink): number => (named.has(row) ? 2 : shared.has(row) ? 1 : 0);
  for (const row of rows) {
    const place = placeOf(row.targetId, row.targetSlot);
    if (!first.has(place)) continue;
    const other = first.get(place);
    if (!other || rank(row) > rank(other)) first.set(place, row);
  }
  const counting = unnamed.filter((row) => {
    const other = first.get(placeOf(row.targetId, row.targetSlot));
    if (other && other !== row) replaced.set(row.id, other.id);
    return other === row;
  });
  return { replaced, bySlot: groupByKey(counting, ({ targetId }) => targetId) };
}

const knownOwners = new WeakMap<GraphNode['inputs'], ReadonlyMap<GraphLink, GraphInput>>();

/** The input of a node that each of its links belongs to, of those that name it: the one at its slot, else the first. */
export function linkOwners(
  { id, inputs }: GraphNode,
  links: RepairedLinks['links'],
): ReadonlyMap<GraphLink, GraphInput> {
  const known = knownOwners.get(inputs);
  if (known) return known;
  const owners = new Map<GraphLink, GraphInput>();
  knownOwners.set(inputs, owners);
  for (const [slot, input] of inputs.entries()) {
    const link = input.link === undefined ? undefined : links.get(input.link);
    if (link?.targetId === id && (link.targetSlot === slot || !owners.has(link))) owners.set(link, input);
  }
  return owners;
}

const byOrigin = new WeakMap<RepairedLinks['links'], Groups<string, GraphLink>>();

export function linksFrom(
  { links }: Pick<RepairedLinks, 'links'>,
  nodeId: string,
  slot: number,
): GraphLink[] {
  const known = byOrigin.get(links) ?? groupByKey(links.values(), ({ originId }) => originId);
  byOrigin.set(links, known);
  return known.list(nodeId).filter(({ originSlot }) => originSlot === slot);
}

function placeOf(one: string | undefined, other: string | number): string {
  return JSON.stringify([one, other]);
}
