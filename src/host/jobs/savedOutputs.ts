import * as vscode from 'vscode';
import type { OutputFile } from '../../core/protocol/outputFile';
import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import { WriterFiles } from '../platform/writerFiles';

/** An output that lies on disk. */
export interface SavedFile {
  readonly file: OutputFile;
  readonly uri: vscode.Uri;
}

/** What is written to the storage per job. */
interface StoredFile {
  readonly file: OutputFile;
  readonly uri: string;
}

/** Where the outputs of each job were saved; remembered over restarts. */
export class SavedOutputs implements vscode.Disposable {
  readonly #parts: WriterFiles;
  readonly #trouble: StorageTrouble;
  readonly #files = new Map<string, readonly SavedFile[]>();
  readonly #keyed = new WeakMap<readonly SavedFile[], ReadonlyMap<string, SavedFile>>();
  readonly #saving = new Set<string>();
  readonly #changed = new vscode.EventEmitter<string>();
  /** Outputs of the job with this id were saved, or their saving began or ended. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: Storage, fileName: string, trouble: StorageTrouble) {
    this.#parts = new WriterFiles(storage, fileName);
    this.#trouble = trouble;
  }

  async load(): Promise<void> {
    for (const text of await this.#parts.read()) {
      for (const [jobId, files] of readStored(text)) {
        if (!this.#files.has(jobId)) this.#files.set(jobId, files);
      }
    }
  }

  of(jobId: string): readonly SavedFile[] {
    return this.#files.get(jobId) ?? none;
  }

  find(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.#byKey(this.of(jobId)).get(keyOf(file))?.uri;
  }

  isSaving(jobId: string): boolean {
    return this.#saving.has(jobId);
  }

  /** Folders that hold saved outputs. */
  folders(): readonly vscode.Uri[] {
    const folders = new Map<string, vscode.Uri>();
    for (const { uri } of [...this.#files.values()].flat()) {
      const folder = vscode.Uri.joinPath(uri, '..');
      folders.set(folder.toString(), folder);
    }
    return [...folders.values()];
  }

  /** Marks a job as being saved while the work goes on. */
  async whileSaving<T>(jobId: string, work: () => Promise<T>): Promise<T> {
    this.#saving.add(jobId);
    this.#changed.fire(jobId);
    try {
      return await work();
    } finally {
      this.#saving.delete(jobId);
      this.#changed.fire(jobId);
    }
  }

  async add(jobId: string, files: readonly SavedFile[]): Promise<void> {
    const added = this.#byKey(files);
    const others = this.of(jobId).filter((known) => !added.has(keyOf(known.file)));
    this.#files.set(jobId, [...others, ...files]);
    this.#changed.fire(jobId);
    await this.#write();
  }

  /** Some of a job's files are gone from the disk. */
  async without(jobId: string, gone: readonly SavedFile[]): Promise<void> {
    this.#files.set(
      jobId,
      this.of(jobId).filter((file) => !gone.includes(file)),
    );
    this.#changed.fire(jobId);
    await this.#write();
  }

  /** Forgets where the outputs of jobs are; the files stay. */
  async forget(jobIds: readonly string[]): Promise<void> {
    const known = jobIds.filter((id) => this.#files.delete(id));
    if (known.length > 0) await this.#write();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** A job may have thousands of outputs, and each of their rows asks. */
  #byKey(files: readonly SavedFile[]): ReadonlyMap<string, SavedFile> {
    const known = this.#keyed.get(files);
    if (known) return known;
    const keyed = new Map(files.map((saved) => [keyOf(saved.file), saved]));
    this.#keyed.set(files, keyed);
    return keyed;
  }

  /** The outputs are on disk, and so is what they are: a storage that cannot be written ends no saving. */
  async #write(): Promise<void> {
    const newest = [...this.#files].slice(-budgets.jobsWithSavedOutputs);
    const stored = newest.map(([jobId, files]): [string, StoredFile[]] => [
      jobId,
      files.map(({ file, uri }) => ({ file, uri: uri.toString() })),
    ]);
    await this.#trouble.guard(this.#parts.write(JSON.stringify(stored)));
  }
}

const none: readonly SavedFile[] = [];

function keyOf({ filename, subfolder, area, nodeId }: OutputFile): string {
  return JSON.stringify([filename, subfolder, area, nodeId]);
}

/** Our own file, yet one that a crash or another version may have left in any state: what makes no sense is dropped. */
function readStored(text: string | undefined): [string, SavedFile[]][] {
  if (text === undefined) return [];
  try {
    const stored = JSON.parse(text) as [string, StoredFile[]][];
    return stored.map(([jobId, files]) => [
      jobId,
      files.map(({ file, uri }) => ({ file, uri: vscode.Uri.parse(uri, true) })),
    ]);
  } catch {
    return [];
  }
}
