import { entryAt } from '../safety/lists';
import { writeExact } from '../json/exactWriter';
import { groupByKey } from '../workflow/graph/grouped';
import type { MeantNode, Meaning } from './meaning';

export type Matches = ReadonlyMap<string, string>;

/** How much of a node two must have in common, from everything around it to its type alone. */
const levels = ['surroundings', 'neighbors', 'content', 'place', 'title', 'type'] as const;
type Level = (typeof levels)[number];

/** Nodes with one ID are the same. Of the rest, those that are alike in their values, titles, and links. */
export function matchById(before: Meaning, after: Meaning): Matches {
  const matches = new Map<string, string>();
  const [earlier, later] = [consumersOf(before), consumersOf(after)];
  for (const [id, node] of before) {
    const other = after.get(id);
    if (!other) continue;
    const feedsTheSame = earlier.get(id)?.some((each) => later.get(id)?.includes(each)) ?? false;
    if (other.kind === node.kind || feedsTheSame || hasInputInCommon(node, other)) matches.set(id, id);
  }
  return withAlike(before, after, matches, ['surroundings', 'neighbors']);
}

/** Whatever their IDs, nodes that are alike are the same, the most alike first: for a file that was renumbered. */
export function matchByContent(before: Meaning, after: Meaning): Matches {
  return withAlike(before, after, new Map(), levels);
}

function consumersOf(meaning: Meaning): ReadonlyMap<string, readonly string[]> {
  const links = [...meaning.values()].flatMap(({ id, links }) =>
    Array.from(links, ([name, [source]]) => ({ source, input: `${id} ${name}` })),
  );
  const bySource = groupByKey(links, ({ source }) => source);
  return new Map(Array.from(bySource, ([source, fed]) => [source, fed.map(({ input }) => input)]));
}

/** A node that became another type keeps links or inputs; a new node that got a free ID has others. */
function hasInputInCommon(one: MeantNode, other: MeantNode): boolean {
  if ([...one.links].some(([name, [id]]) => other.links.get(name)?.[0] === id)) return true;
  return [...one.values.keys()].some((name) => other.values.has(name));
}

function withAlike(before: Meaning, after: Meaning, known: Matches, wanted: readonly Level[]): Matches {
  const matches = new Map(known);
  const taken = new Set(known.values());
  if (matches.size === before.size || taken.size === after.size) return matches;
  for (const level of wanted) {
    const numberOf = numbering();
    const [ours, theirs] = [signatures(before, level, numberOf), signatures(after, level, numberOf)];
    const left = [...after.values()].filter(({ id }) => !taken.has(id)).reverse();
    const free = groupByKey(left, ({ id }) => theirs.get(id));
    for (const id of before.keys()) {
      const other = matches.has(id) ? undefined : free.get(ours.get(id))?.pop();
      if (!other) continue;
      matches.set(id, other.id);
      taken.add(other.id);
    }
  }
  return matches;
}

/** Steps along the links, after which nodes that are alike have been told apart in nearly all graphs. */
const steps = { surroundings: 8, neighbors: 1, content: 0, place: 1, title: 0, type: 0 } as const;

function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

/** By node: equal where nodes are alike at this level. */
function signatures(
  meaning: Meaning,
  level: Level,
  numberOf: (text: string) => number,
): ReadonlyMap<string, number> {
  const hasValues = level === 'surroundings' || level === 'neighbors' || level === 'content';
  let current = new Map<string, number>();
  for (const node of meaning.values()) {
    const parts = [entryAt(meaning, node.parent)?.kind ?? '', node.kind];
    if (level !== 'type') parts.push(node.title ?? '');
    if (hasValues) for (const [name, { value }] of node.values) parts.push(name, writeExact(value));
    current.set(node.id, numberOf(JSON.stringify(parts)));
  }
  for (let step = 0; step < steps[level]; step++) current = oneStep(meaning, current, numberOf);
  return current;
}

function oneStep(
  meaning: Meaning,
  known: ReadonlyMap<string, number>,
  numberOf: (text: string) => number,
): Map<string, number> {
  const around = new Map([...known.keys()].map((id) => [id, [] as string[]]));
  for (const node of meaning.values()) {
    for (const [name, [source, slot]] of node.links) {
      around.get(node.id)?.push(`< ${name} ${slot} ${known.get(source) ?? ''}`);
      around.get(source)?.push(`> ${name} ${slot} ${known.get(node.id) ?? ''}`);
    }
  }
  return new Map(
    Array.from(around, ([id, links]) => [id, numberOf(JSON.stringify([known.get(id), ...links.sort()]))]),
  );
}
