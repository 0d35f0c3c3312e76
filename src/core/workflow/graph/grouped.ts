/** Lists by a key. */
export class Groups<K, T> extends Map<K, T[]> {
  /** The items of a key; empty if there are none. */
  list(key: K): T[] {
    return this.get(key) ?? [];
  }
}

/** Groups items by a key; each list keeps the order of the items. */
export function groupByKey<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Groups<K, T> {
  const groups = new Groups<K, T>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
