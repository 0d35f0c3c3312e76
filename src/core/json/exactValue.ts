import type { JsonNode } from './node';

/**
 * A lossless JSON value as in Python: integers are `bigint`, numbers with a fraction or an exponent are `number` (so 1
 * and 1.0 stay distinct), NaN and Infinity are kept, and objects are maps in file order.
 */
export type ExactValue = null | boolean | bigint | number | string | readonly ExactValue[] | ExactObject;
export type ExactObject = ReadonlyMap<string, ExactValue>;

export function isExactObject(value: ExactValue | undefined): value is ExactObject {
  return value instanceof Map;
}

/** Whether a value is a list. (`Array.isArray` does not narrow read-only arrays.) */
export function isExactList(value: ExactValue | undefined): value is readonly ExactValue[] {
  return Array.isArray(value);
}

/** The exact value of a node of the tree. A property without a value, in a broken text, is left out. */
export function exactValue(node: JsonNode): ExactValue {
  switch (node.kind) {
    case 'object': {
      const object = new Map<string, ExactValue>();
      for (const { name, value } of node.properties) if (value) object.set(name, exactValue(value));
      return object;
    }
    case 'array':
      return node.items.map(exactValue);
    case 'number':
      return node.bigint ?? node.value;
    case 'string':
    case 'boolean':
    case 'null':
    case 'nonFinite':
      return node.value;
  }
}

/** The exact value of plain data: integers become `bigint`, `undefined` members are skipped. */
export function exactFrom(data: unknown): ExactValue {
  if (Array.isArray(data)) return data.map(exactFrom);
  if (data instanceof Map) return new Map([...data].map(([name, value]) => [String(name), exactFrom(value)]));
  switch (typeof data) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return data;
    case 'number':
      return Number.isInteger(data) ? BigInt(data) : data;
    case 'object': {
      if (data === null) return null;
      const members = Object.entries(data).filter(([, value]) => value !== undefined);
      return new Map(members.map(([name, value]) => [name, exactFrom(value)]));
    }
    default:
      return null;
  }
}

/** Plain data for code that needs no exact numbers: integers within 2^53 become numbers, larger ones stay `bigint`. */
export function plainFrom(value: ExactValue): unknown {
  if (isExactList(value)) return value.map(plainFrom);
  if (isExactObject(value)) {
    return Object.fromEntries([...value].map(([name, member]) => [name, plainFrom(member)]));
  }
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
