import { lstat, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { budgets } from '../safety/budgets';
import { isGone, partOwner } from './temporaryName';

/**
 * Removes unfinished files that nobody will finish: those of processes that are gone, and those into which nothing was
 * written for so long that no transfer can still be under way. Whatever else lies in the folder is left alone, and a
 * file that cannot be removed stays.
 */
export async function sweepParts(root: string): Promise<void> {
  const names = await readdir(root);
  for (const name of names) {
    const owner = partOwner(name);
    if (owner === undefined) continue;
    const file = path.join(root, name);
    try {
      if (isGone(owner) || (await isForgotten(file))) await unlink(file);
    } catch {
      // Another window was faster, or the file is not ours to remove.
    }
  }
}

async function isForgotten(file: string): Promise<boolean> {
  const { mtimeMs } = await lstat(file);
  return Date.now() - mtimeMs > budgets.unfinishedFileAge;
}
