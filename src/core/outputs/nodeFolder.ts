import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, statfs, type FileHandle, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushFile, linkFile, removeFile, renameFile, waitOut } from './changeFile';
import type { Fingerprint, OutputFolder, OutputSink } from './outputFolder';
import { OutputError, toOutputError } from './outputError';
import { isSafeSegment } from './outputNames';
import { textOfBytes } from '../json/textOfBytes';
import { holdStamp, type LetGo } from './ownerStamp';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK, O_NOFOLLOW } = constants;
/** Anyone who shares the folder may have put a link or a pipe there: neither is followed, nor waited for. */
const inPlace = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOFOLLOW;

/** An output folder on this machine's disk. Never touches anything outside its root. */
export class NodeFolder implements OutputFolder {
  readonly #root: string;
  #isMade = false;

  /** @param root absolute or relative to the working directory; made when the first file is */
  constructor(root: string) {
    this.#root = path.resolve(root);
  }

  async exists(name: string): Promise<boolean> {
    try {
      // lstat: a dangling symbolic link is in the way too.
      await lstat(this.#path(name));
      return true;
    } catch (error) {
      const known = toOutputError(error, name);
      if (known.reason === 'missing') return false;
      throw known;
    }
  }

  async list(): Promise<readonly string[]> {
    return (await this.#entries()).map(({ name }) => name);
  }

  async listFiles(): Promise<readonly string[]> {
    return (await this.#entries()).filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async #entries(): Promise<readonly Dirent[]> {
    try {
      return await readdir(this.#root, { withFileTypes: true });
    } catch (error) {
      const known = toOutputError(error, path.basename(this.#root));
      if (known.reason === 'missing') return [];
      throw known;
    }
  }

  async read(name: string, limit: number): Promise<string | undefined> {
    return this.#withFile(name, async (handle, size) => {
      if (size > limit)
        throw new OutputError(t`${name} is larger than ${sizeText(limit)}, so it wasn't read.`, 'notRead');
      // One read for a file that stays as it is, which `readFile` doesn't expect.
      const bytes = Buffer.allocUnsafe(size + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return textOfBytes(bytesRead === size ? bytes.subarray(0, size) : await handle.readFile());
    });
  }

  async fingerprint(name: string): Promise<Fingerprint | undefined> {
    return this.#withFile(name, async (handle) => {
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of handle.createReadStream({ autoClose: false })) {
        const part = chunk as Buffer;
        hash.update(part);
        bytes += part.length;
      }
      return { bytes, sha256: hash.digest('hex') };
    });
  }

  async create(name: string): Promise<OutputSink> {
    const file = this.#path(name);
    if (!this.#isMade) await this.#makeRoot();
    // The stamp tells files being written from leftovers. A full disk makes the file itself fail.
    const letGo = await holdStamp(this).catch(() => undefined);
    try {
      // `wx` neither truncates a file nor follows a symbolic link.
      const create = (): Promise<FileHandle> => open(file, 'wx');
      const handle = create().catch(async (error: unknown) => {
        if (!OutputError.is(toOutputError(error, name), 'missing')) throw error;
        await this.#makeRoot();
        return create();
      });
      return new FileSink(name, await handle, letGo);
    } catch (error) {
      await letGo?.();
      throw toOutputError(error, name);
    }
  }

  async rename(from: string, to: string, isFlushed = true): Promise<void> {
    const source = this.#path(from);
    const target = this.#path(to);
    try {
      // A plain rename would replace an existing file; a hard link atomically refuses to.
      if (!(await linkFile(source, target))) await renameByReservation(source, target, to);
    } catch (error) {
      throw toOutputError(error, to);
    }
    // Whatever happens to the temporary name: the file has its own.
    await removeFile(source).catch(() => undefined);
    if (isFlushed) await this.#syncRoot();
  }

  async replace(from: string, to: string, isFlushed = true): Promise<void> {
    const source = this.#path(from);
    const target = this.#path(to);
    try {
      await renameFile(source, target);
    } catch (error) {
      throw toOutputError(error, to);
    }
    if (isFlushed) await this.#syncRoot();
  }

  async stamp(name: string, text: string): Promise<void> {
    try {
      await writeFile(this.#path(name), text, { flag: inPlace });
    } catch (error) {
      throw toOutputError(error, name);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await removeFile(this.#path(name));
    } catch (error) {
      throw toOutputError(error, name);
    }
  }

  async free(): Promise<number | undefined> {
    try {
      const { bsize, blocks, bavail } = await statfs(this.#root);
      // Some network disks report only zeros.
      return blocks > 0 ? bavail * bsize : undefined;
    } catch {
      return undefined;
    }
  }

  location(name: string): string {
    return this.#path(name);
  }

  async #makeRoot(): Promise<void> {
    try {
      await mkdir(this.#root, { recursive: true });
      this.#isMade = true;
    } catch (error) {
      const { reason, message } = toOutputError(error, path.basename(this.#root));
      if (reason === 'diskFull') throw new OutputError(message, reason, error);
      throw new OutputError(
        t`The output folder couldn't be created, so nothing was saved.`,
        'notWritable',
        error,
      );
    }
  }

  /** Undefined if there is no such file. A link, a pipe or a folder isn't ours. */
  async #withFile<T>(
    name: string,
    use: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | undefined> {
    const file = this.#path(name);
    let handle: FileHandle | undefined;
    try {
      const status = await lstat(file);
      if (!status.isFile()) throw new OutputError(t`${name} is not a file.`, 'notRead');
      handle = await waitOut(() => open(file, 'r'));
      return await use(handle, status.size);
    } catch (error) {
      const known = toOutputError(error, name);
      if (known.reason === 'missing') return undefined;
      throw known;
    } finally {
      await handle?.close();
    }
  }

  /** The names too are on the disk then. Windows does not open folders, and writes names on its own. */
  async #syncRoot(): Promise<void> {
    try {
      const handle = await open(this.#root, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch {
      // The file itself is there: a folder that can't be synced is no reason to report it lost.
    }
  }

  #path(name: string): string {
    if (!isSafeSegment(name)) {
      throw new OutputError(
        t`${JSON.stringify(name)} is not a valid file name for the output folder.`,
        'unsafeName',
      );
    }
    return path.join(this.#root, name);
  }
}

/** Without hard links, an exclusively created empty file reserves the name and is then replaced by the finished one. */
async function renameByReservation(source: string, target: string, name: string): Promise<void> {
  try {
    const reserved = await open(target, 'wx');
    await reserved.close();
  } catch (error) {
    throw toOutputError(error, name);
  }
  try {
    await renameFile(source, target);
  } catch (error) {
    await removeFile(target);
    throw toOutputError(error, name);
  }
}

class FileSink implements OutputSink {
  readonly #name: string;
  readonly #handle: FileHandle;
  readonly #letGo: LetGo | undefined;
  #size = 0;

  constructor(name: string, handle: FileHandle, letGo: LetGo | undefined) {
    this.#name = name;
    this.#handle = handle;
    this.#letGo = letGo;
  }

  get size(): number {
    return this.#size;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done);
        done += bytesWritten;
        this.#size += bytesWritten;
      }
    } catch (error) {
      throw toOutputError(error, this.#name);
    }
  }

  async sync(): Promise<void> {
    try {
      await flushFile(this.#handle);
    } catch (error) {
      throw toOutputError(error, this.#name);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.close();
    } catch (error) {
      // Network disks report that they are full only here.
      throw toOutputError(error, this.#name);
    } finally {
      await this.#letGo?.();
    }
  }
}
