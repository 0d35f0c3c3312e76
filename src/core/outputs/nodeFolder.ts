import { link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFolder, OutputSink } from './outputFolder';
import { OutputError, outputErrorOf } from './outputError';
import { isSafeSegment } from './safeName';

/** What file systems without hard links answer to one. */
const noHardLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN']);

/** An output folder on this machine's disk. Never touches anything outside its root. */
export class NodeFolder implements OutputFolder {
  readonly #root: string;

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
      const known = outputErrorOf(error, name);
      if (known.reason === 'missing') return false;
      throw known;
    }
  }

  async create(name: string): Promise<OutputSink> {
    const file = this.#path(name);
    await this.#makeRoot();
    try {
      // `wx` neither truncates a file nor follows a symbolic link that waits there.
      return new FileSink(name, await open(file, 'wx'));
    } catch (error) {
      throw outputErrorOf(error, name);
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#path(from);
    const target = this.#path(to);
    try {
      // A plain rename would replace what is there; a hard link refuses to, in one step.
      await link(source, target);
    } catch (error) {
      if (!isCode(error, noHardLinks)) throw outputErrorOf(error, to);
      await renameByReservation(source, target, to);
      return;
    }
    await unlink(source);
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(this.#path(name), { force: true });
    } catch (error) {
      throw outputErrorOf(error, name);
    }
  }

  location(name: string): string {
    return this.#path(name);
  }

  async #makeRoot(): Promise<void> {
    try {
      await mkdir(this.#root, { recursive: true });
    } catch (error) {
      const { reason, message } = outputErrorOf(error, path.basename(this.#root));
      if (reason === 'diskFull') throw new OutputError(message, reason, error);
      throw new OutputError(
        'The output folder could not be made, so nothing was saved.',
        'notWritable',
        error,
      );
    }
  }

  #path(name: string): string {
    if (!isSafeSegment(name)) {
      throw new OutputError(
        `${JSON.stringify(name)} is no name for a file in the output folder.`,
        'unsafeName',
      );
    }
    return path.join(this.#root, name);
  }
}

/** Without hard links: an empty file made exclusively holds the name, and is then replaced by the finished one. */
async function renameByReservation(source: string, target: string, name: string): Promise<void> {
  try {
    const reserved = await open(target, 'wx');
    await reserved.close();
  } catch (error) {
    throw outputErrorOf(error, name);
  }
  try {
    await rename(source, target);
  } catch (error) {
    await rm(target, { force: true });
    throw outputErrorOf(error, name);
  }
}

function isCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}

class FileSink implements OutputSink {
  readonly #name: string;
  readonly #handle: FileHandle;
  #size = 0;

  constructor(name: string, handle: FileHandle) {
    this.#name = name;
    this.#handle = handle;
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
      throw outputErrorOf(error, this.#name);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.close();
    } catch (error) {
      // Network disks tell that they are full only here.
      throw outputErrorOf(error, this.#name);
    }
  }
}
