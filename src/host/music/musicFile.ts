import { mapDefined } from '../../core/safety/lists';
import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';
import { WriterFiles } from '../platform/storage';
import { readMusic, type BegunMusic, type StoredMusic, type Track } from './track';

export interface MusicPart {
  readonly stored: StoredMusic;
  readonly isLeft: boolean;
}

/** The music of this window, combined with what the others have stored. */
export interface MergedMusic {
  readonly stored: StoredMusic;
  /** Tracks deleted by closed windows: nobody can restore them. */
  readonly leftDeleted: readonly Track[];
  /** Another window is generating music: if it dies, this one has to report it. */
  readonly othersMake: boolean;
}

/** A workspace's music in the extension's storage: each window writes its own file and reads all. */
export class MusicFile {
  readonly #files: WriterFiles;

  constructor(storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>, name: string, writer?: string) {
    this.#files = new WriterFiles(storage, name, writer);
  }

  async others(): Promise<readonly MusicPart[]> {
    const parts = await this.#files.readParts();
    return parts
      .filter(({ writer }) => writer !== 'self')
      .map(({ text, writer }) => ({ stored: readMusic(text), isLeft: writer === 'left' }));
  }

  /** The saved content must include what `others` last returned. */
  save(stored: StoredMusic): Promise<void> {
    return this.#files.write(JSON.stringify(stored));
  }
}

export function mergeMusic(own: StoredMusic, others: readonly MusicPart[]): MergedMusic {
  const all = [own, ...others.map(({ stored }) => stored)];
  const left = others.flatMap(({ stored, isLeft }) => (isLeft ? [stored] : []));
  const living = others.flatMap(({ stored, isLeft }) => (isLeft ? [] : [stored]));
  const removed = new Set(all.flatMap((stored) => stored.removed));
  const isOnce = new Set<string>();
  const leftDeleted = mapDefined(left, ({ deleted }) => deleted).filter(
    ({ id }) => !removed.has(id) && isOnce.size < isOnce.add(id).size,
  );
  const hidden = new Set(mapDefined(all, ({ deleted }) => deleted?.id));
  return {
    stored: {
      ...own,
      tracks: mergeTracks(all, (id) => removed.has(id) || hidden.has(id)),
      left: mergeNotes([...own.left, ...left.flatMap(notesOf)], removed),
      removed: [...removed].slice(-budgets.keptJobs),
    },
    leftDeleted,
    othersMake: living.some(({ begun }) => begun !== undefined),
  };
}

/** Newest first; variants of one generation stay in order. */
function mergeTracks(all: readonly StoredMusic[], isGone: (id: string) => boolean): readonly Track[] {
  const tracks = new Map<string, Track>();
  for (const track of all.flatMap((stored) => stored.tracks)) {
    const known = tracks.get(track.id);
    if (!isGone(track.id) && (!known || (!known.peaks && track.peaks))) tracks.set(track.id, track);
  }
  return [...tracks.values()].sort((a, b) => b.createdAt - a.createdAt).slice(0, budgets.tracks);
}

function notesOf({ begun, left }: StoredMusic): readonly BegunMusic[] {
  return begun ? [begun, ...left] : left;
}

function mergeNotes(notes: readonly BegunMusic[], removed: ReadonlySet<string>): readonly BegunMusic[] {
  const byKey = new Map<string, BegunMusic>();
  for (const note of notes) {
    const key = note.recording;
    if (!removed.has(key) && !byKey.has(key)) byKey.set(key, note);
  }
  return [...byKey.values()];
}
