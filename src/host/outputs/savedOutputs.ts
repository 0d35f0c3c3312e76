import path from 'node:path';
import * as vscode from 'vscode';
import type { Fingerprint } from '../../core/outputs/outputFolder';
import type { SavedOutput } from '../../core/outputs/savedOutput';
import type { OutputFile } from '../../core/protocol/outputFile';
import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import { WriterFiles } from '../platform/writerFiles';

/** What is stored about a saved output. */
export type SavedFile = Pick<SavedOutput, 'file' | 'location'> & {
  readonly [Fact in keyof Fingerprint]?: Fingerprint[Fact] | undefined;
};

/** The saved files of jobs, as the Jobs view shows them. */
export interface SavedFiles {
  find(jobId: string, file: OutputFile): vscode.Uri | undefined;
  fileOf(jobId: string, file: OutputFile): SavedFile | undefined;
  isSaving(jobId: string): boolean;
  /** Outputs of this job were saved, or saving started or ended. */
  readonly onDidChange: vscode.Event<string>;
}

/** Where each job's outputs were saved; kept across restarts. */
export class SavedOutputs implements SavedFiles, vscode.Disposable {
  readonly #parts: WriterFiles;
  readonly #trouble: StorageTrouble;
  readonly #files = new Map<string, readonly SavedFile[]>();
  /** Saved by others on this machine: their records remember it. */
  readonly #shown = new Map<string, readonly SavedFile[]>();
  readonly #keyed = new WeakMap<readonly SavedFile[], ReadonlyMap<string, SavedFile>>();
  readonly #saving = new Set<string>();
  readonly #changed = new vscode.EventEmitter<string>();
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
    return this.#files.get(jobId) ?? this.#shown.get(jobId) ?? none;
  }

  find(jobId: string, file: OutputFile): vscode.Uri | undefined {
    const saved = this.fileOf(jobId, file);
    return saved && vscode.Uri.file(saved.location);
  }

  fileOf(jobId: string, file: OutputFile): SavedFile | undefined {
    return this.#byKey(this.of(jobId)).get(keyOf(file));
  }

  isSaving(jobId: string): boolean {
    return this.#saving.has(jobId);
  }

  /** Folders with saved outputs. */
  folders(): readonly vscode.Uri[] {
    const folders = [...this.#files.values()].flat().map(({ location }) => path.dirname(location));
    return Array.from(new Set(folders), (folder) => vscode.Uri.file(folder));
  }

  /** Marks a job as being saved during the work. */
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

  /** Files that a run record names, saved by the command line. Not written: the record stays the only memory of it. */
  show(jobId: string, files: readonly SavedFile[]): void {
    this.#shown.set(jobId, files);
    this.#changed.fire(jobId);
  }

  async add(jobId: string, files: readonly SavedFile[]): Promise<void> {
    const remembered = files.map(({ file, location, bytes, sha256 }) => ({ file, location, bytes, sha256 }));
    const added = this.#byKey(remembered);
    const others = this.of(jobId).filter((known) => !added.has(keyOf(known.file)));
    this.#files.set(jobId, [...others, ...remembered]);
    this.#changed.fire(jobId);
    await this.#write();
  }

  /** Some of a job's files were deleted from disk. */
  async without(jobId: string, gone: readonly SavedFile[]): Promise<void> {
    this.#files.set(
      jobId,
      this.of(jobId).filter((file) => !gone.includes(file)),
    );
    this.#changed.fire(jobId);
    await this.#write();
  }

  /** Forgets where the jobs' outputs are; the files stay. */
  async forget(jobIds: readonly string[]): Promise<void> {
    for (const id of jobIds) this.#shown.delete(id);
    const known = jobIds.filter((id) => this.#files.delete(id));
    if (known.length > 0) await this.#write();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** A job may have thousands of outputs, and each row asks. */
  #byKey(files: readonly SavedFile[]): ReadonlyMap<string, SavedFile> {
    const known = this.#keyed.get(files);
    if (known) return known;
    const keyed = new Map(files.map((saved) => [keyOf(saved.file), saved]));
    this.#keyed.set(files, keyed);
    return keyed;
  }

  /** The outputs are on disk, so a failed write to the storage doesn't fail the save. */
  async #write(): Promise<void> {
    const newest = [...this.#files].slice(-budgets.jobsWithSavedOutputs);
    await this.#trouble.guard(this.#parts.write(JSON.stringify(newest)));
  }
}

const none: readonly SavedFile[] = [];

function keyOf({ filename, subfolder, area, nodeId }: OutputFile): string {
  return JSON.stringify([filename, subfolder, area, nodeId]);
}

/** Our own file, but a crash or another version may have left it in any state: invalid entries are dropped. */
function readStored(text: string | undefined): [string, SavedFile[]][] {
  if (text === undefined) return [];
  try {
    const stored = JSON.parse(text) as [string, SavedFile[]][];
    return stored.map(([jobId, files]) => [
      jobId,
      files.filter(({ location }: Partial<SavedFile>) => location !== undefined && path.isAbsolute(location)),
    ]);
  } catch {
    return [];
  }
}
