import * as vscode from 'vscode';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import type { RunPointer } from './runPointer';
import { createHash } from 'node:crypto';

/** IDs come from servers and may contain anything: a hash is always a valid file name. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 40);

/** A pointer is named by its prompt while something is owed, because that is known before the job. */
export function pointerId({ promptId, jobId }: Pick<RunPointer, 'promptId' | 'jobId'>): string {
  return promptId !== undefined && /^[\da-f-]{36}$/.test(promptId)
    ? promptId
    : hashOf(promptId ?? jobId ?? '');
}

export const pointerFiles = {
  owedPrefix: 'pointer-owed-',
  owed: (id: string) => `pointer-owed-${id}.json`,
  ofJob: (jobId: string) => `pointer-job-${hashOf(jobId)}.json`,
} as const;

/**
 * The pointers of this user's runs, in a small file each, so that windows never overwrite each other's. If the
 * storage isn't writable, they exist only in this window; the run records are still there.
 */
export class PointerStore implements vscode.Disposable {
  readonly #owed = new Map<string, RunPointer>();
  readonly #settled = new Map<string, RunPointer>();
  /** Pointers without a file, or with an outdated one. */
  readonly #unwritten = new Set<string>();
  /** For each read in progress, the IDs of pointers changed here in the meantime. */
  readonly #readings = new Set<Set<string>>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly storage: Pick<Storage, 'list' | 'read' | 'write' | 'remove'>,
    private readonly trouble: Pick<StorageTrouble, 'guard'>,
  ) {}

  owed(): readonly RunPointer[] {
    return [...this.#owed.values()];
  }

  owedOf(id: string): RunPointer | undefined {
    return this.#owed.get(id);
  }

  owedOfJob(jobId: string): RunPointer | undefined {
    // Until a server has answered, a job is known by the ID of its prompt.
    return this.owed().find((pointer) => (pointer.jobId ?? pointer.promptId) === jobId);
  }

  async ofJob(jobId: string): Promise<RunPointer | undefined> {
    const known = this.owedOfJob(jobId) ?? this.#settled.get(jobId);
    if (known) return known;
    const text = await this.storage.read(pointerFiles.ofJob(jobId));
    if (text === undefined) return undefined;
    const { readPointer } = await import('./runPointer');
    const read = readPointer(text);
    return read?.jobId === jobId ? read : undefined;
  }

  /** A pointer that was changed here meanwhile is kept, since its file may have been read before. */
  async read(): Promise<void> {
    const newer = new Set(this.#unwritten);
    this.#readings.add(newer);
    try {
      const found = await this.#readFiles();
      if (!found) return;
      for (const id of this.#owed.keys()) if (!found.has(id) && !newer.has(id)) this.#owed.delete(id);
      for (const [id, pointer] of found) if (!newer.has(id)) this.#owed.set(id, pointer);
    } finally {
      this.#readings.delete(newer);
    }
    this.#changed.fire();
  }

  /** Never fails: an unwritable storage is reported once. */
  async put(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    const { isOwed, jobId } = pointer;
    if (isOwed) {
      this.#owed.set(id, pointer);
      this.#unwritten.add(id);
    } else {
      this.#owed.delete(id);
      this.#unwritten.delete(id);
      if (jobId !== undefined) this.#settled.set(jobId, pointer);
    }
    this.#changedHere(id);
    const { writePointer } = await import('./runPointer');
    const write = (name: string): Promise<boolean> =>
      this.trouble.guard(this.storage.write(name, writePointer(pointer)));
    if (isOwed) {
      // A change in the meantime is written, or removed, instead.
      if (this.#owed.get(id) !== pointer) return;
      const isWritten = await write(pointerFiles.owed(id));
      if (isWritten && this.#owed.get(id) === pointer) this.#unwritten.delete(id);
      return;
    }
    if (jobId !== undefined) await write(pointerFiles.ofJob(jobId));
    // The user may have asked for it again in the meantime.
    if (!this.#owed.has(id)) await this.trouble.guard(this.storage.remove(pointerFiles.owed(id)));
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) this.#settled.delete(id);
    await Promise.all(jobIds.map((id) => this.storage.remove(pointerFiles.ofJob(id))));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #changedHere(id: string): void {
    for (const newer of this.#readings) newer.add(id);
    this.#changed.fire();
  }

  /** Undefined when the storage can't be read. */
  async #readFiles(): Promise<ReadonlyMap<string, RunPointer> | undefined> {
    const listed = await this.storage.list(pointerFiles.owedPrefix).catch(() => undefined);
    const names = listed?.map(({ name }) => name).filter((name) => name.endsWith('.json'));
    if (!names) return undefined;
    const { readPointer } = await import('./runPointer');
    const pointers = new Map<string, RunPointer>();
    for (const text of await Promise.all(names.map((name) => this.storage.read(name)))) {
      const pointer = text === undefined ? undefined : readPointer(text);
      if (pointer) pointers.set(pointerId(pointer), pointer);
    }
    return pointers;
  }
}
