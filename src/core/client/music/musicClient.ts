import { endSentence } from '../../safety/endSentence';
import {
  announcesEnd,
  BadAudioChunk,
  musicWords,
  readMusicEvent,
  type MusicEvent,
} from '../../protocol/musicEvent';
import { musicDurationProblem, musicPromptProblem } from '../../protocol/musicLimits';
import { LineTooLong, NdjsonReader, type NdjsonLine } from '../../protocol/ndjson';
import { ServerError } from '../../protocol/serverError';
import { budgets } from '../../safety/budgets';
import { t } from '../../safety/localize';
import type { QuotedSecrets } from '../../safety/secrets';
import type { Credential } from '../credential';
import { MusicFailure, musicRefusal, type MusicFailureReason } from './musicFailure';
import { MusicTake, type MusicProgress, type MusicResult } from './musicTake';
import { isComfyMusic } from './musicService';
import { linkAbort } from '../timing';
import type { StreamAnswer, Transport } from '../transport';

export interface MusicRequest {
  /** 1 to 1000 characters, not only spaces; sent unchanged. */
  readonly prompt: string;
  readonly seconds: number;
}

/** The times are those of the reference client (protocol 8). */
const usualBounds = {
  total: budgets.musicTime,
  silence: budgets.musicSilence,
  afterEnd: budgets.musicAfterEnd,
  lineBytes: budgets.musicLineBytes,
  lines: budgets.musicLines,
  streamBytes: budgets.musicStreamBytes,
};

/** Bounds of time (ms) and size (bytes); those of a real generation unless a test sets its own. */
export type MusicBounds = Readonly<Record<keyof typeof usualBounds, number>>;

const path = '/proxy/sonilo/t2m/generate';
export const musicEndpoint = `POST ${path}`;

/** Keys of Comfy accounts start with this; anything else that users enter is an access token (protocol 1.1, 5.2). */
export function musicCredential(text: string): Credential {
  const value = text.trim();
  return /^comfyui-/.test(value) ? { kind: 'apiKey', value } : { kind: 'bearer', value };
}

/** A generation costs credits from the first byte, so nothing here retries (protocol 5). */
export class MusicClient {
  readonly #bounds: MusicBounds;

  constructor(
    private readonly transport: Transport,
    bounds: Partial<MusicBounds> = {},
  ) {
    this.#bounds = { ...usualBounds, ...bounds };
  }

  /**
   * @throws ServerError when the request was refused or never arrived; MusicFailure when it had started; the signal's
   * reason, at once, when aborted
   */
  async generate(
    request: MusicRequest,
    onProgress: (progress: MusicProgress) => void,
    signal: AbortSignal,
    onEvent: (event: MusicEvent) => void = () => undefined,
  ): Promise<MusicResult> {
    refuseWrongInput(request);
    const limit = new AbortController();
    const unlink = linkAbort(signal, limit);
    const timer = setTimeout(() => limit.abort(tookTooLong()), this.#bounds.total);
    try {
      const answer = await this.#ask(request, limit.signal);
      return await this.#receive(answer, onProgress, limit.signal, onEvent);
    } finally {
      clearTimeout(timer);
      unlink();
    }
  }

  /**
   * The contract wants every credential as a bearer token. Comfy's own client sends its service an API key as such
   * (protocol 5.2), so there that comes first; a 401 ran nothing.
   */
  async #ask(request: MusicRequest, signal: AbortSignal): Promise<StreamAnswer> {
    const isComfy = isComfyMusic(this.transport.baseUrl);
    const credential = isComfy ? await this.transport.credential(musicEndpoint) : undefined;
    if (credential?.kind !== 'apiKey') return this.#post(request, signal, true);
    try {
      return await this.#post(request, signal, false);
    } catch (error) {
      if (!ServerError.is(error) || error.status !== 401) throw error;
      return this.#post(request, signal, true);
    }
  }

