import { link, realpath, rename, rm, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { realpath as realpathByLinks } from 'node:fs';
import { promisify } from 'node:util';
import { abortableSleep } from '../client/timing';
import { errorCode } from '../safety/errorWords';

/*
 * The one place where files are replaced, linked, removed and flushed, and links resolved: Windows refuses that for
 * moments, and some of its file systems answer as no other.
 */

/** Windows reports these while an antivirus program, an indexer, a sync client or a reader has the file open. */
const passing: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** ms: doubled each time, about two seconds together. */
const waits: readonly number[] = [5, 10, 20, 40, 80, 160, 320, 640, 800];

export async function waitOut<T>(step: () => Promise<T>): Promise<T> {
  for (const wait of process.platform === 'win32' ? waits : []) {
    try {
      return await step();
    } catch (error) {
      if (!passing.has(errorCode(error))) throw error;
    }
    await abortableSleep(wait);
  }
  return step();
}

/** Writes over what is there, in place: a file of the person, who may have linked to it. */
export function writeText(file: string, text: string): Promise<void> {
  return waitOut(() => writeFile(file, text));
}

export function renameFile(from: string, to: string): Promise<void> {
  return waitOut(() => rename(from, to));
}

/** File systems without hard links report these; exFAT, FAT and some network shares say EISDIR. */
const noHardLinks: ReadonlySet<string> = new Set(
  'EISDIR EPERM ENOTSUP EOPNOTSUPP ENOSYS EMLINK EINVAL UNKNOWN'.split(' '),
);

/** False where there are no hard links. Refuses to replace what is there. */
export async function linkFile(from: string, to: string): Promise<boolean> {
  return waitOut(() =>
    link(from, to).then(
      () => true,
      (error: unknown) => {
        if (noHardLinks.has(errorCode(error))) return false;
        throw error;
      },
    ),
  );
}

/** Also if there is none. */
export function removeFile(file: string): Promise<void> {
  return waitOut(() =>
    unlink(file).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    }),
  );
}

export function removeFolder(folder: string): Promise<void> {
  return waitOut(() => rm(folder, { recursive: true, force: true }));
}

/** Errors of file systems that can't flush on demand; then there is nothing to wait for. */
const noSync: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EROFS']);

export function flushFile(handle: Pick<FileHandle, 'sync'>): Promise<void> {
  return waitOut(() =>
    handle.sync().catch((error: unknown) => {
      if (!noSync.has(errorCode(error))) throw error;
    }),
  );
}

/** The path with all links resolved. RAM disks and some shares can't say it as a whole (EISDIR), only step by step. */
export function resolveRealPath(file: string): Promise<string> {
  return waitOut(() =>
    realpath(file).catch((error: unknown) => {
      if (errorCode(error) === 'EISDIR') return promisify(realpathByLinks)(file);
      throw error;
    }),
  );
}
