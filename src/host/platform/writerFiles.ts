import { randomUUID } from 'node:crypto';
import type { Storage } from './storage';
import { errorCode } from '../../core/safety/errorWords';

/** Parts of writers that nobody may be sure about are not taken over all at once. */
const mostParts = 50;

/** What one writer has written. */
export interface WrittenPart {
  readonly text: string;
  /** `left`: the writer is gone, and the next writing takes the part over. */
  readonly writer: 'self' | 'other' | 'left';
}

/**
 * One thing that several windows remember: windows on one folder, or on none, write at the same time, so each writes a
 * file of its own and reads those of all. What a window that is gone has left is taken over with the next writing.
 */
export class WriterFiles {
  readonly #storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>;
  readonly #base: string;
  readonly #ownName: string;
  /** Parts that were read and whose writers are gone: what we write next holds what they hold. */
  #left: readonly string[] = [];

  /** `fileName`: as it would be with a single writer; such a file is read too. */
  constructor(
    storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>,
    fileName: string,
    writer = `${process.pid}-${randomUUID().slice(0, 8)}`,
  ) {
    this.#storage = storage;
    this.#base = fileName.replace(/\.json$/, '');
    this.#ownName = `${this.#base}.${writer}.json`;
  }

  /** The texts of all parts, the one that was written last first. */
  async read(): Promise<readonly string[]> {
    return (await this.readParts()).map(({ text }) => text);
  }

  /** The same with what is known of the writers. */
  async readParts(): Promise<readonly WrittenPart[]> {
    const files = await this.#storage.list(`${this.#base}.`);
    const parts = files
      .filter(({ name }) => name.endsWith('.json'))
      .sort((a, b) => b.writtenAt - a.writtenAt)
      .slice(0, mostParts);
    const read = await Promise.all(parts.map(({ name }) => this.#readPart(name)));
    const found = read.filter((part) => part !== undefined);
    // One that could not be read now is not replaced by what we write.
    this.#left = found.flatMap(({ name, writer }) => (writer === 'left' ? [name] : []));
    return found;
  }

  async #readPart(name: string): Promise<(WrittenPart & { readonly name: string }) | undefined> {
    const text = await this.#storage.read(name);
    if (text === undefined) return undefined;
    if (name === this.#ownName) return { name, text, writer: 'self' };
    return { name, text, writer: isWritten(name) ? 'other' : 'left' };
  }

  /** Writes the own part, which must hold all that was read, and then removes what it replaces. */
  async write(text: string): Promise<void> {
    await this.#storage.write(this.#ownName, text);
    const left = this.#left;
    this.#left = [];
    await Promise.all(left.map((name) => this.#storage.remove(name)));
  }
}

/** The writer of a part still runs, as far as this machine knows. */
function isWritten(name: string): boolean {
  const pid = Number(/\.(\d+)-[^.]*\.json$/.exec(name)?.[1]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there all the same.
    return errorCode(error) === 'EPERM';
  }
}
