import { recordEnding, FreeNames, shortLabel, fileTimeText, safeFileName } from './outputNames';
import { createHash } from 'node:crypto';
import type { GeneratedTrack, MusicResult } from '../client/music/musicTake';
import { folderAction, OutputError } from './outputError';
import type { OutputFolder } from './outputFolder';
import { putUnderFreeName, writeWhole } from './writeWhole';

export interface MusicRun {
  readonly prompt: string;
  readonly seconds: number;
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: MusicResult;
  /** False: the stream broke off, and what had arrived is kept on request. */
  readonly complete: boolean;
  /** False: a sandbox made it, and what it says of credits is practice. */
  readonly charges: boolean;
}

export interface SavedTrack {
  readonly track: GeneratedTrack;
  readonly name: string;
  readonly location: string;
  readonly sha256: string;
}

interface SavedMusic {
  readonly tracks: readonly SavedTrack[];
  /** Path or URI text of the run record; missing until there is one. */
  readonly record?: string | undefined;
}

/** Not all of the music could be saved; `saved` lists what is in the folder. */
export class TracksNotSavedError extends OutputError {
  override readonly name = 'TracksNotSavedError';

  constructor(
    readonly saved: SavedMusic,
    { message, reason, cause }: OutputError,
  ) {
    super(message, reason, cause);
  }

  override get nextAction(): string {
    return folderAction(this.reason);
  }
}

/**
 * Saves each track as `<title>-<time>.m4a`, completely or not at all, without overwriting, and a run record beside them.
 * @param earlier what an earlier attempt saved of the same run: it is not written again
 * @throws TracksNotSavedError
 */
export async function saveTracks(
  run: MusicRun,
  folder: OutputFolder,
  earlier: readonly SavedTrack[] = [],
): Promise<SavedMusic> {
  const tracks = [...earlier];
  let record: string | undefined;
  try {
    const names = await FreeNames.of(folder);
    try {
      for (const track of run.result.tracks) {
        if (tracks.some((saved) => saved.track === track)) continue;
        const name = await writeBeside(folder, names, `${trackStem(track, run)}.m4a`, track.audio);
        const sha256 = createHash('sha256').update(track.audio).digest('hex');
        tracks.push({ track, name, location: folder.location(name), sha256 });
      }
    } finally {
      record = await writeRecord(run, tracks, folder, names);
    }
  } catch (error) {
    throw OutputError.is(error) ? new TracksNotSavedError({ tracks, record }, error) : error;
  }
  return { tracks, record };
}

async function writeRecord(
  run: MusicRun,
  tracks: readonly SavedTrack[],
  folder: OutputFolder,
  names: FreeNames,
): Promise<string | undefined> {
  const [first] = tracks;
  if (!first) return undefined;
  const text = `${JSON.stringify(musicRecord(run, tracks), undefined, 2)}\n`;
  const name = safeFileName(first.name.slice(0, -'.m4a'.length) + recordEnding, `music${recordEnding}`);
  return folder.location(await writeBeside(folder, names, name, new TextEncoder().encode(text)));
}

function writeBeside(
  folder: OutputFolder,
  names: FreeNames,
  wanted: string,
  bytes: Uint8Array,
): Promise<string> {
  return putUnderFreeName(
    () => names.take(wanted),
    (name) => writeWhole(folder, name, bytes),
  );
}

function trackStem(
  { title, streamIndex }: GeneratedTrack,
  { prompt, endedAt, result, complete }: MusicRun,
): string {
  // A title is a line of text: its slashes are not folders.
  const words = (title ?? prompt).replace(/[/\\\s]+/g, ' ').trim();
  const variant = result.tracks.length > 1 ? `-${streamIndex + 1}` : '';
  return safeFileName(
    `${shortLabel(words, 'music')}-${fileTimeText(endedAt)}${variant}${complete ? '' : '-partial'}`,
    'music',
  );
}

/** How the music beside the record was made. Times are ISO 8601 texts in UTC. Contains no credential. */
function musicRecord(run: MusicRun, saved: readonly SavedTrack[]): object {
  const { server, prompt, seconds: duration, complete, charges: charged, result } = run;
  return {
    ...{ format: 1, kind: 'music', server, prompt, duration, complete },
    startedAt: new Date(run.startedAt).toISOString(),
    endedAt: new Date(run.endedAt).toISOString(),
    charged,
    ...(charged ? { creditsUsed: result.creditsUsed, cost: result.cost } : { creditsUsed: 0 }),
    tracks: saved.map(({ track, name, sha256 }) => {
      const { bytes, seconds, title, tags, summary } = track;
      const { streamIndex, promptIndex, copyIndex, sampleRate, channels } = track;
      const places = { streamIndex, promptIndex, copyIndex, sampleRate, channels };
      return { name, sha256, bytes, seconds, title, tags, summary, ...places };
    }),
  };
}
