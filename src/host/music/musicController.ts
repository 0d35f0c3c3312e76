import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { MusicFailure } from '../../core/client/music/musicFailure';
import {
  onlyTitles,
  type MusicResult,
  pieceWords,
  type MusicProgress,
  type MusicStream,
} from '../../core/client/music/musicTake';
import { checkFolder } from '../../core/outputs/checkFolder';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { saveTracks, TracksNotSavedError, type MusicRun } from '../../core/outputs/saveTracks';
import { shown } from '../../core/safety/shownText';
import type { MusicGeneration, MusicTrouble, MusicStreamView } from '../../webview/contract/music';
import type { OutputPlaces } from '../outputs/outputPlace';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { isCancellation, UserProblem } from '../platform/problems';
import type { Platform } from '../platform/platform';
import { requireTrust } from '../platform/requireTrust';
import { showInformation } from '../platform/show';
import type { MusicHistory } from './musicHistory';
import { MusicRecording, recordedMusic } from './recordingWriter';
import type { MusicService } from './musicAccount';
import { cutOffTrouble, musicTrouble } from './musicTrouble';
import type { BegunMusic, Track } from './track';
import { newTracks, type UnsavedMusic } from './musicTrouble';
import { plainText } from '../../core/safety/plainText';

/** How often another window that generates music is checked, in ms: if it dies, this one offers what had arrived. */
const firstLook = 2_000;
const lastLook = 30_000;

interface Assignment {
  readonly prompt: string;
  readonly seconds: number;
  readonly folder: vscode.Uri;
}

