import { originOf } from '../client/address';
import type { PackCard } from './packCard';

const registryOrigin = 'https://api.comfy.org';
const pages = 'https://registry.comfy.org';

/**
 * Where a person reads about a pack: its page at the public registry (protocol 6.2), else its repository. Undefined
 * where there is neither; other registries have no pages that are known.
 */
export function packAddress(
  { id, publisherId, repository }: Pick<PackCard, 'id' | 'publisherId' | 'repository'>,
  baseUrl: string,
): string | undefined {
  if (originOf(baseUrl) !== registryOrigin || publisherId === undefined) return repository;
  return `${pages}/${encodeURIComponent(publisherId)}/${encodeURIComponent(id)}`;
}
