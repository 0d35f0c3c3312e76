import path from 'node:path';
import * as vscode from 'vscode';
import type { OutputSource } from '../../core/outputs/downloadOutput';
import type { TemporaryFiles } from '../../core/outputs/temporaryFiles';
import type { OutputFile } from '../../core/protocol/outputFile';

/** Temporary outputs that are shown but not saved: they are removed with the window. */
export class TemporaryOutputs implements vscode.Disposable {
  readonly #parent: string;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  #files: Promise<TemporaryFiles> | undefined;
  #made: TemporaryFiles | undefined;
  #shown: { readonly jobId: string; readonly file: OutputFile | undefined } | undefined;

  constructor(storage: vscode.Uri) {
    this.#parent = path.join(storage.fsPath, 'temporary');
  }

  find(jobId: string, file: OutputFile): vscode.Uri | undefined {
    const found = this.#made?.find(jobId, file);
    return found === undefined ? undefined : vscode.Uri.file(found);
  }

  isFetching(jobId: string): boolean {
    return this.#made?.isFetching(jobId) === true;
  }

  /** The folder of all windows, known before the first output is fetched. */
  get folder(): vscode.Uri {
    return vscode.Uri.file(this.#parent);
  }

  look(jobId: string, file: OutputFile | undefined): void {
    this.#shown = { jobId, file };
  }

  shownOf(jobId: string): OutputFile | undefined {
    return this.#shown?.jobId === jobId ? this.#shown.file : undefined;
  }

  /** @throws the first failure, once the others are done */
  async fetch(
    jobId: string,
    files: readonly OutputFile[],
    source: OutputSource,
    signal: AbortSignal,
  ): Promise<void> {
    if (files.length === 0) return;
    this.#files ??= this.#make();
    await (await this.#files).fetch(jobId, files, source, signal);
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    await this.#made?.forget(jobIds);
  }

  async close(): Promise<void> {
    await this.#made?.close();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #make(): Promise<TemporaryFiles> {
    const { TemporaryFiles: Files } = await import('../../core/outputs/temporaryFiles');
    return (this.#made = new Files(this.#parent, (jobId) => this.#changed.fire(jobId)));
  }
}
