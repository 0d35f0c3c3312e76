import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { progressEnding } from '../../core/batch/batchEndings';
import type { OutputPlaces } from '../outputs/outputPlace';
import type { SavedOutputs } from '../outputs/savedOutputs';

/** Changes on disk are told at most this often (ms): a run writes its record several times. */
const tellEvery = 1_000;
/** Batches, their run records, and the locks that tell whether someone runs them. */
const pattern = `{*${progressEnding},*.run.json,.comfy-deck-*.lock}`;

/** The output folders of the workspace, and what happens to batches there: others start and run them too. */
export class BatchFolders implements vscode.Disposable {
  readonly #places: Pick<OutputPlaces, 'expected'>;
  readonly #saved: Pick<SavedOutputs, 'load' | 'folders'>;
  readonly #watched = new Map<string, vscode.Disposable>();
  readonly #tell: ReturnType<typeof coalesce>;
  #touched = new Map<string, vscode.Uri>();
  #loading: Promise<void> | undefined;

  /** @param changed files that were written or removed since the last call */
  constructor(
    places: Pick<OutputPlaces, 'expected'>,
    saved: Pick<SavedOutputs, 'load' | 'folders'>,
    changed: (files: readonly vscode.Uri[]) => void,
  ) {
    this.#places = places;
    this.#saved = saved;
    this.#tell = coalesce(() => {
      const files = [...this.#touched.values()];
      this.#touched = new Map();
      changed(files);
    }, tellEvery);
  }

  /** As far as known now. From then on they are watched. */
  async all(): Promise<readonly vscode.Uri[]> {
    this.#loading ??= this.#saved.load();
    await this.#loading;
    const folders = [...this.#places.expected(), ...this.#saved.folders()];
    const byPath = new Map(folders.map((folder) => [folder.fsPath, folder]));
    for (const [path, folder] of byPath)
      if (!this.#watched.has(path)) this.#watched.set(path, this.#watch(folder));
    return [...byPath.values()];
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
