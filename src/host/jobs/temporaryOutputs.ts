import path from 'node:path';
import * as vscode from 'vscode';
import type { OutputSource } from '../../core/outputs/downloadOutput';
import type { TemporaryFiles } from '../../core/outputs/temporaryFiles';
import type { OutputFile } from '../../core/protocol/outputFile';

/** Temporary outputs that are shown and not saved: they go with the window. */
export class TemporaryOutputs implements vscode.Disposable {
  readonly #parent: string;
  readonly #changed = new vscode.EventEmitter<string>();
  /** Outputs of the job with this id came or went, or their fetching began or ended. */
  readonly onDidChange = this.#changed.event;
  /** Made when the first is fetched. */
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

  /** Where they are, of whatever window: known before the first is fetched. */
  get folder(): vscode.Uri {
    return vscode.Uri.file(this.#parent);
  }

  /** The preview shows this output now. */
  look(jobId: string, file: OutputFile | undefined): void {
    this.#shown = { jobId, file };
  }

  /** The output of the job that the preview shows: it is fetched before the others. */
  shownOf(jobId: string): OutputFile | undefined {
    return this.#shown?.jobId === jobId ? this.#shown.file : undefined;
  }

  /** @throws the first failure, once the others are here */
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
