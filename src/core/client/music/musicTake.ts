import { Mp4Duration } from './mp4Duration';
import type { MusicEvent } from '../../protocol/musicEvent';
import { joinBytes } from '../../protocol/ndjson';
import { listText, t } from '../../safety/localize';

export interface MusicStream {
  readonly streamIndex: number;
  readonly promptIndex?: number | undefined;
  readonly copyIndex?: number | undefined;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly bytes: number;
  /** Seconds of audio received; undefined until the file contains its times. */
  readonly seconds?: number | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
}

export interface MusicProgress {
  readonly streams: readonly MusicStream[];
  readonly expectedStreams: number;
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
  readonly tracks: readonly GeneratedTrack[];
  /** Credits charged, according to the service; undefined if it doesn't say. */
  readonly creditsUsed?: number | undefined;
  readonly cost?: MusicCost | undefined;
  /** Skipped lines that were not JSON objects. */
  readonly skippedLines: number;
}

/** A generation that ended as the contract describes it: without any audio. */
export const onlyTitles = () => t`The music service sent no audio.`;

/** Which prompt and which copy of it a track is, counted from 1; empty if unknown. */
export function pieceWords({
  promptIndex,
  copyIndex,
}: Pick<MusicStream, 'promptIndex' | 'copyIndex'>): string {
  return listText([
    promptIndex === undefined ? '' : t`prompt ${promptIndex + 1}`,
    copyIndex === undefined ? '' : t`copy ${copyIndex + 1}`,
  ]);
}

interface StreamParts {
  stream: MusicStream;
  readonly pieces: Uint8Array[];
  readonly clock: Mp4Duration;
}

export class MusicTake {
  readonly #parts = new Map<number, StreamParts>();
  #expectedStreams = 1;
  #cost: MusicCost | undefined;
  #audioBytes = 0;
  skippedLines = 0;
  /** A line came that only `complete` can follow. */
  awaitsEnd = false;

  get audioBytes(): number {
    return this.#audioBytes;
  }

  add(event: MusicEvent): void {
    switch (event.type) {
      case 'title':
        this.#retitle(event);
        return;
      case 'audioChunk':
        this.#append(event);
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
    };
  }

  get hasAudio(): boolean {
    return this.#audioBytes > 0;
  }

  get streams(): number {
    return this.#parts.size;
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

  #part(streamIndex: number): StreamParts {
    const known = this.#parts.get(streamIndex);
    if (known) return known;
    const part = { stream: { streamIndex, tags: [], bytes: 0 }, pieces: [], clock: new Mp4Duration() };
    this.#parts.set(streamIndex, part);
    return part;
  }

  /** A later title may contain more or less: what it omits stays. */
  #retitle(event: Extract<MusicEvent, { type: 'title' }>): void {
    const part = this.#part(event.streamIndex);
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
