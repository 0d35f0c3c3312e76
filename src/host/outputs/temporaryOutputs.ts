import path from 'node:path';
import * as vscode from 'vscode';
import { endedWithin } from '../../core/client/timing';
import type { Job } from '../../core/jobs/job';
import type { OutputSource } from '../../core/outputs/downloadOutput';
import { filesNotSaved, filesWorthSaving, isTemporary } from '../../core/outputs/outputNames';
import type { TemporaryFiles } from '../../core/outputs/temporaryFiles';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { RunStore } from '../../core/runLife/runStore';
import { jobSourceUri, savesTemporary } from './savingShown';

/** How long saving waits for an output that is viewed but not saved, ms. */
const headStart = 3_000;

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

  /** Fetches what of a job is shown but not saved. What can't be fetched stays on the server and isn't owed. */
  async fetchMissing(
    job: Job,
    runs: Pick<RunStore, 'fileOf'>,
    source: OutputSource,
    signal: AbortSignal,
  ): Promise<void> {
    const files = filesNotSaved(job, savesTemporary(jobSourceUri(job)));
    const missing = files.filter((file) => !runs.fileOf(job.id, file));
    await this.fetch(job.id, missing, source, signal);
  }

  /** Fetches the output in view before others are saved, if it is only shown. Saving doesn't wait long for it. */
  async fetchViewed(job: Job, source: OutputSource, signal: AbortSignal): Promise<void> {
    const viewed = this.shownOf(job.id);
    if (!viewed || !isTemporary(viewed)) return;
    if (filesWorthSaving(job, savesTemporary(jobSourceUri(job))).includes(viewed)) return;
    // The others are fetched later, with this one if it failed now.
    const fetching = this.fetch(job.id, [viewed], source, signal).catch(() => undefined);
    await endedWithin(fetching, headStart, signal).catch(() => undefined);
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
