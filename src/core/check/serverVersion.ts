import type { Catalog } from '../catalog/catalog';
import { loopBoundary } from './loopBoundaries';

/** Whether one version of ComfyUI is newer than another; false if one of them is no version, but a commit. */
export function isNewer(version: string | undefined, than: string | undefined): boolean {
  const [ours, theirs] = [numbersIn(version), numbersIn(than)];
  if (!ours || !theirs) return false;
  const index = ours.findIndex((number, each) => number !== theirs[each]);
  return index >= 0 && (ours[index] ?? 0) > (theirs[index] ?? 0);
}

/**
 * Whether the server, when it looks for node types to replace, does without `_meta` and skips entries that are not
 * objects (workflows 4). Undefined for versions between those that were observed; without a version, loops among the
 * definitions show a newer server.
 */
export function isLenient(catalog: Catalog, version?: string): boolean | undefined {
  if (!numbersIn(version)) return loopBoundary('StartLoop', catalog) === undefined ? undefined : true;
  if (!isNewer('0.40.0', version)) return true;
  return isNewer(version, '0.33.0') ? undefined : false;
}

function numbersIn(version = ''): readonly number[] | undefined {
  return /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
}
