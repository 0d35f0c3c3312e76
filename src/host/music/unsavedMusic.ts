import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { pieceWords, type GeneratedTrack } from '../../core/client/music/musicTake';
import type { MusicRun, SavedRun, SavedTrack } from '../../core/outputs/saveTracks';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import type { Track } from './track';

/** Music that arrived but is not, or not completely, on disk. */
export interface UnsavedMusic {
  readonly run: MusicRun;
  /** Undefined when it comes from an earlier window. */
  readonly folder: vscode.Uri | undefined;
  readonly saved: readonly SavedTrack[];
}

/** What is newly on disk, for the history. */
export function newTracks({ run, saved }: UnsavedMusic, now: SavedRun): readonly Track[] {
  const record = now.record === undefined ? undefined : vscode.Uri.file(now.record).toString();
  return now.tracks
    .filter((track) => !saved.includes(track))
    .map((track) => ({ ...trackOf(track, run), record }));
}

function trackOf({ track, name, location }: SavedTrack, run: MusicRun): Track {
  const { creditsUsed, tracks } = run.result;
  return {
    id: randomUUID(),
    title: plainText(track.title ?? untitled(run.prompt)),
    tags: track.tags.map((tag) => plainText(tag)),
    summary: track.summary === undefined ? undefined : plainText(track.summary),
    prompt: run.prompt,
    asked: run.seconds,
    seconds: track.seconds,
    createdAt: run.endedAt,
    variant: tracks.length > 1 ? variantWords(track, tracks) : undefined,
    // The service charges for all variants together.
    credits: run.charges && tracks.length === 1 ? creditsUsed : undefined,
    partial: !run.complete,
    fileName: name,
    uri: vscode.Uri.file(location).toString(),
  };
}

function variantWords(track: GeneratedTrack, tracks: readonly GeneratedTrack[]): string {
  const place = t`${tracks.indexOf(track) + 1} of ${tracks.length}`;
  const piece = pieceWords(track);
  return piece === '' ? place : `${place} (${piece})`;
}

function untitled(prompt: string): string {
  const words = Array.from(prompt.trim().replace(/\s+/g, ' '));
  return words.length > 40 ? `${words.slice(0, 39).join('')}…` : words.join('');
}
