import * as vscode from 'vscode';
import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';
import { readMusic, type BegunMusic, type StoredMusic, type Track } from './track';

/**
 * Everything that was made in this workspace, newest first, remembered over restarts. A deleted track stays on disk
 * until another one is deleted or the panel is closed: so long it can come back. What is being made is noted too, so
 * that nothing that was paid for is lost without a word when the window goes.
 */
export class MusicHistory implements vscode.Disposable {
  readonly #storage: Storage;
  readonly #fileName: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #tracks: readonly Track[] = [];
  #deleted: Track | undefined;
  #begun: BegunMusic | undefined;
  #loaded: Promise<void> | undefined;

  constructor(storage: Storage, fileName: string) {
    this.#storage = storage;
    this.#fileName = fileName;
  }

  /** Reads the history once. A deletion that a closed window left open is carried out. */
  load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  get tracks(): readonly Track[] {
    return this.#tracks;
  }

  /** The track that can come back. */
  get deleted(): Track | undefined {
    return this.#deleted;
  }

  /** What was begun and has not been ended, in this window or before it was loaded. */
  get begun(): BegunMusic | undefined {
    return this.#begun;
  }

  /** Resolves when it is on disk that this is being made. */
  async begin(music: BegunMusic): Promise<void> {
    await this.load();
    this.#begun = music;
    await this.#keep();
  }

  /** What was begun is on disk now, or nobody wants it any more. */
  async end(): Promise<void> {
    if (!this.#begun) return;
    this.#begun = undefined;
    await this.#keep();
  }

  find(id: string): Track | undefined {
    return this.#tracks.find((track) => track.id === id);
  }

  /** @param tracks of one generation, the first variant first */
  async add(tracks: readonly Track[]): Promise<void> {
    this.#tracks = [...tracks, ...this.#tracks].slice(0, budgets.tracks);
    await this.#keep();
  }

  async setPeaks(id: string, peaks: readonly number[]): Promise<void> {
    this.#tracks = this.#tracks.map((track) => (track.id === id ? { ...track, peaks } : track));
    await this.#keep();
  }

  /** Takes a track out of the list; the one that was deleted before is gone for good now. */
  async delete(id: string): Promise<void> {
    const track = this.find(id);
    if (!track) return;
    const before = this.#deleted;
    this.#tracks = this.#tracks.filter((other) => other !== track);
    this.#deleted = track;
    await this.#keep();
    if (before) await this.#remove(before);
  }

  async undo(): Promise<void> {
    const track = this.#deleted;
    if (!track) return;
    this.#deleted = undefined;
    const place = this.#tracks.findIndex(({ createdAt }) => createdAt < track.createdAt);
    this.#tracks = place < 0 ? [...this.#tracks, track] : this.#tracks.toSpliced(place, 0, track);
    await this.#keep();
  }

  /** Nobody can ask for the deleted track any more. */
  async settle(): Promise<void> {
    const track = this.#deleted;
    if (!track) return;
    this.#deleted = undefined;
    await this.#keep();
    await this.#remove(track);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #read(): Promise<void> {
    const { tracks, deleted, begun } = readMusic(await this.#storage.read(this.#fileName));
    this.#tracks = [...this.#tracks, ...tracks];
    this.#deleted ??= deleted;
    this.#begun = begun;
    await this.settle();
    this.#changed.fire();
  }

  async #keep(): Promise<void> {
    this.#changed.fire();
    const stored: StoredMusic = { tracks: this.#tracks, deleted: this.#deleted, begun: this.#begun };
    await this.#storage.write(this.#fileName, JSON.stringify(stored));
  }

  /** The file, and its run record where no other variant needs it. */
  async #remove({ uri, record }: Track): Promise<void> {
    await removeFile(uri);
    const others = [...this.#tracks, ...(this.#deleted ? [this.#deleted] : [])];
    if (record !== undefined && !others.some((other) => other.record === record)) await removeFile(record);
  }
}

/** To the trash where there is one. A file that somebody else removed is no error. */
async function removeFile(uri: string): Promise<void> {
  const file = vscode.Uri.parse(uri);
  try {
    await vscode.workspace.fs.delete(file, { useTrash: true });
  } catch {
    await Promise.resolve(vscode.workspace.fs.delete(file)).catch(() => undefined);
  }
}
