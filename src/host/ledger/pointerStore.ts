import * as vscode from 'vscode';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import type { RunPointer } from './runPointer';
import { createHash } from 'node:crypto';

/** Why a run can't be completed now. */
export interface RunTrouble {
  readonly kind: 'server' | 'disk' | 'notSeen';
  /** One sentence; may contain a server's message. */
  readonly words: string;
}

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

export function writePointer(pointer: RunPointer): string {
  return JSON.stringify({ format: 1, ...pointer });
}

/**
 * The pointers of this user's runs, in a small file each, so that windows never overwrite each other's. If the
 * storage isn't writable, they exist only in this window; the run records are still there.
 */
export class PointerStore implements vscode.Disposable {
  readonly #owed = new Map<string, RunPointer>();
  readonly #troubles = new Map<string, RunTrouble>();
  /** Pointers without a file, or with an outdated one. */
  readonly #unwritten = new Set<string>();
  /** IDs of pointers that were changed here since the last read began. */
  #newer = new Set<string>();
  #reading: Promise<void> = Promise.resolve();
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

  /** Also of a run whose outputs are on disk, or lost. */
  async ofJob(jobId: string): Promise<RunPointer | undefined> {
    const pointer = this.owedOfJob(jobId) ?? (await this.#readFile(pointerFiles.ofJob(jobId)));
    return (pointer?.jobId ?? pointer?.promptId) === jobId ? pointer : undefined;
  }

  /** As this window found out. */
  troubleOf(pointer: RunPointer): RunTrouble | undefined {
    return this.#troubles.get(pointerId(pointer));
  }

  /** Does nothing for a run that is no longer owed. */
  setTrouble(pointer: RunPointer, trouble: RunTrouble | undefined): void {
    const id = pointerId(pointer);
    if (!this.#owed.has(id) || this.#troubles.get(id)?.words === trouble?.words) return;
    if (trouble) this.#troubles.set(id, trouble);
    else this.#troubles.delete(id);
    this.#changed.fire();
  }

  /** A pointer that was changed here meanwhile is kept, since its file may have been read before. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readFiles());
    return this.#reading;
  }

  /** Never fails: an unwritable storage is reported once. */
  async put(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    this.#owed.set(id, pointer);
    this.#unwritten.add(id);
    this.#changedHere(id);
    const isWritten = await this.#write(pointerFiles.owed(id), pointer);
    if (isWritten && this.#owed.get(id) === pointer) this.#unwritten.delete(id);
  }

  /** Nothing is owed any more. Never fails. */
  async settle(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    this.#owed.delete(id);
    this.#unwritten.delete(id);
    this.#changedHere(id);
    const { jobId, batch } = pointer;
    if (jobId !== undefined && batch === undefined) await this.#write(pointerFiles.ofJob(jobId), pointer);
    // The user may have asked for it again in the meantime.
    if (!this.#owed.has(id)) await this.trouble.guard(this.storage.remove(pointerFiles.owed(id)));
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    await Promise.all(jobIds.map((id) => this.storage.remove(pointerFiles.ofJob(id))));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #changedHere(id: string): void {
    this.#newer.add(id);
    this.#troubles.delete(id);
    this.#changed.fire();
  }

  #write(name: string, pointer: RunPointer): Promise<boolean> {
    return this.trouble.guard(this.storage.write(name, writePointer(pointer)));
  }

  async #readFiles(): Promise<void> {
    this.#newer = new Set(this.#unwritten);
    const files = await this.storage.list(pointerFiles.owedPrefix).catch(() => undefined);
    if (!files) return;
    const names = files.map(({ name }) => name).filter((name) => name.endsWith('.json'));
    const read = await Promise.all(names.map((name) => this.#readFile(name)));
    const found = new Map(
      read.flatMap((pointer) => (pointer ? [[pointerId(pointer), pointer] as const] : [])),
    );
    for (const id of this.#owed.keys()) if (!found.has(id) && !this.#newer.has(id)) this.#owed.delete(id);
    for (const [id, pointer] of found) if (!this.#newer.has(id)) this.#owed.set(id, pointer);
    this.#changed.fire();
  }

  async #readFile(name: string): Promise<RunPointer | undefined> {
    const text = await this.storage.read(name);
    return text === undefined ? undefined : (await import('./runPointer')).readPointer(text);
  }
}
