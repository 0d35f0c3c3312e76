import type { JsonNode } from '../json/node';
import type { Point } from './drawnNode';

/** A list of two numbers, or an object with the keys 0 and 1. */
export function pointOf(node: JsonNode | undefined): Point | undefined {
  const [x, y] =
    node?.kind === 'array' ? node.items : node?.kind === 'object' ? [node.get('0'), node.get('1')] : [];
  const [left, top] = [numberOf(x), numberOf(y)];
  return left !== undefined && top !== undefined ? { x: left, y: top } : undefined;
}

/** The largest number of a list of any length, or `least`. */
export function largest(numbers: readonly number[], least = 0): number {
  return numbers.reduce((most, each) => Math.max(most, each), least);
}

/** Beyond it, sums and hundredths are no numbers that programs can read. */
const farthest = 1e9;

export function numberOf(node: JsonNode | undefined): number | undefined {
  if (node?.kind !== 'number' || Number.isNaN(node.value)) return undefined;
  return Math.min(farthest, Math.max(-farthest, node.value));
}

export function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}
