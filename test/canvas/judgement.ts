import { byId, isSameValue, stateText } from '../../src/core/canvas/canvasState';
import type { JsonNode, JsonObject } from '../../src/core/json/node';
import { parseJson } from '../../src/core/json/tree';
import { sourceTextIn } from '../../src/core/json/textEdit';
import { listMember, objectMember, objectsAmong, readId } from '../../src/core/workflow/graph/members';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonMembers = Readonly<Record<string, Json>>;

function isMembers(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** What two loads of one workflow may differ in: ids that the page makes, its view, second copies. */
const made = new Set(
  'order localized_name widgets_values_named ds state inputNode outputNode revision extensions last_link_id last_node_id'.split(
    ' ',
  ),
);

/**
 * By path, the values of a state that a file must bring back. Links are named by their ends, and what the page numbers
 * anew at every load, because the file has no such id, by its rank.
 */
export function comparableState(text: string, file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const state = JSON.parse(withRanks(text, file)) as JsonMembers;
  level(state, '', found);
  return found;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A state in which the ids that its file lacks are replaced: those of subgraphs, then those of nodes in each level. */
function withRanks(text: string, file: string): string {
  const ranks = new Map<string, string>();
  const named = text.replaceAll(uuid, (id) => {
    if (file.includes(id)) return id;
    const rank = ranks.get(id) ?? `random ${ranks.size}`;
    ranks.set(id, rank);
    return rank;
  });
  const state = JSON.parse(named) as Level;
  const inFile = JSON.parse(file) as Level;
  const known = new Map(levelsOf(inFile).map((each) => [each.id, each]));
  for (const each of levelsOf(state)) renumber(each, each === state ? inFile : known.get(each.id));
  return JSON.stringify(state);
}

interface Level {
  readonly id?: string;
  readonly nodes: {
    id: number | string;
    readonly type: string;
    readonly properties?: Record<string, unknown>;
  }[];
  readonly links?: (unknown[] | { origin_id: unknown; target_id: unknown })[];
  readonly definitions?: { readonly subgraphs?: readonly Level[] };
}

function levelsOf(root: Level): Level[] {
  return [root, ...(root.definitions?.subgraphs ?? []).flatMap(levelsOf)];
}

function renumber(level: Level, file: Level | undefined): void {
  const inFile = file?.nodes ?? [];
  const known = new Set(inFile.map(({ id }) => String(id)));
  // A node that the page numbers anew, in one load or in both, is the one at its place in the file.
  const isLike = level.nodes.every(({ type }, at) => type === inFile[at]?.type);
  const ranks = new Map<string, number | string>();
  level.nodes.forEach((node, at) => {
    if (known.has(String(node.id))) return;
    const name = (isLike ? inFile[at]?.id : undefined) ?? `rank ${ranks.size}`;
    ranks.set(String(node.id), name);
    node.id = name;
  });
  // These name inner nodes by their numbers.
  for (const { type, properties } of level.nodes)
    if (type.startsWith('random')) delete properties?.previewExposures;
  const named = (id: unknown): unknown => ranks.get(String(id)) ?? id;
  for (const link of level.links ?? []) {
    if (Array.isArray(link)) [link[1], link[3]] = [named(link[1]), named(link[3])];
    else [link.origin_id, link.target_id] = [named(link.origin_id), named(link.target_id)];
  }
}

/** The same for a number and its text. */
function textOf(id: Json | undefined): string {
  return typeof id === 'string' ? id : JSON.stringify(id ?? null);
}

function level(state: JsonMembers, path: string, found: Map<string, string>): void {
  const links = new Map<string, string>();
  for (const row of listOf(state.links)) {
    const [id, origin, originSlot, target, targetSlot] = Array.isArray(row)
      ? (row as readonly Json[])
      : isMembers(row)
        ? [row.id, row.origin_id, row.origin_slot, row.target_id, row.target_slot]
        : [];
    links.set(textOf(id), `${textOf(origin)}:${textOf(originSlot)}>${textOf(target)}:${textOf(targetSlot)}`);
  }
  const nameOf = (id: Json): string => links.get(textOf(id)) ?? `dead ${textOf(id)}`;
  for (const link of links.values()) found.set(`${path}/links/${link}`, '');
  const visit = (value: Json, at: string, name: string): void => {
    if (made.has(name) || (name === 'id' && /\/(?:groups|inputs|outputs)\//.test(at))) return;
    if (name === 'pos' && /\/(?:inputs|outputs)\//.test(at)) return;
    if (name === 'link' && value !== null) found.set(at, nameOf(value));
    else if ((name === 'links' || name === 'linkIds') && Array.isArray(value)) {
      found.set(at, value.map(nameOf).sort().join());
    } else if (Array.isArray(value)) {
      found.set(at, String(value.length));
      (value as readonly Json[]).forEach((each, index) => {
        const id =
          isMembers(each) && name !== 'inputs' && name !== 'outputs' && name !== 'groups'
            ? each.id
            : undefined;
        const key = name === 'linkExtensions' && id !== undefined ? nameOf(id) : textOf(id ?? index);
        visit(each, `${at}/${key}`, name === 'linkExtensions' ? 'linkExtension' : '');
      });
    } else if (isMembers(value)) {
      for (const [member, each] of Object.entries(value)) {
        if (name !== 'linkExtension' || member !== 'id') visit(each, `${at}/${member}`, member);
      }
    } else found.set(at, JSON.stringify(value));
  };
  for (const [name, value] of Object.entries(state)) {
    if (name === 'links' || name === 'definitions' || name === 'id') continue;
    visit(value, `${path}/${name}`, name);
  }
  const definitions = isMembers(state.definitions) ? listOf(state.definitions.subgraphs) : [];
  for (const each of definitions)
    if (isMembers(each)) level(each, `${path}/definition ${textOf(each.id)}`, found);
}

/** The paths at which two states differ. */
export function differingPaths(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}

/** The parts of a file that the edit changed, though the page didn't: by the words for them. */
export function wrongTouches(texts: {
  readonly old: string;
  readonly written: string;
  readonly before: string;
  readonly after: string;
  readonly adopted: readonly string[];
}): string[] {
  const [old, written, before, after] = [texts.old, texts.written, texts.before, texts.after].map((text) => {
    const { root } = parseJson(text);
    return root?.kind === 'object' ? root : undefined;
  });
  if (!old || !written || !before || !after) return ['not JSON'];
  return touchesIn(texts, '', { old, written, before, after });
}

interface Roots {
  readonly old: JsonObject;
  readonly written: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function touchesIn(
  texts: Parameters<typeof wrongTouches>[0],
  path: string,
  { old, written, before, after }: Roots,
): string[] {
  const cut = (one: JsonNode | undefined, other: JsonNode | undefined): boolean =>
    (one && sourceTextIn(texts.old, one)) === (other && sourceTextIn(texts.written, other));
  const wrong: string[] = [];
  const changedNodes = new Set<string | undefined>();
  for (const list of ['nodes', 'links', 'groups'] as const) {
    const [was, now] = [listMember(old, list), listMember(written, list)];
    const [loaded, shown] = [byId(listMember(before, list)), byId(listMember(after, list))];
    const [wasById, nowById] = [byId(was), byId(now)];
    for (const [id, [item]] of wasById) {
      if (!item || id === undefined) continue;
      const [one, other] = [loaded.list(id)[0], shown.list(id)[0]];
      const isSame = one === undefined ? other === undefined : isSameItem(one, other);
      if (list === 'nodes' && !isSame) changedNodes.add(id);
      const touchesChanged =
        list === 'links' &&
        item.kind === 'array' &&
        [1, 3].some((at) => changedNodes.has(readId(item.items[at])));
      const type = item.kind === 'object' ? readId(item.get('type')) : undefined;
      if (!isSame || touchesChanged || texts.adopted.includes(type ?? '')) continue;
      if (!cut(item, nowById.list(id)[0])) wrong.push(`${path}/${list}/${id}`);
    }
  }
  for (const { name, value } of old.properties) {
    if (['nodes', 'links', 'groups', 'definitions'].includes(name)) continue;
    if (!isSameValue(before.get(name), after.get(name))) continue;
    if (!cut(value, written.get(name))) wrong.push(`${path}/${name}`);
  }
  const definitions = [old, written, before, after].map((root) =>
    byId(objectsAmong(listMember(objectMember(root, 'definitions'), 'subgraphs'))),
  );
  const [was, now, loaded, shown] = definitions;
  for (const id of was?.keys() ?? []) {
    const [a, b, c, d] = [was, now, loaded, shown].map((each) => each?.list(id)[0]);
    if (id === undefined || texts.adopted.includes(id)) continue;
    if (a?.kind !== 'object' || b?.kind !== 'object' || c?.kind !== 'object' || d?.kind !== 'object')
      continue;
    if (stateText(texts.before, c) === stateText(texts.after, d)) {
      const shows = texts.adopted.length > 0;
      if (!cut(a, b) && !shows) wrong.push(`${path}/definition ${id}`);
    } else
      wrong.push(
        ...touchesIn(texts, `${path}/definition ${id}`, { old: a, written: b, before: c, after: d }),
      );
  }
  return wrong;
}

function isSameItem(one: JsonNode, other: JsonNode | undefined): boolean {
  if (one.kind !== 'object' || other?.kind !== 'object') return isSameValue(one, other);
  return [...one.properties, ...other.properties].every(
    ({ name }) => name === 'order' || isSameValue(one.get(name), other.get(name)),
  );
}
