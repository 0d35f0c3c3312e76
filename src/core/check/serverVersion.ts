import type { Catalog } from '../catalog/catalog';
import { loopBoundary } from './loopBoundaries';

/** Whether one version of ComfyUI is newer than another; false if one of them is no version, but a commit. */
export function isNewer(version: string, than: string): boolean {
  const [ours = '', theirs = ''] = [version, than].map((each) => numbers.exec(each)?.[1]);
  return ours !== '' && theirs !== '' && versions.compare(ours, theirs) > 0;
}

/**
 * Whether the server, when it looks for node types to replace, does without `_meta` and skips entries that are not
 * objects (workflows 4). Undefined for versions between those that were observed; without a version, loops among the
 * definitions show a newer server.
 */
export function isLenient(catalog: Catalog, version = ''): boolean | undefined {
  if (!numbers.test(version)) return loopBoundary('StartLoop', catalog) && true;
  return !isNewer('0.40.0', version) || (isNewer(version, '0.33.0') ? undefined : false);
}

/** `localeCompare` makes one for each call. */
const versions = new Intl.Collator('en', { numeric: true });
const numbers = /^v?(\d+\.\d+\.\d+)/;
