import { arePeaks } from './musicMessage';

/** A piece of music that lies on disk, and how it was made. */
export interface Track {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly prompt: string;
  /** Seconds that were asked for. */
  readonly asked: number;
  /** Seconds that came. */
  readonly seconds?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Such as `2 of 3`; missing for a piece that came alone. */
  readonly variant?: string | undefined;
  readonly credits?: number | undefined;
  /** The stream broke off. */
  readonly partial: boolean;
  readonly fileName: string;
  readonly uri: string;
  readonly peaks?: readonly number[] | undefined;
}

/** Our own file, yet one that a crash or another version may have left in any state: what makes no sense is dropped. */
export function readTracks(text: string | undefined): {
  readonly tracks: readonly Track[];
  readonly deleted: Track | undefined;
} {
  const stored = parsed(text);
  if (typeof stored !== 'object' || stored === null) return { tracks: [], deleted: undefined };
  const { tracks, deleted } = stored as { readonly tracks?: unknown; readonly deleted?: unknown };
  return {
    tracks: Array.isArray(tracks) ? tracks.flatMap((track) => readTrack(track) ?? []) : [],
    deleted: readTrack(deleted),
  };
}

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
  const { id, title, tags, prompt, asked, createdAt, fileName, uri, peaks } = track;
  const isWhole =
    [id, title, prompt, fileName, uri].every((field) => typeof field === 'string') &&
    [asked, createdAt].every((field) => typeof field === 'number') &&
    Array.isArray(tags);
  if (!isWhole || !/^[a-z][\w+.-]*:/i.test(String(uri))) return undefined;
  return { ...(value as Track), peaks: arePeaks(peaks) ? peaks : undefined };
}
