import type { Drawing } from './drawing';

type Part<Kind extends keyof Drawing> = Drawing[Kind][number];

/** A drawing after another one: what looks the same is its number in the one before. */
export type ChangedDrawing = { readonly [Kind in keyof Drawing]: readonly (Part<Kind> | number)[] };

/** The changes of a large drawing after an edit, because sending all of it takes longer than drawing it. */
export function changedDrawing(drawing: Drawing, before: Drawing): ChangedDrawing {
  const part = <T extends object>(
    now: readonly T[],
    last: readonly T[],
    keyOf: (each: T, index: number) => string | number,
  ): (T | number)[] => {
    const places = new Map(last.map((each, index) => [keyOf(each, index), index]));
    return now.map((each, index) => {
      const place = places.get(keyOf(each, index));
      return place !== undefined && isSame(each, last[place]) ? place : each;
    });
  };
  const idOf = ({ id }: { readonly id: string }): string => id;
  return {
    groups: part(drawing.groups, before.groups, (_, index) => index),
    links: part(drawing.links, before.links, ({ id, to }) => `${id}>${to.join(':')}`),
    reroutes: part(drawing.reroutes, before.reroutes, idOf),
    nodes: part(drawing.nodes, before.nodes, idOf),
    boundaries: part(drawing.boundaries, before.boundaries, ({ side }) => side),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    const others: readonly unknown[] = Array.isArray(other) ? other : [];
    return one.length === others.length && one.every((each, index) => isSame(each, others[index]));
  }
  const [own, others] = [one, other] as unknown as readonly [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  let more = 0;
  for (const key in own) {
    if (!isSame(own[key], others[key])) return false;
    more++;
  }
  for (const key in others) if (Object.hasOwn(others, key)) more--;
  return more === 0;
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
