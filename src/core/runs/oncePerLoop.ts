/** A server tells a loop of links at each of its nodes, in the same words. Gives a filter that keeps the first of them. */
export function oncePerLoop(): (error: { readonly type: string; readonly details: string }) => boolean {
  const told = new Set<string>();
  return ({ type, details }) => {
    if (type !== 'dependency_cycle' || details === '') return true;
    if (told.has(details)) return false;
    told.add(details);
    return true;
  };
}
