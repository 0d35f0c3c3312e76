import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type JsonProperty,
  type JsonRange,
  rangeEnd,
} from '../../json/node';
import type { JsonDocument } from '../../json/tree';

export interface JsonPlace {
  readonly offset: number;
  readonly containers: readonly (JsonObject | JsonArray)[];
  /** `name` and `value` are on existing text, `newName` and `newValue` where one could be inserted. */
  readonly at: 'name' | 'value' | 'newName' | 'newValue';
  readonly property?: JsonProperty | undefined;
  readonly index?: number;
  readonly node?: JsonNode;
}

/** The innermost place at an offset; the ends of names and values count as inside. Undefined outside of everything. */
export function jsonPlaceAt(document: JsonDocument, offset: number): JsonPlace | undefined {
  const { root } = document;
  if (!root || offset < root.offset || offset > rangeEnd(root)) return undefined;
  const containers: (JsonObject | JsonArray)[] = [];
  let node: JsonNode = root;
  for (;;) {
    if (!isInside(document.text, node, offset)) return { offset, containers, at: 'value', node };
    containers.push(node);
    const step = node.kind === 'object' ? inObject(document, node, offset) : inList(node, offset);
    if (!('into' in step)) return { offset, containers, ...step };
    if (!isInside(document.text, step.into, offset)) {
      return { offset, containers, at: 'value', node: step.into, ...step.by };
    }
    node = step.into;
  }
}

function touches(range: JsonRange, offset: number): boolean {
  return offset >= range.offset && offset <= rangeEnd(range);
}

export function bareRange({ offset, length }: JsonRange): JsonRange {
  return { offset, length };
}

type Step =
  | { readonly into: JsonNode; readonly by: Pick<JsonPlace, 'property' | 'index'> }
  | Pick<JsonPlace, 'at' | 'property' | 'index' | 'node'>;

function inObject({ text }: JsonDocument, object: JsonObject, offset: number): Step {
  const property = lastBefore(object.properties, offset);
  if (!property) return { at: 'newName' };
  const { key, value } = property;
  if (touches(key, offset)) return { at: 'name', property, node: key };
  if (value && touches(value, offset)) return { into: value, by: { property } };
  if (value && offset > rangeEnd(value)) return { at: 'newName' };
  // Between the name and its value, or where the value is missing.
  return /^\s*:[^,}\]\n]*$/.test(text.slice(rangeEnd(key), offset))
    ? { at: 'newValue', property }
    : { at: 'newName' };
}

function inList(list: JsonArray, offset: number): Step {
  const item = lastBefore(list.items, offset);
  const index = item ? list.items.indexOf(item) : -1;
  if (item && touches(item, offset)) return { into: item, by: { index } };
  return { at: 'newValue', index: index + 1 };
}

function lastBefore<T extends JsonRange>(ranges: readonly T[], offset: number): T | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.offset ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

/** Whether an offset is between the brackets; what a broken text leaves open reaches to its end. */
function isInside(text: string, node: JsonNode, offset: number): node is JsonObject | JsonArray {
  if (node.kind !== 'object' && node.kind !== 'array') return false;
  if (offset <= node.offset) return false;
  if (offset < rangeEnd(node)) return true;
  return (
    offset === rangeEnd(node) &&
    (node.length < 2 || text.charAt(offset - 1) !== (node.kind === 'object' ? '}' : ']'))
  );
}
