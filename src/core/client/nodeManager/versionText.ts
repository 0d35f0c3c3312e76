/** Whether two texts name one version: the manager writes `2.5.0` where the registry has `2.5` (protocol 9.3). */
export function isVersion(one: string | undefined, other: string): boolean {
  return one !== undefined && (one === other || numbers(one) === numbers(other));
}

function numbers(version: string): string {
  if (!/^\d{1,20}(?:\.\d{1,20}){0,9}$/.test(version)) return version;
  const parts = version.split('.').map((part) => BigInt(part));
  while (parts.length > 1 && parts.at(-1) === 0n) parts.pop();
  return parts.join('.');
}
