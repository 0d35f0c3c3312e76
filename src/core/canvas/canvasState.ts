import type { JsonNode, JsonObject } from '../json/node';
import { sourceTextIn } from '../json/textEdit';
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
    const { properties } = other;
    if (one.properties.length !== properties.length) return false;
    return one.properties.every(({ name, value }, at) => {
      const same = properties[at];
      return isSameValue(value, same?.name === name ? same.value : other.get(name));
    });
  }
  return scalarOf(one) === scalarOf(other);
}

function scalarOf(node: JsonNode): unknown {
  if (node.kind === 'array' || node.kind === 'object') return node;
  return typeof node.value === 'number' && !Number.isFinite(node.value) ? null : node.value;
}

export function memberNames(one: JsonObject | undefined, other: JsonObject | undefined): string[] {
  const objects = [one, other].filter((each) => each !== undefined);
  return [...new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)))];
}

/** The items of a list by their ids; of several with one id, all. */
export function byId(items: readonly JsonNode[]): Groups<string | undefined, JsonNode> {
  return groupByKey(items, idOfItem);
}

/** The id of a node, a link in both forms, a group, or a subgraph; that of a link by itself. */
export function idOfItem(item: JsonNode): string | undefined {
  if (item.kind === 'array') return readId(item.items[0]);
  return readId(item.kind === 'object' ? item.get('id') : item);
}

/** Empty for what is no node of the page. */
export function readNodeType(node: JsonObject): string {
  return textMember(node, 'type') ?? '';
}

/** A workflow, and its subgraph definitions by id, also those inside others. The workflow has no id. */
export type Levels = ReadonlyMap<string, JsonObject>;

export function levelsIn(root: JsonObject): Levels {
  const found = new Map([['', root]]);
  for (const level of found.values()) {
    for (const each of objectsAmong(listMember(objectMember(level, 'definitions'), 'subgraphs'))) {
      const id = readId(each.get('id'));
      if (id !== undefined && !found.has(id)) found.set(id, each);
    }
  }
  return found;
}

export function levelNodes(level: JsonObject | undefined): JsonObject[] {
  return objectsAmong(listMember(level, 'nodes'));
}

