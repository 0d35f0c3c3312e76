import { OutputError } from './outputError';
import type { OutputFolder } from './outputFolder';
import { temporaryName } from './ownerStamp';

/**
 * Writes bytes under a name completely or not at all; fails with reason `exists` when the name is taken.
 * @param isFlushed false: for what means nothing after a power cut
 */
export function writeWhole(
  folder: OutputFolder,
  name: string,
  bytes: Uint8Array,
  isFlushed = true,
): Promise<void> {
  return writeTemporary(folder, bytes, (temporary) => folder.rename(temporary, name, isFlushed), isFlushed);
}

/**
 * Replaces a file that we wrote ourselves: at every moment, one of the two exists.
 * @param isFlushed false: after a power cut it may be either of them, whole
 */
export function replaceWhole(
  folder: OutputFolder,
  name: string,
  bytes: Uint8Array,
  isFlushed = true,
): Promise<void> {
  return writeTemporary(folder, bytes, (temporary) => folder.replace(temporary, name, isFlushed));
}

/**
 * Writes something under the first free name: another program may take one between check and use.
 * @param next the name to try, after so many others
 * @param put fails with reason `exists` when the name is taken
 */
export async function putUnderFreeName(
  next: (tries: number) => string,
  put: (name: string) => Promise<void>,
): Promise<string> {
  for (let tries = 0; ; tries++) {
    const name = next(tries);
    try {
      await put(name);
      return name;
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
  }
}

/** @param place what is done with the file once it is whole; if that fails, it is removed */
export async function writeTemporary(
  folder: OutputFolder,
  bytes: Uint8Array,
  place: (temporary: string) => Promise<void>,
  isFlushed = true,
): Promise<void> {
  const temporary = temporaryName();
  const sink = await folder.create(temporary);
  try {
    try {
      await sink.write(bytes);
      if (isFlushed) await sink.sync();
    } finally {
      await sink.close();
    }
    await place(temporary);
  } catch (error) {
    // Cleaning up must not hide the original error.
    await folder.remove(temporary).catch(() => undefined);
    throw error;
  }
}
