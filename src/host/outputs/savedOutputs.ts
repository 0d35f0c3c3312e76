import * as vscode from 'vscode';
import { jobFileKey } from '../../core/jobs/jobOutputs';
import type { SavedOutput } from '../../core/outputs/expectedFile';
import type { OutputFile } from '../../core/protocol/outputFile';

/** The outputs of jobs that are on disk, as run records and this window's own runs say. */
export class SavedOutputs implements vscode.Disposable {
  readonly #files = new Map<string, ReadonlyMap<string, SavedOutput>>();
  readonly #saving = new Set<string>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;

  of(jobId: string): readonly SavedOutput[] {
    return [...(this.#files.get(jobId)?.values() ?? [])];
  }

  find(jobId: string, file: OutputFile): vscode.Uri | undefined {
    const saved = this.fileOf(jobId, file);
    return saved && vscode.Uri.file(saved.location);
  }

  fileOf(jobId: string, file: OutputFile): SavedOutput | undefined {
    return this.#files.get(jobId)?.get(jobFileKey(file));
  }

  isSaving(jobId: string): boolean {
    return this.#saving.has(jobId);
  }

  setSaving(jobId: string, isSaving: boolean): void {
    if (isSaving === this.isSaving(jobId)) return;
    if (isSaving) this.#saving.add(jobId);
    else this.#saving.delete(jobId);
    this.#changed.fire(jobId);
  }

  put(jobId: string, files: readonly SavedOutput[]): void {
    const isKnown = (saved: SavedOutput): boolean => {
      const known = this.fileOf(jobId, saved.file);
      return known?.location === saved.location && known.sha256 === saved.sha256;
    };
    if (this.of(jobId).length === files.length && files.every(isKnown)) return;
    this.#files.set(jobId, new Map(files.map((saved) => [jobFileKey(saved.file), saved])));
    this.#changed.fire(jobId);
  }

  add(jobId: string, files: readonly SavedOutput[]): void {
    const all = [...this.of(jobId), ...files].map((saved) => [jobFileKey(saved.file), saved] as const);
    this.put(jobId, [...new Map(all).values()]);
  }

  forget(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#files.delete(id);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
