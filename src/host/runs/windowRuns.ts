import path from 'node:path';
import * as vscode from 'vscode';
import type { JobStore } from '../../core/jobs/jobStore';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { RunPlace } from '../../core/runLife/run';
import { RunPointers } from '../../core/runLife/runPointers';
import type { RunStore } from '../../core/runLife/runStore';
import { OutputPlaces } from '../outputs/outputPlace';
import { TemporaryOutputs } from '../outputs/temporaryOutputs';
import type { Platform } from '../platform/platform';
import type { Servers } from '../servers/servers';
import type { Attempts } from './attempts';
import { RunDiagnostics } from './runDiagnostics';
import { RunFolders, storedList } from './runFolders';

/** The runs of this window: where they are, what a person reads of them, and what this user's pointers say. */
export class WindowRuns {
  readonly places = new OutputPlaces();
  readonly diagnostics: RunDiagnostics;
  readonly temporary: TemporaryOutputs;
  readonly pointers: RunPointers;
  readonly folders: RunFolders;
  #loading: Promise<Attempts> | undefined;
  #attempts: Attempts | undefined;

  constructor(
    readonly platform: Platform,
    readonly servers: Servers,
    readonly store: JobStore,
    readonly runs: RunStore,
  ) {
    const { storage, storageTrouble: trouble, context, log } = platform;
    this.diagnostics = platform.own(new RunDiagnostics());
    this.temporary = platform.own(new TemporaryOutputs(context.globalStorageUri));
    this.pointers = new RunPointers(storage, trouble);
    const { places, pointers } = this;
    const list = storedList(platform);
    this.folders = platform.own(
      new RunFolders({ list, trouble, tracked: store, runs, places, pointers, log }),
    );
  }

  /** Resolves when the jobs and outputs of earlier windows are known. */
  ready(): Promise<void> {
    return this.folders.whenListed();
  }

  /** Loaded with the first run. */
  attempts(): Promise<Attempts> {
    this.#loading ??= import('./attempts').then(({ Attempts }) => (this.#attempts = new Attempts(this)));
    return this.#loading;
  }

  isLocked({ folder, record }: RunPlace): boolean {
    return this.#attempts?.work.isLocked(path.join(folder, record)) === true;
  }

  savedUri(jobId: string, file: OutputFile): vscode.Uri | undefined {
    const found = this.runs.fileOf(jobId, file);
    return found && vscode.Uri.file(found.location);
  }

  /** An output on disk, if only for this window. */
  outputUri(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.savedUri(jobId, file) ?? this.temporary.find(jobId, file);
  }

  async close(): Promise<void> {
    const left = this.#loading?.then((attempts) => attempts.close());
    await Promise.allSettled([left, this.folders.close(), this.temporary.close()]);
  }

  /** If the window is not closed before, jobs still go on. */
  dispose(): void {
    void this.#attempts?.close();
  }
}
