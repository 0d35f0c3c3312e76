import * as z from 'zod';
import { mapDefined } from '../../core/safety/lists';
import { type MusicTrack, trackPeaks } from '../../webview/contract/music';

/** A piece of music on disk. */
export interface Track extends MusicTrack {
  readonly uri: string;
  /** Its run record; missing if that could not be written. */
  readonly record?: string | undefined;
}

/** A generation that was started and has not ended in this window. */
export interface BegunMusic {
  readonly prompt: string;
  readonly seconds: number;
  /** The service charges credits. */
  readonly charges: boolean;
  readonly server: string;
  readonly startedAt: number;
  /** Storage name of its recording, of which each generation has its own. */
  readonly recording: string;
}

/** The music of a workspace, as one window knows and stores it. */
export interface StoredMusic {
  readonly tracks: readonly Track[];
  readonly deleted: Track | undefined;
  readonly begun: BegunMusic | undefined;
  /** Music that closed windows started, and nobody has kept or discarded since. */
  readonly left: readonly BegunMusic[];
  readonly removed: readonly string[];
}

export const noMusic: StoredMusic = {
  tracks: [],
  deleted: undefined,
  begun: undefined,
  left: [],
  removed: [],
};

/** Our own file, but a crash or another version may have left it in any state: invalid entries are dropped. */
export function readMusic(text: string | undefined): StoredMusic {
  const stored = parsed(text);
  if (typeof stored !== 'object' || stored === null) return noMusic;
  const { tracks, deleted, begun, left, removed } = stored as Readonly<
    Partial<Record<keyof StoredMusic, unknown>>
  >;
  return {
    tracks: Array.isArray(tracks) ? mapDefined(tracks, (track) => readTrack(track)) : [],
    deleted: readTrack(deleted),
    begun: begunMusic.safeParse(begun).data,
    left: Array.isArray(left) ? mapDefined(left, (note) => begunMusic.safeParse(note).data) : [],
    removed: Array.isArray(removed) ? removed.filter((id) => typeof id === 'string') : [],
  };
}

const begunMusic = z.object({
  prompt: z.string(),
  seconds: z.number(),
  charges: z.boolean(),
  server: z.string(),
  startedAt: z.number(),
  // Our own name, which can't lead out of the storage.
  recording: z.string().regex(/^recording-[\w-]+\.json$/),
});

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readTrack(value: unknown): Track | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const track = value as Readonly<Record<keyof Track, unknown>>;
  const { id, title, tags, prompt, asked, createdAt, fileName, uri, record, peaks } = track;
  const isWhole =
    [id, title, prompt, fileName, uri].every((field) => typeof field === 'string') &&
    [asked, createdAt].every((field) => typeof field === 'number') &&
    Array.isArray(tags);
  if (!isWhole || !isAddress(uri)) return undefined;
  return {
    ...(value as Track),
    record: isAddress(record) ? record : undefined,
    peaks: trackPeaks.safeParse(peaks).data,
  };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][\w+.-]*:/i.test(value);
}
