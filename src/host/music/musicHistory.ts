import * as vscode from 'vscode';
import { budgets } from '../../core/safety/budgets';
import { deleteFile } from '../platform/openFile';
import type { Storage } from '../platform/storage';
import { mergeMusic, MusicFile } from './musicFile';
import { noMusic, type BegunMusic, type StoredMusic, type Track } from './track';

/**
 * Everything generated in this workspace, newest first, kept across restarts. A deleted track stays on disk until
 * another is deleted or the panel closes, so that it can be restored. What is being generated is stored too, so that
 * nothing paid for is lost silently when the window closes. Other windows on the workspace generate and delete music at
 * the same time: each has its own history and reads what the others know when needed.
 */
export class MusicHistory implements vscode.Disposable {
  readonly #file: MusicFile;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #stored: StoredMusic = noMusic;
  #othersMake = false;
  #loaded: Promise<void> | undefined;

  /** @param writer the writer, if it is not this process */
  constructor(storage: Storage, fileName: string, writer?: string) {
    this.#file = new MusicFile(storage, fileName, writer);
  }

  /** Reads the history once. */
  load(): Promise<void> {
    this.#loaded ??= this.look();
    return this.#loaded;
  }

  /** Reads what other windows have written. A pending deletion of a closed window is carried out. */
  async look(): Promise<void> {
    const others = await this.#file.others();
    // Uses what is known now, because music may have arrived in the meantime.
    const { stored, leftDeleted, othersMake } = mergeMusic(this.#stored, others);
    this.#stored = stored;
    this.#othersMake = othersMake;
    if (leftDeleted.length > 0) await this.#removeForGood(leftDeleted);
    else this.#changed.fire();
  }

  get tracks(): readonly Track[] {
    return this.#stored.tracks;
  }

  get deleted(): Track | undefined {
    return this.#stored.deleted;
  }

  /** Music that closed windows started but did not finish. */
  get left(): readonly BegunMusic[] {
    return this.#stored.left;
  }

  /** Another window was generating music at the last read. */
  get othersMake(): boolean {
    return this.#othersMake;
  }

  /** Resolves when it is on disk that this is being generated. */
  async begin(begun: BegunMusic): Promise<void> {
    await this.load();
    await this.#keep({ begun });
  }

  async end(music: BegunMusic): Promise<void> {
    await this.#keep(this.#ended(music));
  }

  #ended(music: BegunMusic): Partial<StoredMusic> {
    const { begun, left, removed } = this.#stored;
    return {
      begun: begun && begun.recording !== music.recording ? begun : undefined,
      left: left.filter((note) => note.recording !== music.recording),
      removed: [...removed, music.recording],
    };
  }

  find(id: string): Track | undefined {
    return this.tracks.find((track) => track.id === id);
  }

  /**
   * Tracks are shown once it is on disk that they are there, and that nothing more of their generation is to be saved:
   * a window that closes in between must not offer them again.
   * @param tracks of one generation, first variant first
   */
  async add(tracks: readonly Track[], ended?: BegunMusic): Promise<void> {
    const all = [...tracks, ...this.tracks].slice(0, budgets.tracks);
    this.#stored = { ...this.#stored, ...(ended && this.#ended(ended)), tracks: all };
    try {
      await this.#file.save(this.#stored);
    } finally {
      this.#changed.fire();
    }
  }

  async setPeaks(id: string, peaks: readonly number[]): Promise<void> {
    await this.#keep({
      tracks: this.tracks.map((track) => (track.id === id ? { ...track, peaks } : track)),
    });
  }

  /** Removes a track from the list; the previously deleted one is now gone for good. */
  async delete(id: string): Promise<void> {
    const track = this.find(id);
    if (!track) return;
    const before = this.deleted;
    this.#stored = {
      ...this.#stored,
      tracks: this.tracks.filter((other) => other !== track),
      deleted: track,
    };
    await this.#removeForGood(before ? [before] : []);
  }

  async undo(): Promise<void> {
    const track = this.deleted;
    if (!track) return;
    const place = this.tracks.findIndex(({ createdAt }) => createdAt < track.createdAt);
    const tracks = place < 0 ? [...this.tracks, track] : this.tracks.toSpliced(place, 0, track);
    await this.#keep({ tracks, deleted: undefined });
  }

  /** The deleted track can no longer be restored. */
  async settle(): Promise<void> {
    const track = this.deleted;
    if (!track) return;
    this.#stored = { ...this.#stored, deleted: undefined };
    await this.#removeForGood([track]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #keep(change: Partial<StoredMusic>): Promise<void> {
    this.#stored = { ...this.#stored, ...change };
    this.#changed.fire();
    await this.#file.save(this.#stored);
  }

  /** First in the list, then on disk. */
  async #removeForGood(tracks: readonly Track[]): Promise<void> {
    const ids = tracks.map(({ id }) => id);
    await this.#keep({ removed: [...this.#stored.removed, ...ids].slice(-budgets.keptJobs) });
    for (const track of tracks) await this.#remove(track);
  }

  /** The file, and its run record if no other variant needs it. */
  async #remove({ uri, record }: Track): Promise<void> {
    await deleteFile(vscode.Uri.parse(uri));
    const others = [...this.tracks, ...(this.deleted ? [this.deleted] : [])];
    if (record !== undefined && !others.some((other) => other.record === record))
      await deleteFile(vscode.Uri.parse(record));
  }
}