/** Generates music, one request at a time. It continues when the panel is closed, because it is paid for. */
export class MusicController implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** `generation` or `trouble` changed. */
  readonly onDidChange = this.#changed.event;
  #generation: MusicGeneration | null = null;
  #trouble: MusicTrouble | null = null;
  #unsaved: UnsavedMusic | undefined;
  /** The music that `unsaved` or `trouble` is about, until it is saved or discarded. */
  #note: BegunMusic | undefined;
  #abort: AbortController | undefined;
  #look: NodeJS.Timeout | undefined;
  #lookIn = firstLook;
  #isClosed = false;

  constructor(
    private readonly platform: Platform,
    readonly service: MusicService,
    readonly history: MusicHistory,
    readonly places: OutputPlaces,
  ) {}

  get generation(): MusicGeneration | null {
    return this.#generation;
  }

  get trouble(): MusicTrouble | null {
    return this.#trouble;
  }

  /** Reports music that a closed window was generating, and offers what had arrived. */
  async recall(): Promise<void> {
    if (this.history.othersMake) this.#lookAgain();
    const [left] = this.history.left;
    if (!left || this.#isClosed || this.#generation || this.#trouble) return;
    const recorded = await this.#recorded(left);
    // Another generation may have started in the meantime.
    if (this.#isBusy || !this.history.left.includes(left)) return;
    this.#note = left;
    this.#unsaved = recorded;
    this.#show(null, cutOffTrouble(left, recorded));
  }

  /** Generates music and saves it; failures go to `trouble`. Does nothing while one is in progress. */
  async generate(prompt: string, seconds: number): Promise<void> {
    if (this.#generation) return;
    requireTrust();
    if (this.#unsaved)
      throw new UserProblem(
        shown`The last track is not saved yet.`,
        shown`Keep it or discard it, then try again.`,
      );
    const abort = new AbortController();
    this.#abort = abort;
    this.#show({ prompt, seconds, stage: 'waiting', streams: [] }, null);
    try {
      // Asks first, because music that costs credits must have a place to be saved.
      const folder = await this.places.ask(undefined);
      if (folder && !abort.signal.aborted) await this.#make({ prompt, seconds, folder }, abort.signal);
      this.#show(null, null);
    } catch (error) {
      if (!isCancellation(error)) this.platform.log.error('Music', error);
      this.#show(null, abort.signal.aborted ? null : musicTrouble(error, { prompt, seconds }, this.#unsaved));
    } finally {
      this.#abort = undefined;
      await this.#noteEnd();
    }
    await this.recall();
  }

  cancel(): void {
    if (!this.#abort || this.#generation?.stage === 'saving') return;
    if (this.#generation) this.#show({ ...this.#generation, stage: 'cancelling' }, null);
    this.#abort.abort(new DOMException('The music was cancelled.', 'AbortError'));
  }

  /** Saves what arrived before a stream broke off, or what could not be saved before. */
  async keep(): Promise<void> {
    const unsaved = this.#unsaved;
    if (!unsaved || this.#generation) return;
    const { prompt, seconds, result } = unsaved.run;
    this.#show({ prompt, seconds, stage: 'saving', streams: streamViews(result.tracks) }, null);
    try {
      // Ask again: the folder may be why it could not be saved.
      const folder = (await this.places.ask(undefined)) ?? unsaved.folder;
      if (!folder)
        throw new UserProblem(
          shown`No output folder was chosen.`,
          shown`Select Keep Partial Track again, then choose a folder.`,
        );
      await this.#save({ ...unsaved, folder }, folder);
      this.#show(null, null);
      await this.#noteEnd();
      await this.recall();
    } catch (error) {
      this.platform.log.error('Music', error);
      this.#show(null, musicTrouble(error, unsaved.run, this.#unsaved));
    }
  }

  async dismiss(): Promise<void> {
    this.#unsaved = undefined;
    // Dismissed music must not come back in the next window.
    if (!this.#generation) await this.#noteEnd();
    this.#show(this.#generation, null);
    await this.recall();
  }

  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#look);
    this.#abort?.abort(new DOMException('The window is closed.', 'AbortError'));
    this.#changed.dispose();
  }

  async #make({ prompt, seconds, folder }: Assignment, signal: AbortSignal): Promise<void> {
    await checkFolder(new NodeFolder(folder.fsPath));
    const charges = !this.service.isSandbox;
    const { client, origin } = await this.service.client();
    const startedAt = Date.now();
    const name = `recording-${randomUUID()}.json`;
    const recording = await this.#record(name);
    // The previous failure is obsolete.
    await this.#noteEnd();
    const note = { prompt, seconds, charges, server: origin, startedAt, recording: name };
    await this.history.begin(note);
    this.#note = note;
    const unsavedOf = (result: MusicResult, complete: boolean): UnsavedMusic => {
      const run: MusicRun = {
        prompt: this.platform.secrets.hide(prompt),
        seconds,
        server: origin,
        startedAt,
        endedAt: Date.now(),
        result,
        complete,
        charges,
      };
      return { run, folder, saved: [] };
    };
    try {
      const result = await client.generate(
        { prompt, seconds },
        (progress) => this.#show(generationOf(prompt, seconds, progress), null),
        signal,
        (event) => recording?.add(event),
      );
      recording?.complete();
      if (result.skippedLines > 0)
        this.platform.log.warn(
          `Music: skipped ${result.skippedLines} lines from the service that were not JSON objects.`,
        );
      if (result.tracks.length === 0) {
        void showInformation(shown`${onlyTitles()}`);
        return;
      }
      if (this.#generation) this.#show({ ...this.#generation, stage: 'saving' }, null);
      await this.#save(unsavedOf(result, true), folder);
    } catch (error) {
      if (MusicFailure.is(error) && error.partial) this.#unsaved = unsavedOf(error.partial, false);
      throw error;
    } finally {
      await recording?.close().catch((error: unknown) => this.platform.log.error('Recording music', error));
    }
  }

  /** Without a recording, the music is still generated: it is only a backup. */
  async #record(name: string): Promise<MusicRecording | undefined> {
    try {
      return await MusicRecording.begin(this.platform.storage.path(name));
    } catch (error) {
      this.platform.log.error('Recording music', error);
      return undefined;
    }
  }

  async #recorded(begun: BegunMusic): Promise<UnsavedMusic | undefined> {
    const { recording, ...known } = begun;
    const music = await recordedMusic(this.platform.storage.path(recording));
    return music && { run: { ...known, endedAt: Date.now(), ...music }, folder: undefined, saved: [] };
  }

  /** It was paid for, so it must not get lost before all of it is on disk. */
  async #save(unsaved: UnsavedMusic, folder: vscode.Uri): Promise<void> {
    this.#unsaved = unsaved;
    const { run, saved } = unsaved;
    try {
      const now = await saveTracks(run, new NodeFolder(folder.fsPath), saved);
      this.#unsaved = undefined;
      setContext(contextKeys.musicMade, true);
      await this.#remember(newTracks(unsaved, now), this.#note);
    } catch (error) {
      if (error instanceof TracksNotSavedError) {
        this.#unsaved = { ...unsaved, saved: error.saved.tracks };
        await this.#remember(newTracks(unsaved, error.saved));
      }
      throw error;
    }
  }

  /** The music is on disk, so a failed write of the list is not an error. */
  async #remember(tracks: readonly Track[], ended?: BegunMusic): Promise<void> {
    try {
      await this.history.add(tracks, ended);
    } catch (error) {
      this.platform.log.error('Remembering music', error);
    }
  }

  async #noteEnd(): Promise<void> {
    const note = this.#note;
    if (this.#isClosed || this.#unsaved || !note) return;
    this.#note = undefined;
    await this.history.end(note);
    await this.platform.storage.remove(note.recording);
  }

  #lookAgain(): void {
    clearTimeout(this.#look);
    if (this.#isClosed) return;
    this.#look = setTimeout(() => {
      this.#lookIn = Math.min(this.#lookIn * 2, lastLook);
      this.history
        .look()
        .then(() => this.recall())
        .catch((error: unknown) => this.platform.log.error('Looking for music of other windows', error));
    }, this.#lookIn);
  }

  get #isBusy(): boolean {
    return this.#generation !== null || this.#trouble !== null;
  }

  #show(generation: MusicGeneration | null, trouble: MusicTrouble | null): void {
    this.#generation = generation;
    this.#trouble = trouble;
    this.#changed.fire();
  }
}

function generationOf(prompt: string, seconds: number, { streams }: MusicProgress): MusicGeneration {
  return { prompt, seconds, stage: 'receiving', streams: streamViews(streams) };
}

function streamViews(streams: readonly MusicStream[]): MusicStreamView[] {
  return streams.map((stream) => streamView(stream, streams.length > 1));
}

function streamView(stream: MusicStream, isOneOfSeveral: boolean): MusicStreamView {
  const { title, tags, summary, seconds, bytes } = stream;
  const plain = (text: string | undefined): string | undefined => text && plainText(text);
  const plainTags = tags.map((tag) => plainText(tag));
  return {
    piece: isOneOfSeveral ? pieceWords(stream) : undefined,
    title: plain(title),
    tags: plainTags,
    summary: plain(summary),
    seconds,
    bytes,
  };
}
