import { createHash } from 'node:crypto';
import type { GeneratedTrack, MusicCost, MusicResult } from '../client/musicTake';
import { OutputError } from './outputError';
import type { OutputFolder } from './outputFolder';
import { stamp } from './outputNames';
import { safeFileName, uniqueName } from './safeName';
import { writeWhole } from './writeWhole';

/** A generation whose music is to be kept. */
export interface MusicRun {
  readonly prompt: string;
  /** As it was asked for. */
  readonly seconds: number;
  /** Origin of the service. */
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: MusicResult;
  /** False: the stream broke off, and what had come is kept on request. */
  readonly complete: boolean;
}

export interface SavedTrack {
  readonly track: GeneratedTrack;
  /** Name in the folder. */
  readonly name: string;
  /** Path or URI text. */
  readonly location: string;
  /** Hex. */
  readonly sha256: string;
}

/** How the music beside it was made. Times are ISO 8601 texts in UTC. Holds no credential. */
interface MusicRecord {
  readonly format: 1;
  readonly kind: 'music';
  readonly server: string;
  readonly prompt: string;
  readonly duration: number;
  readonly complete: boolean;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly creditsUsed?: number | undefined;
  readonly cost?: MusicCost | undefined;
  readonly tracks: readonly MusicRecordTrack[];
}

interface MusicRecordTrack {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly seconds?: number | undefined;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly streamIndex: number;
  readonly promptIndex?: number | undefined;
  readonly copyIndex?: number | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
}

/** Longest part of a title or a prompt in a file name. */
const longestName = 60;

/**
 * Puts each track into the folder as `<title>-<time>.m4a`, whole or not at all, nothing overwritten, and a run record
 * beside them as the first one's `.run.json`.
 * @throws OutputError; tracks that were written before stay
 */
export async function saveTracks(run: MusicRun, folder: OutputFolder): Promise<readonly SavedTrack[]> {
  const saved: SavedTrack[] = [];
  try {
    for (const track of run.result.tracks) {
      const name = await writeBeside(folder, `${stemOf(track, run)}.m4a`, track.audio);
      const sha256 = createHash('sha256').update(track.audio).digest('hex');
      saved.push({ track, name, location: folder.location(name), sha256 });
    }
  } finally {
    const [first] = saved;
    if (first) {
      const text = `${JSON.stringify(recordOf(run, saved), undefined, 2)}\n`;
      const name = `${first.name.slice(0, -'.m4a'.length)}.run.json`;
      await writeBeside(folder, safeFileName(name, 'music.run.json'), new TextEncoder().encode(text));
    }
  }
  return saved;
}

/** The first free name of `name`, `name (2)` …; another program may take one between the look and the step. */
async function writeBeside(folder: OutputFolder, wanted: string, bytes: Uint8Array): Promise<string> {
  for (;;) {
    const name = await uniqueName(wanted, (candidate) => folder.exists(candidate));
    try {
      await writeWhole(folder, name, bytes);
      return name;
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
  }
}

function stemOf(
  { title, streamIndex }: GeneratedTrack,
  { prompt, endedAt, result, complete }: MusicRun,
): string {
  // A title is a line of text: its slashes are no folders.
  const words = (title ?? prompt).replace(/[/\\\s]+/g, ' ').trim();
  const label = Array.from(safeFileName(words, 'music')).slice(0, longestName).join('').trimEnd();
  const variant = result.tracks.length > 1 ? `-${streamIndex + 1}` : '';
  return safeFileName(`${label}-${stamp(endedAt)}${variant}${complete ? '' : '-partial'}`, 'music');
}

function recordOf(run: MusicRun, saved: readonly SavedTrack[]): MusicRecord {
  return {
    format: 1,
    kind: 'music',
    server: run.server,
    prompt: run.prompt,
    duration: run.seconds,
    complete: run.complete,
    startedAt: new Date(run.startedAt).toISOString(),
    endedAt: new Date(run.endedAt).toISOString(),
    creditsUsed: run.result.creditsUsed,
    cost: run.result.cost,
    tracks: saved.map(({ track, name, sha256 }) => ({
      name,
      sha256,
      bytes: track.bytes,
      seconds: track.seconds,
      title: track.title,
      tags: track.tags,
      summary: track.summary,
      streamIndex: track.streamIndex,
      promptIndex: track.promptIndex,
      copyIndex: track.copyIndex,
      sampleRate: track.sampleRate,
      channels: track.channels,
    })),
  };
}
