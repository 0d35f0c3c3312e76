import * as vscode from 'vscode';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import type { OwedEntry } from './owedEntry';

const prefix = 'owed-';

/**
 * What is owed, on disk: one file per run, so that windows never overwrite each other's. Where the storage cannot be
 * written the list lives in this window; the run records in the output folders are there all the same.
 */
export class OwedList implements vscode.Disposable {
  readonly #storage: Storage;
  readonly #trouble: StorageTrouble;
  readonly #entries = new Map<string, OwedEntry>();
  /** Entries that are in no file, or in one that is out of date. */
  readonly #unwritten = new Set<string>();
  /** For each reading that is under way, the ids of entries that changed here meanwhile. */
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
   * Reads what this and other windows have written; what another window has worked off is gone. An entry that changes
   * here meanwhile stays as it is here: its file may have been read before.
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

  /** Never fails: a storage that cannot be written is told once. */
  async put(entry: OwedEntry): Promise<void> {
    const { id } = entry;
    this.#entries.set(id, entry);
    this.#unwritten.add(id);
    this.#changedHere(id);
    const { writeOwedEntry } = await import('./owedEntry');
    const written = await this.#trouble.guard(this.#storage.write(fileOf(id), writeOwedEntry(entry)));
    // A newer version may be on its way to the disk.
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

  /** Undefined where the storage cannot be read. */
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
