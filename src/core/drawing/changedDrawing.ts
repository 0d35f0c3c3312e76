import type { Drawing } from './drawing';

type Part<Kind extends keyof Drawing> = Drawing[Kind][number];

/** A drawing after another one: what looks the same is its number in the one before. */
export type ChangedDrawing = { readonly [Kind in keyof Drawing]: readonly (Part<Kind> | number)[] };

/** What is sent of a large drawing after an edit, whose sending would take longer than drawing it. */
export function changedDrawing(drawing: Drawing, before: Drawing): ChangedDrawing {
  const part = <T extends object>(now: readonly T[], last: readonly T[]): (T | number)[] => {
    const known = new Map(last.map((each, index) => [lookOf(each), index]));
    return now.map((each) => known.get(lookOf(each)) ?? each);
  };
  return {
    groups: part(drawing.groups, before.groups),
    links: part(drawing.links, before.links),
    reroutes: part(drawing.reroutes, before.reroutes),
    nodes: part(drawing.nodes, before.nodes),
    boundaries: part(drawing.boundaries, before.boundaries),
  };
}

/** The drawing again, with the same objects as the one before; undefined if it was made after another one. */
export function wholeDrawing(changed: ChangedDrawing, before: Drawing): Drawing | undefined {
  const missing: number[] = [];
  const part = <T extends object>(now: readonly (T | number)[], last: readonly T[]): T[] =>
    now.flatMap((each) => {
      if (typeof each !== 'number') return each;
      const known = last[each];
      if (known === undefined) missing.push(each);
      return known ?? [];
    });
  const drawing = {
    groups: part(changed.groups, before.groups),
    links: part(changed.links, before.links),
    reroutes: part(changed.reroutes, before.reroutes),
    nodes: part(changed.nodes, before.nodes),
    boundaries: part(changed.boundaries, before.boundaries),
  };
  return missing.length === 0 ? drawing : undefined;
}

const looks = new WeakMap<object, string>();

/** The same for what is drawn again unchanged. */
export function lookOf(drawn: object): string {
  const look = looks.get(drawn) ?? JSON.stringify(drawn);
  looks.set(drawn, look);
  return look;
}
