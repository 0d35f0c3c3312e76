import { randomUUID } from 'node:crypto';
import type { Storage } from './storage';
import { errorCode } from '../../core/safety/errorWords';

const mostParts = 50;

export interface WrittenPart {
  readonly text: string;
  /** `left`: the writer is gone, and the next write takes the part over. */
  readonly writer: 'self' | 'other' | 'left';
}

/** Each window writes its own file and reads all. The next write takes over what a closed window left. */
export class WriterFiles {
  readonly #base: string;
  readonly #ownName: string;
  #left: readonly string[] = [];

  /** `fileName`: as for a single writer; such a file is read too. */
  constructor(
    private readonly storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>,
    fileName: string,
    writer = `${process.pid}-${randomUUID().slice(0, 8)}`,
  ) {
    this.#base = fileName.replace(/\.json$/, '');
    this.#ownName = `${this.#base}.${writer}.json`;
  }

  async read(): Promise<readonly string[]> {
    return (await this.readParts()).map(({ text }) => text);
  }

  async readParts(): Promise<readonly WrittenPart[]> {
    const files = await this.storage.list(`${this.#base}.`);
    const parts = files
      .filter(({ name }) => name.endsWith('.json'))
      .sort((a, b) => b.writtenAt - a.writtenAt)
      .slice(0, mostParts);
    const read = await Promise.all(parts.map(({ name }) => this.#readPart(name)));
    const found = read.filter((part) => part !== undefined);
    // One that could not be read now is not replaced by our next write.
    this.#left = found.flatMap(({ name, writer }) => (writer === 'left' ? [name] : []));
    return found;
  }

  async #readPart(name: string): Promise<(WrittenPart & { readonly name: string }) | undefined> {
    const text = await this.storage.read(name);
    if (text === undefined) return undefined;
    if (name === this.#ownName) return { name, text, writer: 'self' };
    return { name, text, writer: isWritten(name) ? 'other' : 'left' };
  }

  /** Writes our own part, which must include everything read, and then removes what it replaces. */
  async write(text: string): Promise<void> {
    await this.storage.write(this.#ownName, text);
    const left = this.#left;
    this.#left = [];
    await Promise.all(left.map((name) => this.storage.remove(name)));
  }
}

/** The writer of a part is still running, as far as this machine knows. */
export function isWritten(name: string): boolean {
  const pid = Number(/\.(\d+)-[^.]*\.json$/.exec(name)?.[1]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is still alive.
    return errorCode(error) === 'EPERM';
  }
}
