/**
 * Whether the editor connects two slots: "*" and nothing fit everything, lists of types fit when they share a member;
 * case does not count (workflows 2, G).
 */
export function acceptsType(one: string, other: string): boolean {
  if (isAny(one) || isAny(other) || one === other) return true;
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (!left.includes(',') && !right.includes(',')) return left === right;
  const rights = right.split(',');
  return left.split(',').some((a) => rights.some((b) => isAny(a) || isAny(b) || a === b));
}

function isAny(type: string): boolean {
  return type === '*' || type === '' || type === '0';
}
