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
  /** Entries that are in no file. */
  readonly #unwritten = new Set<string>();
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

  /** Reads what this and other windows have written; what another window has worked off is gone. */
  async read(): Promise<void> {
    const files = await this.#storage.list(prefix).catch(() => undefined);
    if (!files) return;
    const { readOwedEntry } = await import('./owedEntry');
    const texts = await Promise.all(
      files.filter(({ name }) => name.endsWith('.json')).map(({ name }) => this.#storage.read(name)),
    );
    const found = texts.flatMap((text) => (text === undefined ? [] : (readOwedEntry(text) ?? [])));
    const ids = new Set(found.map(({ id }) => id));
    for (const id of this.#entries.keys()) {
      if (!ids.has(id) && !this.#unwritten.has(id)) this.#entries.delete(id);
    }
    for (const entry of found) this.#entries.set(entry.id, entry);
    this.#changed.fire();
  }

  /** Never fails: a storage that cannot be written is told once. */
  async put(entry: OwedEntry): Promise<void> {
    this.#entries.set(entry.id, entry);
    this.#unwritten.add(entry.id);
    this.#changed.fire();
    const { writeOwedEntry } = await import('./owedEntry');
    const written = await this.#trouble.guard(this.#storage.write(fileOf(entry.id), writeOwedEntry(entry)));
    if (written) this.#unwritten.delete(entry.id);
  }

  async remove(id: string): Promise<void> {
    if (!this.#entries.delete(id)) return;
    this.#unwritten.delete(id);
    this.#changed.fire();
    await this.#trouble.guard(this.#storage.remove(fileOf(id)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function fileOf(id: string): string {
  return `${prefix}${id}.json`;
}
