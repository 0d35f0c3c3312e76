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

  /** @param root absolute or relative to the working directory; made when the first file is */
  constructor(root: string) {
    this.#root = path.resolve(root);
  }

  async exists(name: string): Promise<boolean> {
    // lstat: a dangling symbolic link is in the way too.
    return (await unlessMissing(name, () => lstat(this.#path(name)))) !== undefined;
  }

  async list(): Promise<readonly string[]> {
    return (await this.#entries()).map(({ name }) => name);
  }

  async listFiles(): Promise<readonly string[]> {
    return (await this.#entries()).filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async #entries(): Promise<readonly Dirent[]> {
    const name = path.basename(this.#root);
    return (await unlessMissing(name, () => readdir(this.#root, { withFileTypes: true }))) ?? [];
  }

  async read(name: string, limit: number): Promise<string | undefined> {
    return this.#withFile(name, async (handle, size) => {
      if (size > limit)
        throw new OutputError(t`${name} is larger than ${sizeText(limit)}, so it wasn't read.`, 'notRead');
      return textOfBytes(await handle.readFile());
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
    // Nearly always the folder is there.
    const sink = await unlessMissing(name, () => this.#createSink(name, file));
    if (sink) return sink;
    await this.#makeRoot();
    return withOutputErrors(name, () => this.#createSink(name, file));
  }

  async #createSink(name: string, file: string): Promise<OutputSink> {
    // The stamp tells files being written from leftovers. A full disk makes the file itself fail.
    const letGo = await holdStamp(this).catch(() => undefined);
    try {
      // `wx` neither truncates a file nor follows a symbolic link.
      return new FileSink(name, await open(file, 'wx'), letGo);
    } catch (error) {
      await letGo?.();
      throw error;
    }
  }

  async rename(from: string, to: string, isFlushed = true): Promise<void> {
    const [source, target] = [this.#path(from), this.#path(to)];
    await withOutputErrors(to, async () => {
      // A plain rename would replace an existing file; a hard link atomically refuses to.
      if (!(await linkFile(source, target))) await renameByReservation(source, target);
    });
    // Whatever happens to the temporary name: the file has its own.
    await removeFile(source).catch(() => undefined);
    if (isFlushed) await this.#syncRoot();
  }

  async replace(from: string, to: string, isFlushed = true): Promise<void> {
    await withOutputErrors(to, () => renameFile(this.#path(from), this.#path(to)));
    if (isFlushed) await this.#syncRoot();
  }

  async stamp(name: string, text: string): Promise<void> {
    await withOutputErrors(name, () => writeFile(this.#path(name), text, { flag: inPlace }));
  }

  async remove(name: string): Promise<void> {
    await withOutputErrors(name, () => removeFile(this.#path(name)));
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
    return unlessMissing(name, async () => {
      const status = await lstat(file);
      if (!status.isFile()) throw new OutputError(t`${name} is not a file.`, 'notRead');
      const handle = await waitOut(() => open(file, 'r'));
      try {
        return await use(handle, status.size);
      } finally {
        await handle.close();
      }
    });
  }

  /** The names too are on the disk then. Windows does not open folders, and writes names on its own. */
  async #syncRoot(): Promise<void> {
    // The file itself is there: a folder that can't be synced is no reason to report it lost.
    const handle = await open(this.#root, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close().catch(() => undefined);
  }

  #path(name: string): string {
    if (isSafeSegment(name)) return path.join(this.#root, name);
    const message = t`${JSON.stringify(name)} is not a valid file name for the output folder.`;
    throw new OutputError(message, 'unsafeName');
  }
}

/** Without hard links, an exclusively created empty file reserves the name and is then replaced by the finished one. */
async function renameByReservation(source: string, target: string): Promise<void> {
  const reserved = await open(target, 'wx');
  await reserved.close();
  try {
    await renameFile(source, target);
  } catch (error) {
    await removeFile(target);
    throw error;
  }
}

async function withOutputErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOutputError(error, name);
  }
}

/** Undefined if the file or the folder is missing. */
async function unlessMissing<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  return withOutputErrors(name, work).catch((error: unknown) => {
    if (OutputError.is(error, 'missing')) return undefined;
    throw error;
  });
}

class FileSink implements OutputSink {
  #size = 0;

  constructor(
    private readonly name: string,
    private readonly handle: FileHandle,
    private readonly letGo: LetGo | undefined,
  ) {}

  get size(): number {
    return this.#size;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await withOutputErrors(this.name, async () => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done);
        done += bytesWritten;
        this.#size += bytesWritten;
      }
    });
  }

  async sync(): Promise<void> {
    await withOutputErrors(this.name, () => flushFile(this.handle));
  }

  async close(): Promise<void> {
    try {
      // Network disks report that they are full only here.
      await withOutputErrors(this.name, () => this.handle.close());
    } finally {
      await this.letGo?.();
    }
  }
}
