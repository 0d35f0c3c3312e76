import * as vscode from 'vscode';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import type { OwedEntry, OwedShown } from './owedEntry';

const prefix = 'owed-';

/**
 * Owed runs on disk: one file each, so that windows never overwrite each other's. If the storage is not writable, the
 * list exists only in this window; the run records in the output folders are still there.
 */
export class OwedList implements OwedShown, vscode.Disposable {
  readonly #storage: Storage;
  readonly #trouble: StorageTrouble;
  readonly #entries = new Map<string, OwedEntry>();
  /** Entries without a file, or with an outdated one. */
  readonly #unwritten = new Set<string>();
  /** For each read in progress, the IDs of entries changed here in the meantime. */
  readonly #readings = new Set<Set<string>>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(storage: Storage, trouble: StorageTrouble) {
    this.#storage = storage;
    this.#trouble = trouble;
  }

  entries(): readonly OwedEntry[] {
    return [...this.#entries.values()];
  }

  get(id: string): OwedEntry | undefined {
    return this.#entries.get(id);
  }

  ofJob(jobId: string): OwedEntry | undefined {
    return this.entries().find((entry) => entry.jobId === jobId);
  }

  /**
   * Reads what this and other windows have written; entries completed by another window are gone. An entry changed here
   * in the meantime is kept: its file may have been read before.
   */
  async read(): Promise<void> {
    const newer = new Set(this.#unwritten);
    this.#readings.add(newer);
    try {
      const found = await this.#readFiles();
      if (!found) return;
      for (const id of this.#entries.keys()) if (!found.has(id) && !newer.has(id)) this.#entries.delete(id);
      for (const [id, entry] of found) if (!newer.has(id)) this.#entries.set(id, entry);
    } finally {
      this.#readings.delete(newer);
    }
    this.#changed.fire();
  }

  /** Never fails: an unwritable storage is reported once. */
  async put(entry: OwedEntry): Promise<void> {
    const { id } = entry;
    this.#entries.set(id, entry);
    this.#unwritten.add(id);
    this.#changedHere(id);
    const { writeOwedEntry } = await import('./owedEntry');
    const written = await this.#trouble.guard(this.#storage.write(fileOf(id), writeOwedEntry(entry)));
    // A newer version may be about to be written.
    if (written && this.#entries.get(id) === entry) this.#unwritten.delete(id);
  }

  async remove(id: string): Promise<void> {
    if (!this.#entries.delete(id)) return;
    this.#unwritten.delete(id);
    this.#changedHere(id);
    await this.#trouble.guard(this.#storage.remove(fileOf(id)));
  }

  #changedHere(id: string): void {
    for (const newer of this.#readings) newer.add(id);
    this.#changed.fire();
  }

  /** Undefined when the storage can't be read. */
  async #readFiles(): Promise<ReadonlyMap<string, OwedEntry> | undefined> {
    const files = await this.#storage.list(prefix).catch(() => undefined);
    if (!files) return undefined;
    const { readOwedEntry } = await import('./owedEntry');
    const texts = await Promise.all(
      files.filter(({ name }) => name.endsWith('.json')).map(({ name }) => this.#storage.read(name)),
    );
    const entries = texts.flatMap((text) => (text === undefined ? [] : (readOwedEntry(text) ?? [])));
    return new Map(entries.map((entry) => [entry.id, entry]));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function fileOf(id: string): string {
  return `${prefix}${id}.json`;
}
