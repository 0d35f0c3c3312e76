import type { RegistryNode } from '../protocol/registry/registryNode';

/** An id that a shell takes for one word and no program for an option. */
const plainId = /^[A-Za-z0-9][\w.-]{0,199}$/;

/** The command of comfy-cli that installs a pack; undefined where the id is none that can be typed. */
export function installLine(id: string): string | undefined {
  return plainId.test(id) ? `comfy node install ${id}` : undefined;
}

/** Whether the registry would still give the pack to somebody. */
export function isInstallable({ status }: Pick<RegistryNode, 'status'>): boolean {
  return status !== 'banned' && status !== 'deleted';
}
