import type { JsonNode, JsonObject } from '../json/node';
import { groupByKey, type Groups } from '../workflow/graph/grouped';
import {
  objectsAmong,
  listMember,
  nameMember,
  objectMember,
  readId,
  textMember,
} from '../workflow/graph/members';

/** Equality of two values as the page sees them: numbers are doubles, and what it can't write is null. */
export function isSameValue(one: JsonNode | undefined, other: JsonNode | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.kind === 'array' && other.kind === 'array') {
    const { items } = other;
    return one.items.length === items.length && one.items.every((each, at) => isSameValue(each, items[at]));
  }
  if (one.kind === 'object' && other.kind === 'object') {
    return memberNames(one, other).every((name) => isSameValue(one.get(name), other.get(name)));
  }
  return isScalar(one) && isScalar(other) && scalarOf(one) === scalarOf(other);
}

type Scalar = Exclude<JsonNode, { kind: 'array' | 'object' }>;

function isScalar(node: JsonNode): node is Scalar {
  return node.kind !== 'array' && node.kind !== 'object';
}

function scalarOf(node: Scalar): unknown {
  if (node.kind === 'nonFinite') return null;
  return node.kind === 'number' && !Number.isFinite(node.value) ? null : node.value;
}

export function memberNames(one: JsonObject | undefined, other: JsonObject | undefined): string[] {
  const objects = [one, other].filter((each) => each !== undefined);
  return [...new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)))];
}

/** The items of a list by their ids; of several with one id, all. */
export function byId(items: readonly JsonNode[]): Groups<string | undefined, JsonNode> {
  return groupByKey(items, idOfItem);
}

/** The id of a node, a link in both forms, a group, or a subgraph. */
export function idOfItem(item: JsonNode): string | undefined {
  if (item.kind === 'array') return readId(item.items[0]);
  return item.kind === 'object' ? readId(item.get('id')) : undefined;
}

/** Empty for what is no node of the page. */
export function readNodeType(node: JsonObject): string {
  return textMember(node, 'type') ?? '';
}

/** Subgraph definitions by id, also those inside others. */
export function definitionsIn(
  level: JsonObject,
  found = new Map<string, JsonObject>(),
): Map<string, JsonObject> {
  for (const each of objectsAmong(listMember(objectMember(level, 'definitions'), 'subgraphs'))) {
    const id = readId(each.get('id'));
    if (id !== undefined && !found.has(id)) found.set(id, each);
    definitionsIn(each, found);
  }
  return found;
}

/** What the page changes without an edit, in a level, a node, a slot, and a slot of a subgraph's edge. */
export const levelNoise: ReadonlySet<string> = new Set([
  'id',
  'revision',
  'state',
  'extensions',
  'inputNode',
  'outputNode',
]);
export const nodeNoise: ReadonlySet<string> = new Set(['order']);
export const slotNoise: ReadonlySet<string> = new Set(['localized_name', 'pos']);
export const extraNoise: ReadonlySet<string> = new Set(['ds']);

/**
 * One text for all states of the page that differ only in what looking at them changes: the order of lists, the view,
 * second copies of values, and counters.
 */
export function stateText(root: JsonObject): string {
  const inner = [...definitionsIn(root)].sort(([one], [other]) => (one < other ? -1 : 1));
  return [levelText(root), ...inner.flatMap(([id, level]) => [id, levelText(level)])].join('\n');
}

/** The same for one level, without the definitions in it. */
export function levelText(level: JsonObject): string {
  const parts = sorted(level).flatMap(({ name, value }) => {
    if (!value || levelNoise.has(name) || name === 'definitions' || name.startsWith('last_')) return [];
    return [name, plainText(value, name)];
  });
  return parts.join('\n');
}

/** The same for what names slots, links, or nodes: neither values nor looks. */
export function structureText(level: JsonObject): string {
  const nodes = objectsAmong(listMember(level, 'nodes')).map((node) => {
    return ['id', 'inputs', 'outputs'].map((name) => memberText(node, name)).join();
  });
  return [...nodes.sort(), ...['inputs', 'outputs', 'links'].map((name) => memberText(level, name))].join(
    '\n',
  );
}

