import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { MusicFailure } from '../../core/client/musicFailure';
import type { MusicProgress } from '../../core/client/musicTake';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { OutputError } from '../../core/outputs/outputError';
import { saveTracks, type MusicRun, type SavedTrack } from '../../core/outputs/saveTracks';
import { endSentence } from '../../core/protocol/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import type { MusicGeneration, MusicTrouble } from '../../webview/contract/music';
import type { OutputPlaces } from '../jobs/outputPlace';
import { isCancellation, UserProblem } from '../platform/problems';
import type { Log } from '../platform/log';
import type { MusicHistory } from './musicHistory';
import type { MusicService } from './musicService';
import type { Track } from './track';

/** What was asked for, with the place for what comes of it. */
interface Assignment {
  readonly prompt: string;
  readonly seconds: number;
  readonly folder: vscode.Uri;
}

/** Music that is not on disk yet; of a broken stream until the user says what to do with it. */
interface Leftover {
  readonly run: MusicRun;
  readonly folder: vscode.Uri;
  /** The service takes credits. */
  readonly charges: boolean;
}

/** Makes music, one piece at a time. It works on when the panel is closed: what was asked for is paid for. */
export class MusicStudio implements vscode.Disposable {
  readonly #service: MusicService;
  readonly #history: MusicHistory;
  readonly #places: OutputPlaces;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** `generation` or `trouble` has changed. */
  readonly onDidChange = this.#changed.event;
  #generation: MusicGeneration | null = null;
  #trouble: MusicTrouble | null = null;
  #leftover: Leftover | undefined;
  #abort: AbortController | undefined;

  constructor(service: MusicService, history: MusicHistory, places: OutputPlaces, log: Log) {
    this.#service = service;
    this.#history = history;
    this.#places = places;
    this.#log = log;
  }

  get generation(): MusicGeneration | null {
    return this.#generation;
  }

  get trouble(): MusicTrouble | null {
    return this.#trouble;
  }

  /** Makes music and saves it; trouble is told by `trouble`. Does nothing while something is being made. */
  async generate(prompt: string, seconds: number): Promise<void> {
    if (this.#generation) return;
    if (!vscode.workspace.isTrusted)
      throw new UserProblem('This workspace is not trusted.', 'Trust it to make music and save it here.');
    const abort = new AbortController();
    this.#abort = abort;
    this.#leftover = undefined;
    this.#show({ prompt, seconds, stage: 'waiting', streams: [] }, null);
    try {
      // Asked first: what costs must have a place to go.
      const folder = await this.#places.ask(undefined);
      if (!folder || abort.signal.aborted) {
        this.#show(null, null);
        return;
      }
      await this.#make({ prompt, seconds, folder }, abort.signal);
      this.#show(null, null);
    } catch (error) {
      if (!isCancellation(error)) this.#log.error('Music', error);
      this.#show(null, abort.signal.aborted ? null : this.#troubleOf(error, prompt, seconds));
    } finally {
      this.#abort = undefined;
    }
  }

  cancel(): void {
    if (!this.#abort || this.#generation?.stage === 'saving') return;
    if (this.#generation) this.#show({ ...this.#generation, stage: 'cancelling' }, null);
    this.#abort.abort(new DOMException('The music was cancelled.', 'AbortError'));
  }

  /** Saves what had come before a stream broke off. */
  async keepPartial(): Promise<void> {
    const leftover = this.#leftover;
    if (!leftover) return;
    await this.#save(leftover);
    this.dismiss();
  }

  dismiss(): void {
    this.#leftover = undefined;
    this.#show(this.#generation, null);
  }

  dispose(): void {
    this.#abort?.abort(new DOMException('The window is closed.', 'AbortError'));
    this.#changed.dispose();
  }

  async #make({ prompt, seconds, folder }: Assignment, signal: AbortSignal): Promise<void> {
    const charges = !this.#service.isSandbox;
    const { client, origin } = await this.#service.client();
    const startedAt = Date.now();
    const runOf = (result: MusicRun['result'], complete: boolean): MusicRun => ({
      prompt,
      seconds,
      server: origin,
      startedAt,
      endedAt: Date.now(),
      result,
      complete,
    });
    try {
      const result = await client.generate(
        { prompt, seconds },
        (progress) => this.#show(generationOf(prompt, seconds, progress), null),
        signal,
      );
      if (this.#generation) this.#show({ ...this.#generation, stage: 'saving' }, null);
      // Until it is on disk it must not get lost: it was paid for.
      this.#leftover = { run: runOf(result, true), folder, charges };
      await this.#save(this.#leftover);
      this.#leftover = undefined;
    } catch (error) {
      if (MusicFailure.is(error) && error.partial)
        this.#leftover = { run: runOf(error.partial, false), folder, charges };
      throw error;
    }
  }

  async #save({ run, folder, charges }: Leftover): Promise<void> {
    const saved = await saveTracks(run, new NodeFolder(folder.fsPath));
    await this.#history.load();
    await this.#history.add(saved.map((track, index) => trackOf(track, index, saved.length, run, charges)));
  }

  #troubleOf(error: unknown, prompt: string, seconds: number): MusicTrouble {
    const known =
      MusicFailure.is(error) ||
      ServerError.is(error) ||
      OutputError.is(error) ||
      error instanceof UserProblem;
    const message = error instanceof Error ? error.message : 'for an unknown reason';
    return {
      message: endSentence(known ? message : `That did not work: ${message}`),
      nextAction: known ? error.nextAction : 'The log has the details.',
      ...(this.#leftover && { partialSeconds: longest(this.#leftover.run) }),
      canSignIn: ServerError.is(error, 'unauthorized'),
      prompt,
      seconds,
    };
  }

  #show(generation: MusicGeneration | null, trouble: MusicTrouble | null): void {
    this.#generation = generation;
    this.#trouble = trouble;
    this.#changed.fire();
  }
}

function generationOf(prompt: string, seconds: number, { streams }: MusicProgress): MusicGeneration {
  return {
    prompt,
    seconds,
    stage: 'receiving',
    streams: streams.map(({ streamIndex, title, tags, summary, seconds: received, bytes }) => ({
      index: streamIndex,
      title,
      tags,
      summary,
      seconds: received,
      bytes,
    })),
  };
}

function trackOf(
  { track, name, location }: SavedTrack,
  index: number,
  count: number,
  run: MusicRun,
  charges: boolean,
): Track {
  const { creditsUsed } = run.result;
  return {
    id: randomUUID(),
    title: track.title ?? untitled(run.prompt),
    tags: track.tags,
    summary: track.summary,
    prompt: run.prompt,
    asked: run.seconds,
    seconds: track.seconds,
    createdAt: run.endedAt,
    variant: count > 1 ? `${index + 1} of ${count}` : undefined,
    // What the service took, it took for all variants together.
    credits: charges && count === 1 ? creditsUsed : undefined,
    partial: !run.complete,
    fileName: name,
    uri: vscode.Uri.file(location).toString(),
  };
}

function untitled(prompt: string): string {
  const words = Array.from(prompt.trim().replace(/\s+/g, ' '));
  return words.length > 40 ? `${words.slice(0, 39).join('')}…` : words.join('');
}

function longest({ result }: MusicRun): number {
  return Math.max(0, ...result.tracks.map(({ seconds }) => seconds ?? 0));
}
