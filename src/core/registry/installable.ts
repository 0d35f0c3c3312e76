import type { RegistryNode, RegistryNodeVersion } from '../protocol/registry/registryNode';

/** Whether the registry still offers the pack. */
export function isInstallable({ status, publisher }: Pick<RegistryNode, 'status' | 'publisher'>): boolean {
  return ![status, publisher?.status].some(isWithdrawn);
}

/** The versions that the registry still offers, in its own order. */
export function installableVersions(versions: readonly RegistryNodeVersion[]): RegistryNodeVersion[] {
  return versions.filter(({ version, status }) => version !== undefined && !isWithdrawn(status));
}

function isWithdrawn(status: string | undefined): boolean {
  return status === 'banned' || status === 'deleted';
}
