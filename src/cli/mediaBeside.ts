import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { LocalMedia } from '../core/runs/runWorkflow';

/**
 * The file that a workflow names, if it lies in the workflow's folder or below it, or in an `input` or `inputs` folder there.
 * Symbolic links out of the folder are not followed.
 */
export async function mediaBeside(workflow: string, name: string): Promise<LocalMedia | undefined> {
  const folder = path.dirname(path.resolve(workflow));
  for (const place of ['', 'input', 'inputs']) {
    const file = path.join(folder, place, ...name.split(/[/\\]/));
    if (await isFileInside(folder, file)) return mediaAt(file, path.relative(folder, file));
  }
  return undefined;
}

async function isFileInside(folder: string, file: string): Promise<boolean> {
  try {
    const [root, target] = await Promise.all([realpath(folder), realpath(file)]);
    const below = path.relative(root, target);
    const inside = below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
    return inside && (await stat(target)).isFile();
  } catch {
    return false;
  }
}

async function mediaAt(file: string, description: string): Promise<LocalMedia> {
  const bytes = await readFile(file);
  return {
    bytes: () => Promise.resolve(bytes),
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    description,
  };
}