export function slotsOf(owner: JsonObject | undefined, list: 'inputs' | 'outputs'): JsonObject[] {
  return objectsAmong(listMember(owner, list));
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What the page changes without an edit, in a level, a node, a slot, and the member `extra`. */
export const levelNoise = words('id revision state extensions inputNode outputNode');
export const nodeNoise = words('order');
export const slotNoise = words('localized_name pos');
export const extraNoise = words('ds');

/** Their order says nothing. */
const sets = words('nodes links groups reroutes linkExtensions linkIds floatingLinks subgraphs');
/** What is in these is the user's, or a node pack's, whatever it is called. */
const values = words('properties widgets_values');
const noise = new Set([
  ...levelNoise,
  ...nodeNoise,
  ...words('localized_name widgets_values_named last_node_id last_link_id'),
]);

/**
 * One text for all states of the page that differ only in what looking at them changes: the order of lists, the view,
 * second copies of values, and counters.
 * @param text in which the node is
 * @param name of the member that the node is; none for a workflow or a definition
 */
export function stateText(text: string, node: JsonNode, name = ''): string {
  if (node.kind === 'array' && !values.has(name)) {
    const item = name === 'inputs' || name === 'outputs' ? 'slot' : 'item';
    const items = node.items.map((each) => stateText(text, each, item));
    return `[${(sets.has(name) ? items.sort() : items).join()}]`;
  }
  if (node.kind !== 'object' || values.has(name)) return sourceTextIn(text, node);
  let members = '{';
  for (const { name: member, value } of node.properties) {
    // Older files have reroutes in `extra`.
    const isValue = name === 'extra' && !sets.has(member);
    const isNoise = isValue ? extraNoise.has(member) : noise.has(member) && !(member === 'id' && name !== '');
    if (!value || isNoise || (name === 'slot' && member === 'pos')) continue;
    members += `${member}:${isValue ? sourceTextIn(text, value) : stateText(text, value, member)},`;
  }
  return members;
}

/** The same for what names slots, links, or nodes: neither values nor looks. */
export function structureText(text: string, level: JsonObject): string {
  const partsOf = (object: JsonObject, names: readonly string[]): string =>
    object.properties
      .flatMap(({ name, value }) => (value && names.includes(name) ? stateText(text, value, name) : []))
      .join();
  const nodes = levelNodes(level).map((node) => partsOf(node, ['id', 'inputs', 'outputs']));
  return [...nodes.sort(), partsOf(level, ['inputs', 'outputs', 'links'])].join();
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
  let free = [...to.entries()];
  const keys = [(slot: JsonObject) => readId(slot.get('id')), nameMember, (_: JsonObject, at: number) => at];
  for (const keyOf of isByPlace ? keys : keys.slice(0, 2)) {
    const groups = groupByKey(free.toReversed(), ([at, slot]) => keyOf(slot, at));
    from.forEach((each, at) => {
      const key = keyOf(each, at);
      const found = matches.has(each) || key === undefined ? undefined : groups.get(key)?.pop();
      if (found) matches.set(each, found[1]);
    });
    const taken = new Set(matches.values());
    free = free.filter(([, slot]) => !taken.has(slot));
  }
  return matches;
}

/** Three readings of one workflow: the file's, and the page's before and after an edit; and their texts. */
export interface CanvasStates {
  readonly file: Levels;
  readonly before: Levels;
  readonly after: Levels;
  readonly text: string;
  readonly loaded: string;
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

/** The word after a number that each run of the page changes. */
export const rolled = /^(?:randomize|decrement|increment(?:-wrap)?)$/;

type ChangedBy = 'queue' | 'touched' | 'output' | 'fixed';

/**
 * A state of the page, as JSON, with what a run has changed as it was before: sizes of nodes and, while it is queued,
 * numbers of widgets. Once the user has worked meanwhile, only those numbers count that the page says it rolls.
 * @param by the page queues the prompt, the user has been working since it does, or nodes show an output. `fixed`: the
 * other way round, an earlier state without the rolled numbers that the user has fixed in the later one.
 */
export function stateBeforeRun(before: string, after: string, by: ChangedBy): string {
  const unrolled = (was: unknown, now: unknown): unknown => {
    if (typeof now === 'number') return by === 'fixed' ? null : typeof was === 'number' ? was : now;
    if (typeof was !== 'object' || typeof now !== 'object' || !was || !now) return now;
    const next: readonly unknown[] = Object.values(was);
    const values = Object.entries(now).map(([name, value]: [string, unknown], at, all) => {
      const isMeant = by !== 'fixed' || next[at + 1] === 'fixed';
      const isRolled = by === 'queue' || (isMeant && rolled.test(String(all[at + 1]?.[1])));
      return [name, isRolled ? unrolled(Reflect.get(was, name), value) : value];
    });
    return Array.isArray(now) ? values.map(([, value]) => value) : Object.fromEntries(values);
  };
  const idIn = (item: unknown): unknown => Reflect.get(Object(item) as object, 'id');
  const unchanged = (was: unknown, now: unknown): unknown => {
    if (typeof was !== 'object' || typeof now !== 'object' || !was || !now) return now;
    if (Array.isArray(now)) {
      const items = Array.isArray(was) ? was : [];
      const known = new Map(items.map((item: unknown) => [idIn(item), item]));
      return now.map((item: unknown, at) => {
        const id = idIn(item);
        return unchanged(id === undefined ? items[at] : known.get(id), item);
      });
    }
    const members = Object.entries(now).map(([name, value]: [string, unknown]) => {
      const old: unknown = Reflect.get(was, name);
      if (name === 'size' && by !== 'touched') return [name, old ?? value];
      const isOfRun = by !== 'output' && name.startsWith('widgets_values');
      return [name, isOfRun ? unrolled(old, value) : unchanged(old, value)];
    });
    return Object.fromEntries(members);
  };
  return JSON.stringify(unchanged(JSON.parse(before), JSON.parse(after)));
}