function memberText(object: JsonObject, name: string): string {
  const value = object.get(name);
  return value ? plainText(value, name) : '';
}

const sets = new Set(['nodes', 'links', 'groups', 'reroutes', 'linkExtensions', 'linkIds', 'floatingLinks']);
const copies = new Set(['widgets_values_named', 'localized_name', 'order', 'ds', 'pos']);

/** What is in these is the user's, or a node pack's, whatever it is called. */
const values = new Set(['properties', 'widgets_values', 'extra']);

function plainText(node: JsonNode, name: string, isPlace = false, isInValue = false): string {
  const isValue = isInValue || values.has(name);
  if (node.kind === 'array') {
    const texts = node.items.map((each) => plainText(each, '', name === 'nodes' || isPlaced(name), isValue));
    return `[${(sets.has(name) && !isValue ? texts.sort() : texts).join()}]`;
  }
  if (node.kind !== 'object') return JSON.stringify(scalarOf(node));
  const isExtra = name === 'extra' && !isInValue;
  const members = sorted(node).flatMap(({ name: member, value }) => {
    const isNoise = isValue ? isExtra && extraNoise.has(member) : copies.has(member);
    if (!value || (isNoise && !(isPlace && member === 'pos'))) return [];
    // Older files have reroutes there.
    const isPart = isExtra && sets.has(member);
    return [`${JSON.stringify(member)}:${plainText(value, member, false, isValue && !isPart)}`];
  });
  return `{${members.join()}}`;
}

/** What has a place that an edit changes: slots also have one. */
function isPlaced(name: string): boolean {
  return name === 'reroutes' || name === 'groups';
}

function sorted({ properties }: JsonObject): JsonObject['properties'] {
  return [...properties].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The slots of one list that stand for those of another: those with its id, else its name, of several the first with
 * the first. What is left on both sides at one place belongs together if `isByPlace`, as outputs that were renamed do.
 */
export function matchSlots(
  from: readonly JsonObject[],
  to: readonly JsonObject[],
  isByPlace: boolean,
): ReadonlyMap<JsonObject, JsonObject> {
  const matches = new Map<JsonObject, JsonObject>();
  const taken = new Set<JsonObject>();
  const pair = (one: JsonObject, other: JsonObject | undefined): void => {
    if (!other || taken.has(other) || matches.has(one)) return;
    matches.set(one, other);
    taken.add(other);
  };
  for (const key of [(slot: JsonObject) => readId(slot.get('id')), nameMember]) {
    const free = groupByKey(
      to.toReversed().filter((each) => !taken.has(each)),
      key,
    );
    for (const each of from) {
      const known = matches.has(each) || key(each) === undefined ? undefined : free.get(key(each));
      pair(each, known?.pop());
    }
  }
  if (isByPlace) from.forEach((each, index) => pair(each, to[index]));
  return matches;
}

/** Three readings of one workflow: the file's, and the page's before and after an edit. */
export interface CanvasStates {
  readonly file: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly text: string;
  /** The text of `after`. */
  readonly shown: string;
}

/** Why an edit of the page is not written. */
export type CanvasRefusal =
  /** The file isn't a workflow in the graph format, or not JSON. */
  | 'notGraph'
  /** What the page reported is no workflow. */
  | 'notState'
  /** The page lost nodes of the file when it loaded it. */
  | 'lostNodes'
  /** A node whose type the page doesn't know: it keeps only its position and its mode. */
  | 'unknownType'
  /** Inside a subgraph to which the page gives another id at every load. */
  | 'randomSubgraph'
  /** A node or group that the page numbers otherwise than the file. */
  | 'otherIds'
  /** A part of the file has another form than the page writes. */
  | 'otherForm'
  /** The file changed meanwhile where the edit would be. */
  | 'changedMeanwhile'
  /** The result would not be the workflow that the page shows. */
  | 'wrongResult';

/** A subgraph that is written as the page has it, because the page moved its widgets or renumbered its nodes. */
export interface AdoptedSubgraph {
  readonly id: string;
  readonly name: string;
  /** Characters that are written for the definition and the nodes that show it. */
  readonly length: number;
}
