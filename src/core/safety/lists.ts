/** The results that are defined, in order. */
export function mapDefined<T, R>(
  items: readonly T[],
  result: (item: T, index: number) => R | undefined,
): R[] {
  return items.map(result).filter((each) => each !== undefined);
}

/** The list of a key that may have none yet. */
export function listAt<K, T>(lists: ReadonlyMap<K, readonly T[]>, key: K): readonly T[] {
  return lists.get(key) ?? [];
}

/** A count of a key that may not have been counted yet. */
export function countAt<K, N extends number>(counts: ReadonlyMap<K, N>, key: K): N | 0 {
  return counts.get(key) ?? 0;
}

/** The entry of a key that may not be known. */
export function entryAt<K, V>(map: ReadonlyMap<K, V>, key: K | undefined): V | undefined {
  return key === undefined ? undefined : map.get(key);
}

/** A number of a list; 0 outside it. */
export function numberAt(list: ArrayLike<number>, index: number): number {
  return list[index] ?? 0;
}
