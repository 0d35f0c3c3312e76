import { originOf } from '../client/address';
import type { PackCard } from './packCard';

const registryOrigin = 'https://api.comfy.org';
const pages = 'https://registry.comfy.org';

/**
 * A pack's web page: at the public registry (protocol 6.2), else its repository. Undefined without either; other
 * registries have no known pages.
 */
export function packAddress(
  { id, publisherId, repository }: Pick<PackCard, 'id' | 'publisherId' | 'repository'>,
  baseUrl: string,
): string | undefined {
  if (originOf(baseUrl) !== registryOrigin || publisherId === undefined) return repository;
  return `${pages}/${encodeURIComponent(publisherId)}/${encodeURIComponent(id)}`;
}
