import type { JsonNode, JsonObject } from '../json/node';
import type { Point } from './drawnNode';

/** A list of two numbers, or an object with the keys 0 and 1. */
export function pointOf(node: JsonNode | undefined): Point | undefined {
  const [x, y] =
    node?.kind === 'array' ? node.items : node?.kind === 'object' ? [node.get('0'), node.get('1')] : [];
  return x?.kind === 'number' && y?.kind === 'number' ? { x: x.value, y: y.value } : undefined;
}

/** The largest number of a list of any length, or `least`. */
export function largest(numbers: readonly number[], least = 0): number {
  return numbers.reduce((most, each) => Math.max(most, each), least);
}

export function numberOf(node: JsonNode | undefined): number | undefined {
  return node?.kind === 'number' ? node.value : undefined;
}

export function objectOf(node: JsonNode | undefined): JsonObject | undefined {
  return node?.kind === 'object' ? node : undefined;
}

export function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}
