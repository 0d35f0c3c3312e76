import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RecordedInput } from '../records/runRecord';
import { budgets } from '../safety/budgets';
import type { LocalMedia } from './localFile';

interface RecordedMediaLookup {
  readonly inputs: readonly RecordedInput[];
  readonly folder: string;
  /** The file at a path below the workspace folder, or of a name in the workflow; never one outside. */
  readonly find: (name: string) => Promise<LocalMedia | undefined>;
  /** Called for a file that has changed since the run, when no copy was kept. */
  readonly changed: (relative: string) => void;
}

/** The copy next to the record, or the file. One that changed since is used as it is now, and reported. */
export function recordedMedia(
  lookup: RecordedMediaLookup,
): (name: string) => Promise<LocalMedia | undefined> {
  return async (name) => {
    const input = lookup.inputs.find((each) => each.name === name);
    if (!input) return lookup.find(name);
    const copy = await copiedMedia(input, lookup.folder);
    if (copy) return copy;
    // Anyone may have written the record: the file is what the name says, or it is not read.
    const samePath = lowerExtension(input.path) === lowerExtension(name);
    const found = (samePath ? await lookup.find(input.path) : undefined) ?? (await lookup.find(name));
    if (!found) return undefined;
    return {
      ...found,
      bytes: async () => {
        const bytes = await found.bytes();
        if (contentHash(bytes) !== input.sha256) lookup.changed(found.relative);
        return bytes;
      },
    };
  };
}

async function copiedMedia(
  { kept: copy, bytes: size, sha256, path: relative }: RecordedInput,
  folder: string,
): Promise<LocalMedia | undefined> {
  if (copy === undefined) return undefined;
  const place = path.join(folder, copy);
  const found = await lstat(place).catch(() => undefined);
  if (!found?.isFile() || found.size !== size || size > budgets.uploadFile) return undefined;
  const bytes = await readFile(place).catch(() => undefined);
  if (!bytes || contentHash(bytes) !== sha256) return undefined;
  return {
    place,
    description: copy,
    relative,
    size: found.size,
    marks: [],
    bytes: () => Promise.resolve(bytes),
  };
}

function lowerExtension(name: string): string {
  return path.extname(name).toLowerCase();
}

function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
