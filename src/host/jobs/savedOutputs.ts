import * as vscode from 'vscode';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { Storage } from '../platform/storage';

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
  readonly #storage: Storage;
  readonly #fileName: string;
  readonly #files = new Map<string, readonly SavedFile[]>();
  readonly #saving = new Set<string>();
  readonly #changed = new vscode.EventEmitter<string>();
  /** Outputs of the job with this id were saved, or their saving began or ended. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: Storage, fileName: string) {
    this.#storage = storage;
    this.#fileName = fileName;
  }

  async load(): Promise<void> {
    const text = await this.#storage.read(this.#fileName);
    for (const [jobId, files] of readStored(text)) if (!this.#files.has(jobId)) this.#files.set(jobId, files);
  }

  of(jobId: string): readonly SavedFile[] {
    return this.#files.get(jobId) ?? [];
  }

  find(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.of(jobId).find((saved) => sameFile(saved.file, file))?.uri;
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
    const others = this.of(jobId).filter((known) => !files.some((added) => sameFile(known.file, added.file)));
    this.#files.set(jobId, [...others, ...files]);
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

  #write(): Promise<void> {
    const stored = [...this.#files].map(([jobId, files]): [string, StoredFile[]] => [
      jobId,
      files.map(({ file, uri }) => ({ file, uri: uri.toString() })),
    ]);
    return this.#storage.write(this.#fileName, JSON.stringify(stored));
  }
}

function sameFile(one: OutputFile, other: OutputFile): boolean {
  return (
    one.filename === other.filename &&
    one.subfolder === other.subfolder &&
    one.area === other.area &&
    one.nodeId === other.nodeId
  );
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
