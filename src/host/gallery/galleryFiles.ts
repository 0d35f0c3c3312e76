import { isRecordName } from '../../core/outputs/recordName';
import * as vscode from 'vscode';
import { GalleryIndex } from '../../core/gallery/galleryIndex';
import type { GalleryRow } from '../../core/gallery/galleryRow';
import { coalesce } from '../../core/jobs/coalesce';
import { NodeFolder } from '../../core/outputs/nodeFolder';

/** Records of the first screen, which are shown before all others are read. */
const firstPage = 50;
/** Records per page after that. */
const pageSize = 500;
/** Changes on disk are read at most this often (ms): a run writes its record several times. */
const refreshEvery = 1_000;

/** The outputs in some folders, kept up to date while someone listens. */
export class GalleryFiles implements vscode.Disposable {
  readonly folders: readonly vscode.Uri[];
  readonly #index: GalleryIndex;
  readonly #changed = new vscode.EventEmitter<void>();
  /** More outputs are known, or some are gone. */
  readonly onDidChange = this.#changed.event;
  readonly #onError: (error: unknown) => void;
  readonly #refresh: ReturnType<typeof coalesce>;
  readonly #subscriptions: vscode.Disposable[] = [];
  /** `folder/record` of what may have changed. */
  #touched = new Set<string>();
  #work: Promise<void> = Promise.resolve();
  #reading = true;
  #isClosed = false;

  constructor(folders: readonly vscode.Uri[], onError: (error: unknown) => void) {
    this.folders = folders;
    this.#onError = onError;
    this.#index = new GalleryIndex(folders.map(({ fsPath }) => new NodeFolder(fsPath)));
    this.#refresh = coalesce(() => this.#then(() => this.#readChanges()), refreshEvery);
    for (const [index, folder] of folders.entries()) {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
      const note = (uri: vscode.Uri): void => {
        const name = uri.path.split('/').at(-1) ?? '';
        if (isRecordName(name)) this.#touched.add(`${index}/${name}`);
        this.#refresh();
      };
      this.#subscriptions.push(
        watcher,
        watcher.onDidCreate(note),
        watcher.onDidChange(note),
        watcher.onDidDelete(note),
      );
    }
    this.#then(() => this.#readAll());
  }

  get rows(): readonly GalleryRow[] {
    return this.#index.rows;
  }

  get isReading(): boolean {
    return this.#reading;
  }

  get isCut(): boolean {
    return this.#index.isCut;
  }

  get unread(): number {
    return this.#index.unread;
  }

  uriOf({ folder }: GalleryRow, name: string): vscode.Uri | undefined {
    const root = this.folders[folder];
    return root && vscode.Uri.joinPath(root, name);
  }

  /** Something was saved or removed. */
  noteChange(): void {
    this.#refresh();
  }

  dispose(): void {
    this.#isClosed = true;
    this.#refresh.cancel();
    this.#changed.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch(this.#onError);
  }

  async #readAll(): Promise<void> {
    const pages = this.#index.read(firstPage, pageSize);
    while ((await pages.next()).done !== true && !this.#isClosed) this.#tell();
    this.#reading = false;
    this.#tell();
  }

  async #readChanges(): Promise<void> {
    if (this.#isClosed) return;
    const touched = this.#touched;
    this.#touched = new Set();
    await this.#index.refresh(({ folder, record }) => touched.has(`${folder}/${record}`));
    this.#tell();
  }

  #tell(): void {
    if (!this.#isClosed) this.#changed.fire();
  }
}
