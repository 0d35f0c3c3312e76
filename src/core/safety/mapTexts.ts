/** Deeper than any answer of a server. */
const deepest = 400;

/**
 * Applies a function to every string in parsed JSON, member names included. Unchanged parts stay the same object. Bytes
 * and class instances stay as they are; what is nested deeper than any real answer becomes null.
 */
export function mapTexts<T>(value: T, map: (text: string) => string): T {
  return mapped(value, map, 0) as T;
}

function mapped(value: unknown, map: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return null;
  if (Array.isArray(value)) return mappedList(value, map, depth);
  if (value instanceof Map) {
    return new Map(
      [...value].map(([name, member]) => [mapped(name, map, depth), mapped(member, map, depth + 1)]),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const before = Object.entries(value);
  const entries = before.map(([name, member]) => [map(name), mapped(member, map, depth + 1)] as const);
  const isSame = entries.every(
    ([name, member], index) => before[index]?.[0] === name && before[index][1] === member,
  );
  // Defines members, so that one named __proto__ stays a member.
  return isSame ? value : Object.fromEntries(entries);
}

function mappedList(list: readonly unknown[], map: (text: string) => string, depth: number): unknown {
  const items = list.map((item) => mapped(item, map, depth + 1));
  return list.every((item, index) => items[index] === item) ? list : items;
}
