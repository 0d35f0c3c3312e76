/**
 * Whether the editor connects two slots: "*" and a missing type fit everything, lists of types fit if they share a
 * member; case does not matter (workflows 2, G).
 */
export function acceptsType(one: string, other: string): boolean {
  if (isAny(one) || isAny(other) || one === other) return true;
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (!left.includes(',') && !right.includes(',')) return left === right;
  const rights = new Set(right.split(','));
  return [...rights].some(isAny) || left.split(',').some((each) => isAny(each) || rights.has(each));
}

function isAny(type: string): boolean {
  return type === '*' || type === '' || type === '0';
}
