import type { RegistryNodeVersion } from '../protocol/registry/registryNode';

/**
 * Whether another registry means the same by a version of a pack, by its ID or its download address. Undefined if it
 * does not list the version, or if only one of the two registries gives either.
 */
export function isSamePackVersion(
  ours: RegistryNodeVersion,
  theirs: readonly RegistryNodeVersion[] | undefined,
): boolean | undefined {
  if (ours.version === undefined || !theirs) return undefined;
  const verdicts = theirs
    .filter(({ version }) => version === ours.version)
    .map((each) => agreement(ours.id, each.id) ?? agreement(ours.downloadUrl, each.downloadUrl));
  if (verdicts.includes(false)) return false;
  return verdicts.includes(true) ? true : undefined;
}

function agreement(one: string | undefined, other: string | undefined): boolean | undefined {
  return one === undefined || other === undefined ? undefined : one === other;
}
