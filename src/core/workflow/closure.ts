/** The items that can be reached from some items, including those. */
export function reachableItems<T>(start: Iterable<T>, next: (item: T) => Iterable<T>): Set<T> {
  const found = new Set(start);
  // Goes on with what is added meanwhile.
  for (const item of found) for (const each of next(item)) found.add(each);
  return found;
}