  async #post(
    { prompt, seconds }: MusicRequest,
    signal: AbortSignal,
    asBearer: boolean,
  ): Promise<StreamAnswer> {
    try {
      return await this.transport.stream({
        method: 'POST',
        path,
        body: {
          form: [
            { name: 'prompt', text: prompt },
            { name: 'duration', text: String(seconds) },
          ],
        },
        accept: 'application/x-ndjson',
        asBearer,
        // Progress of a compressed body could not be counted.
        headers: { 'Accept-Encoding': 'identity' },
        deadline: this.#bounds.silence,
        stall: this.#bounds.silence,
        total: this.#bounds.total,
        signal,
      });
    } catch (error) {
      throw ServerError.is(error) ? musicRefusal(error) : error;
    }
  }

  async #receive(
    answer: StreamAnswer,
    onProgress: (progress: MusicProgress) => void,
    signal: AbortSignal,
    onEvent: (event: MusicEvent) => void,
  ): Promise<MusicResult> {
    const take = new MusicTake();
    const credits = creditsOf(answer);
    const fail = (
      message: string,
      reason: MusicFailureReason,
      details?: { code?: string | undefined; cause?: unknown },
    ) => new MusicFailure(message, reason, take.hasAudio ? take.result(credits) : undefined, details);
    const reader = answer.body.getReader();
    try {
      if (/\bhtml\b/i.test(answer.headers.get('content-type') ?? '')) throw webPage(answer.status);
      const lines = new NdjsonReader(this.#bounds.lineBytes);
      const started = performance.now();
      for (let received = 0, done = false; !done;) {
        const next = await reader.read();
        signal.throwIfAborted();
        // A service that sends faster than it is read leaves timers no time.
        if (performance.now() - started > this.#bounds.total) throw tookTooLong();
        done = next.done;
        if (next.value) received += next.value.length;
        const isTooLarge = received > this.#bounds.streamBytes || lines.lines > this.#bounds.lines;
        if (isTooLarge || take.streams > budgets.musicStreams)
          throw fail(t`The music service sent an invalid response.`, 'tooLarge');
        const read = next.done ? lines.end() : lines.push(next.value);
        // A last line that is cut off.
        if (next.done && read.some(({ kind }) => kind === 'skipped')) take.awaitsEnd = true;
        const events = eventsOf(read, take, this.transport.quoted);
        try {
          for (const event of events) {
            if (event.type === 'complete') {
              if (!take.hasAudio) throw fail(t`The music service sent no audio.`, 'noAudio');
              await this.#lateTitles(events, reader, lines, take, onEvent);
              return take.result(credits);
            }
            if (event.type === 'error') {
              const words = endSentence(event.message || t`unknown reason`);
              throw fail(t`The music service failed: ${words}`, 'refused', { code: event.code });
            }
            take.add(event);
            onEvent(event);
          }
        } finally {
          // The end may arrive in the same read as a title.
          onProgress(take.progress());
        }
      }
      // Without audio: the contract names no other line than titles, and no end.
      if (take.streams > 0 && !take.awaitsEnd) return take.result(credits);
      throw fail(t`The music stream ended before it was complete.`, 'truncated');
    } catch (error) {
      if (error instanceof BadAudioChunk) throw fail(error.message, 'damaged', { cause: error });
      if (error instanceof LineTooLong)
        throw fail(t`The music service sent an invalid response.`, 'tooLarge', { cause: error });
      if (ServerError.is(error) && (error.reason === 'network' || error.reason === 'timeout'))
        throw fail(t`The music stream was interrupted: ${error.message}`, 'broken', { cause: error });
      throw error;
    } finally {
      // Ends the transfer if it was not read completely; otherwise harmless.
      reader.cancel().catch(() => undefined);
    }
  }

  async #lateTitles(
    rest: Generator<MusicEvent>,
    reader: ReadableStreamDefaultReader<Uint8Array>,
    lines: NdjsonReader,
    take: MusicTake,
    onEvent: (event: MusicEvent) => void,
  ): Promise<void> {
    const until = performance.now() + this.#bounds.afterEnd;
    const timer = setTimeout(() => void reader.cancel().catch(() => undefined), this.#bounds.afterEnd);
    const { quoted } = this.transport;
    try {
      for (let events = rest, done = false; ;) {
        for (const event of events) {
          if (event.type !== 'title') continue;
          take.add(event);
          onEvent(event);
        }
        if (done || performance.now() > until || lines.lines > this.#bounds.lines) return;
        const next = await reader.read();
        done = next.done;
        events = eventsOf(next.done ? lines.end() : lines.push(next.value), take, quoted);
      }
    } catch {
      return;
    } finally {
      clearTimeout(timer);
    }
  }
}

function refuseWrongInput({ prompt, seconds }: MusicRequest): void {
  const problem = musicPromptProblem(prompt) ?? musicDurationProblem(seconds);
  if (problem === undefined) return;
  throw new ServerError(problem, {
    reason: 'badRequest',
    endpoint: musicEndpoint,
    nextAction: t`Nothing was sent.`,
  });
}

/** Events one after the other: what was good before a damaged one counts. */
function* eventsOf(
  lines: readonly NdjsonLine[],
  take: MusicTake,
  quoted: QuotedSecrets,
): Generator<MusicEvent> {
  for (const line of lines) {
    if (line.kind === 'skipped') {
      take.skippedLines += 1;
      continue;
    }
    take.awaitsEnd ||= announcesEnd(line.value);
    // Audio bytes are not text.
    const { data } = line.value;
    const hidden = quoted.hide(musicWords(line.value));
    const event = readMusicEvent(data === undefined ? hidden : { ...hidden, data });
    if (event) yield event;
  }
}

function tookTooLong(): ServerError {
  return new ServerError(t`The music service took too long.`, { reason: 'timeout', endpoint: musicEndpoint });
}

function creditsOf(answer: StreamAnswer): number | undefined {
  const text = answer.headers.get('x-comfy-credits-used')?.trim() ?? '';
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

function webPage(status: number): ServerError {
  return new ServerError(t`The server sent a web page instead of music.`, {
    reason: 'unexpectedShape',
    endpoint: musicEndpoint,
    status,
    nextAction: t`Check the music service address in the settings.`,
  });
}
