import { createHash } from 'node:crypto';
import type { Fingerprint, OutputFolder, OutputSink } from '../../../src/core/outputs/outputFolder';
import { OutputError, toOutputError } from '../../../src/core/outputs/outputError';

let made = 0;

/** An output folder in memory, with a disk that can be small. */
export class MemoryFolder implements OutputFolder {
  readonly #place = `memory:/${++made}`;
  readonly files = new Map<string, Uint8Array>();
  room = Number.POSITIVE_INFINITY;
  /** The free space that the disk reports. */
  told: number | undefined;
  /** Names that appear just before a rename to them: another process is faster. */
  readonly snatched = new Set<string>();
  /** Names of files that were renamed before their content was flushed: a power cut would leave them empty. */
  readonly unflushed: string[] = [];
  readonly #dirty = new Set<string>();

  exists(name: string): Promise<boolean> {
    return Promise.resolve(this.files.has(name));
  }

  read(name: string): Promise<string | undefined> {
    const bytes = this.files.get(name);
    return Promise.resolve(bytes && Buffer.from(bytes).toString());
  }

  fingerprint(name: string): Promise<Fingerprint | undefined> {
    const bytes = this.files.get(name);
    const sha256 = createHash('sha256');
    return Promise.resolve(bytes && { bytes: bytes.length, sha256: sha256.update(bytes).digest('hex') });
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()]);
  }

  listFiles(): Promise<readonly string[]> {
    return this.list();
  }

  create(name: string): Promise<OutputSink> {
    if (this.files.has(name)) return Promise.reject(toOutputError(coded('EEXIST'), name));
    this.files.set(name, new Uint8Array());
    let size = 0;
    return Promise.resolve({
      get size() {
        return size;
      },
      write: (bytes: Uint8Array) => {
        if (bytes.length > this.room) return Promise.reject(toOutputError(coded('ENOSPC'), name));
        this.room -= bytes.length;
        size += bytes.length;
        this.#dirty.add(name);
        this.files.set(name, Buffer.concat([this.files.get(name) ?? new Uint8Array(), bytes]));
        return Promise.resolve();
      },
      sync: () => {
        this.#dirty.delete(name);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    });
  }

  rename(from: string, to: string): Promise<void> {
    if (this.snatched.delete(to)) this.files.set(to, Buffer.from('of somebody else'));
    const bytes = this.files.get(from);
    if (!bytes) return Promise.reject(new OutputError(`${from} is missing`, 'missing'));
    if (this.files.has(to)) return Promise.reject(new OutputError(`${to} is there`, 'exists'));
    if (this.#dirty.delete(from) && !to.endsWith('.lock')) this.unflushed.push(to);
    this.files.delete(from);
    this.files.set(to, bytes);
    return Promise.resolve();
  }

  replace(from: string, to: string): Promise<void> {
    this.files.delete(to);
    return this.rename(from, to);
  }

  stamp(name: string, text: string): Promise<void> {
    this.files.set(name, Buffer.from(text));
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.files.delete(name);
    return Promise.resolve();
  }

  free(): Promise<number | undefined> {
    return Promise.resolve(this.told);
  }

  location(name: string): string {
    return `${this.#place}/${name}`;
  }

  get names(): string[] {
    return [...this.files.keys()].sort();
  }
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}
