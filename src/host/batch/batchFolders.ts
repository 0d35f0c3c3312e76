import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { progressEnding } from '../../core/batch/batchEndings';
import type { OutputPlaces } from '../outputs/outputPlace';

/** Changes on disk are told at most this often (ms): a run writes its record several times. */
const tellEvery = 1_000;
/** Batches, their run records, and the locks that tell whether someone runs them. */
const pattern = `{*${progressEnding},*.run.json,.comfy-deck-*.lock}`;

/** The output folders of the workspace, and what happens to batches there: others start and run them too. */
export class BatchFolders implements vscode.Disposable {
  readonly #places: Pick<OutputPlaces, 'all'>;
  readonly #ready: () => Promise<void>;
  readonly #watched = new Map<string, vscode.Disposable>();
  readonly #tell: ReturnType<typeof coalesce>;
  #touched = new Map<string, vscode.Uri>();

  /**
   * @param ready it is known where earlier runs wrote to
   * @param changed files that were written or removed since the last call
   */
  constructor(
    places: Pick<OutputPlaces, 'all'>,
    ready: () => Promise<void>,
    changed: (files: readonly vscode.Uri[]) => void,
  ) {
    this.#places = places;
    this.#ready = ready;
    this.#tell = coalesce(() => {
      const files = [...this.#touched.values()];
      this.#touched = new Map();
      changed(files);
    }, tellEvery);
  }

  /** As far as known now. From then on they are watched. */
  async all(): Promise<readonly vscode.Uri[]> {
    await this.#ready();
    const folders = this.#places.all();
    for (const folder of folders)
      if (!this.#watched.has(folder.fsPath)) this.#watched.set(folder.fsPath, this.#watch(folder));
    return folders;
  }

  /** Whether a batch was started in one of them: what that takes to list is not loaded otherwise. */
  async haveBatches(): Promise<boolean> {
    for (const { fsPath } of await this.all()) {
      const names = await readdir(fsPath).catch(() => []);
      if (names.some((name) => name.endsWith(progressEnding))) return true;
    }
    return false;
  }

  dispose(): void {
    this.#tell.cancel();
    for (const each of this.#watched.values()) each.dispose();
  }

  #watch(folder: vscode.Uri): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
    const note = (file: vscode.Uri): void => {
      this.#touched.set(file.toString(), file);
      this.#tell();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(note),
      watcher.onDidChange(note),
      watcher.onDidDelete(note),
    );
  }
}
