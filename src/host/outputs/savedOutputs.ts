import path from 'node:path';
import * as vscode from 'vscode';
import type { Fingerprint } from '../../core/outputs/outputFolder';
import type { SavedOutput } from '../../core/outputs/expectedFile';
import type { OutputFile } from '../../core/protocol/outputFile';

export type SavedFile = Pick<SavedOutput, 'file' | 'location'> & {
  readonly [Fact in keyof Fingerprint]?: Fingerprint[Fact] | undefined;
};

export class SavedOutputs implements vscode.Disposable {
  readonly #files = new Map<string, readonly SavedFile[]>();
  readonly #keyed = new WeakMap<readonly SavedFile[], ReadonlyMap<string, SavedFile>>();
  readonly #saving = new Set<string>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;

  of(jobId: string): readonly SavedFile[] {
    return this.#files.get(jobId) ?? none;
  }

  /** All files by job, in the order in which they became known. */
  all(): ReadonlyMap<string, readonly SavedFile[]> {
    return this.#files;
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

  put(jobId: string, files: readonly SavedFile[]): void {
    const known = this.of(jobId);
    const isSame = known.length === files.length && files.every((each) => this.#isKnown(jobId, each));
    if (isSame) return;
    const remembered = files.map(({ file, location, bytes, sha256 }) => ({ file, location, bytes, sha256 }));
    if (remembered.length === 0) this.#files.delete(jobId);
    else this.#files.set(jobId, remembered);
    this.#changed.fire(jobId);
  }

  add(jobId: string, files: readonly SavedFile[]): void {
    const added = this.#byKey(files);
    this.put(jobId, [...this.of(jobId).filter(({ file }) => !added.has(keyOf(file))), ...files]);
  }

  forget(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#files.delete(id);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #isKnown(jobId: string, { file, location, sha256 }: SavedFile): boolean {
    const known = this.fileOf(jobId, file);
    return known?.location === location && known.sha256 === sha256;
  }

  /** A job may have thousands of outputs, and each row asks for its own. */
  #byKey(files: readonly SavedFile[]): ReadonlyMap<string, SavedFile> {
    const known = this.#keyed.get(files);
    if (known) return known;
    const keyed = new Map(files.map((saved) => [keyOf(saved.file), saved]));
    this.#keyed.set(files, keyed);
    return keyed;
  }
}

const none: readonly SavedFile[] = [];

function keyOf({ filename, subfolder, area, nodeId }: OutputFile): string {
  return JSON.stringify([filename, subfolder, area, nodeId]);
}

/** Reads what was stored. A crash or another version may have left anything there, so invalid entries are dropped. */
export function readSavedFiles(value: unknown): [jobId: string, files: readonly SavedFile[]][] {
  const entries = Array.isArray(value) ? (value as unknown[]) : [];
  return entries.flatMap((entry): [string, SavedFile[]][] => {
    const [jobId, files] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const saved = Array.isArray(files) ? files.filter(isSavedFile) : [];
    return typeof jobId === 'string' && saved.length > 0 ? [[jobId, saved]] : [];
  });
}

function isSavedFile(value: unknown): value is SavedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { file, location } = value as Partial<SavedFile>;
  return typeof file?.filename === 'string' && typeof location === 'string' && path.isAbsolute(location);
}
