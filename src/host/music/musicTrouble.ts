import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { MusicFailure } from '../../core/client/music/musicFailure';
import { OutputError } from '../../core/outputs/outputError';
import type { MusicRun, SavedTrack, TracksNotSavedError } from '../../core/outputs/saveTracks';
import { errorWords } from '../../core/safety/errorWords';
import { endSentence } from '../../core/safety/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import { sentencesText, t } from '../../core/safety/localize';
import type { Shown } from '../../core/safety/shownText';
import type { MusicTrouble } from '../../webview/contract/music';
import { UserProblem } from '../platform/problems';
import type { BegunMusic, Track } from './track';
import { pieceWords, type GeneratedTrack } from '../../core/client/music/musicTake';
import { plainText } from '../../core/safety/plainText';

/** Why music did not arrive or could not be saved, as text. */
export function musicTrouble(
  error: unknown,
  { prompt, seconds }: Pick<MusicRun, 'prompt' | 'seconds'>,
  unsaved: UnsavedMusic | undefined,
): MusicTrouble {
  const known =
    MusicFailure.is(error) || ServerError.is(error) || OutputError.is(error) || error instanceof UserProblem;
  return {
    message: endSentence(known ? error.message : t`Something went wrong: ${errorWords(error).message}`),
    nextAction: known ? wordsOf(error.nextAction) : t`See the log for details.`,
    unsaved: unsaved && unsavedView(unsaved),
    canSignIn: ServerError.is(error, 'unauthorized'),
    prompt,
    seconds,
  };
}

/** The window closed during generation: how far the service got is unknown. */
export function cutOffTrouble(
  { prompt, seconds, charges }: BegunMusic,
  unsaved: UnsavedMusic | undefined,
): MusicTrouble {
  const next = unsaved
    ? t`Keep the partial track, or generate again.`
    : t`Generate it again if you still want it.`;
  const costs = t`You may have been charged for it. Generating it again costs credits again.`;
  return {
    message: t`The window closed before the last track was saved.`,
    nextAction: sentencesText(next, charges ? costs : ''),
    unsaved: unsaved && unsavedView(unsaved),
    canSignIn: false,
    prompt,
    seconds,
  };
}

function unsavedView({ run }: UnsavedMusic): NonNullable<MusicTrouble['unsaved']> {
  return { seconds: longest(run), whole: run.complete };
}

function longest({ result }: MusicRun): number {
  return Math.max(0, ...result.tracks.map(({ seconds }) => seconds ?? 0));
}

function wordsOf(words: string | Shown): string {
  return typeof words === 'string' ? words : words.line();
}

/** Music that arrived but is not, or not completely, on disk. */
export interface UnsavedMusic {
  readonly run: MusicRun;
  /** Undefined when it comes from an earlier window. */
  readonly folder: vscode.Uri | undefined;
  readonly saved: readonly SavedTrack[];
}

/** Tracks that are newly on disk, for the history. */
export function newTracks({ run, saved }: UnsavedMusic, now: TracksNotSavedError['saved']): readonly Track[] {
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
