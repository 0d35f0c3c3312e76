import { Mp4Duration } from './mp4Duration';
import { BadAudioChunk, type MusicEvent } from '../../protocol/musicEvent';
import { joinBytes } from '../../protocol/ndjson';
import { budgets } from '../../safety/budgets';
import { listText, t } from '../../safety/localize';

/** What is known of one stream of a generation so far: one piece of music, a variant where there are several. */
export interface MusicStream {
  readonly streamIndex: number;
  readonly promptIndex?: number | undefined;
  readonly copyIndex?: number | undefined;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly bytes: number;
  /** Seconds of audio that have come; undefined until the file tells. */
  readonly seconds?: number | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
}

export interface MusicProgress {
  /** By index. */
  readonly streams: readonly MusicStream[];
  /** How many there will be, as far as is known. */
  readonly expectedStreams: number;
  /** Seconds that the service means to make; undefined where it does not say. */
  readonly announcedSeconds?: number | undefined;
}

export interface MusicCost {
  readonly ratePerSecond?: string | undefined;
  readonly beforeDiscount?: string | undefined;
  readonly afterDiscount?: string | undefined;
  readonly discountFactor?: string | undefined;
}

/** A stream with its file: fragmented MP4 with AAC, the chunks one after the other (protocol 5.3). */
export interface GeneratedTrack extends MusicStream {
  readonly audio: Uint8Array<ArrayBuffer>;
}

export interface MusicResult {
  /** Those with audio, by index. */
  readonly tracks: readonly GeneratedTrack[];
  /** Credits that the service says it took; undefined where it does not say. */
  readonly creditsUsed?: number | undefined;
  readonly cost?: MusicCost | undefined;
  /** Lines that were no JSON object and were passed over. */
  readonly skippedLines: number;
}

/** Which prompt and which copy of it a piece is, for people, who count from 1; empty where nothing tells. */
export function pieceWords({
  promptIndex,
  copyIndex,
}: Pick<MusicStream, 'promptIndex' | 'copyIndex'>): string {
  return listText([
    ...(promptIndex === undefined ? [] : [t`prompt ${promptIndex + 1}`]),
    ...(copyIndex === undefined ? [] : [t`copy ${copyIndex + 1}`]),
  ]);
}

interface StreamParts {
  stream: MusicStream;
  readonly pieces: Uint8Array[];
  readonly clock: Mp4Duration;
}

/** Puts the events of one generation together; streams are kept apart by their index. */
export class MusicTake {
  readonly #parts = new Map<number, StreamParts>();
  #expectedStreams = 1;
  #announcedSeconds: number | undefined;
  #cost: MusicCost | undefined;
  #audioBytes = 0;
  skippedLines = 0;

  get audioBytes(): number {
    return this.#audioBytes;
  }

  /**
   * Takes an event that belongs to the music; `complete` and `error` are for the caller.
   * @throws BadAudioChunk where there are too many streams
   */
  add(event: MusicEvent): void {
    switch (event.type) {
      case 'title':
        this.#retitle(event);
        return;
      case 'duration':
        this.#announcedSeconds = event.seconds;
        return;
      case 'audioChunk':
        this.#append(event);
        return;
      case 'generatedAudio':
        this.#announcedSeconds =
          Math.max(...(event.secondsByStream ?? []), this.#announcedSeconds ?? 0) || undefined;
        return;
      case 'cost': {
        const { ratePerSecond, beforeDiscount, afterDiscount, discountFactor } = event;
        this.#cost = { ratePerSecond, beforeDiscount, afterDiscount, discountFactor };
        return;
      }
      case 'complete':
      case 'error':
        return;
    }
  }

  progress(): MusicProgress {
    return {
      streams: this.#sorted().map(({ stream }) => stream),
      expectedStreams: Math.max(this.#expectedStreams, this.#parts.size),
      announcedSeconds: this.#announcedSeconds,
    };
  }

  /** Whether there is anything to hear. */
  get hasAudio(): boolean {
    return this.#audioBytes > 0;
  }

  result(creditsUsed: number | undefined): MusicResult {
    const tracks = this.#sorted()
      .filter(({ stream }) => stream.bytes > 0)
      .map(({ stream, pieces }) => ({ ...stream, audio: joinBytes(pieces, stream.bytes) }));
    return { tracks, creditsUsed, cost: this.#cost, skippedLines: this.skippedLines };
  }

  #sorted(): StreamParts[] {
    return [...this.#parts.values()].sort((a, b) => a.stream.streamIndex - b.stream.streamIndex);
  }

  /** Undefined for one more stream than are taken. */
  #part(streamIndex: number): StreamParts | undefined {
    const known = this.#parts.get(streamIndex);
    if (known) return known;
    if (this.#parts.size >= budgets.musicStreams) return undefined;
    const part = { stream: { streamIndex, tags: [], bytes: 0 }, pieces: [], clock: new Mp4Duration() };
    this.#parts.set(streamIndex, part);
    return part;
  }

  /** A later title may bring more, or less: what it leaves out stays as it was. */
  #retitle(event: Extract<MusicEvent, { type: 'title' }>): void {
    const part = this.#part(event.streamIndex);
    if (!part) return;
    const { stream } = part;
    part.stream = {
      ...stream,
      promptIndex: event.promptIndex ?? stream.promptIndex,
      copyIndex: event.copyIndex ?? stream.copyIndex,
      title: event.title ?? stream.title,
      tags: event.displayTags ?? stream.tags,
      summary: event.summary ?? stream.summary,
    };
  }

  #append(event: Extract<MusicEvent, { type: 'audioChunk' }>): void {
    const part = this.#part(event.streamIndex);
    if (!part) throw new BadAudioChunk(t`The music service sent too many pieces.`);
    part.pieces.push(event.bytes);
    part.clock.push(event.bytes);
    this.#audioBytes += event.bytes.length;
    this.#expectedStreams = Math.max(this.#expectedStreams, event.streams ?? 1);
    part.stream = {
      ...part.stream,
      bytes: part.stream.bytes + event.bytes.length,
      seconds: part.clock.seconds,
      sampleRate: event.sampleRate ?? part.stream.sampleRate,
      channels: event.channels ?? part.stream.channels,
    };
  }
}
