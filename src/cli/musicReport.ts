import { pieceWords, type MusicProgress, type MusicStream } from '../core/client/music/musicTake';
import type { SavedTrack } from '../core/outputs/saveTracks';
import { CommandReport } from './commandReport';
import { plainText } from './terminal';
import type { EndEvent } from './jsonEvents';
import { listText, plural, t } from '../core/safety/localize';

/** Reports a generation. */
export class MusicReport extends CommandReport<MusicJsonEvent> {
  readonly #before = new Map<number, MusicStream>();

  start(event: Extract<MusicJsonEvent, { event: 'start' }>): void {
    this.emit(event);
    const price = priceWords(event.estimatedCredits);
    this.say(t`Generating ${event.duration} s of music on ${event.server} (${price})`);
  }

  progress({ streams, expectedStreams }: MusicProgress, asked: number): void {
    for (const stream of streams) {
      const { streamIndex, title, tags, summary, bytes } = stream;
      const before = this.#before.get(streamIndex);
      this.#before.set(streamIndex, stream);
      if (before?.title !== title || before?.tags !== tags || before.summary !== summary) {
        this.emit({
          event: 'title',
          stream: streamIndex,
          ...indexesOf(stream),
          title,
          tags,
          summary,
        });
        if (title !== undefined || tags.length > 0) {
          const piece = expectedStreams > 1 || streams.length > 1 ? pieceWords(stream) : '';
          const list = tags.length > 0 ? ` (${listText(tags.map((tag) => plainText(tag)))})` : '';
          const words = `${title === undefined ? t`untitled` : plainText(title)}${list}`;
          this.say(piece === '' ? t`Title: ${words}` : t`Title of ${piece}: ${words}`);
        }
        if (summary !== undefined && before?.summary !== summary) this.say(plainText(summary));
      }
      const seconds = stream.seconds ?? 0;
      if (bytes !== (before?.bytes ?? 0))
        this.emit({ event: 'progress', stream: streamIndex, seconds, bytes });
    }
    const least = Math.min(...streams.map(({ seconds }) => seconds ?? 0));
    if (Number.isFinite(least)) this.display.passing(t`Received ${Math.floor(least)} of ${asked} s`);
  }

  /** The tracks: the result of the command, on standard output. */
  saved(tracks: readonly SavedTrack[], partial: boolean): void {
    const { length } = tracks;
    const whole = plural(length, t`Saved 1 track:`, t`Saved ${length} tracks:`);
    this.say(partial ? t`Saved the partial track:` : whole);
    for (const { track, location, sha256 } of tracks) {
      const { streamIndex, bytes, seconds, title } = track;
      this.emit({
        event: 'saved',
        path: location,
        bytes,
        sha256,
        stream: streamIndex,
        ...indexesOf(track),
        seconds,
        title,
        partial,
      });
      this.print(location);
    }
  }

  credits(used: number): void {
    this.emit({ event: 'credits', used });
    this.say(t`${used} credits used, according to the service`);
  }
}

function indexesOf({ promptIndex, copyIndex }: MusicStream) {
  return { promptIndex, copyIndex };
}

function priceWords(credits: number | null): string {
  if (credits === null) return t`price unknown`;
  return credits === 0 ? t`free of charge` : t`about ${credits.toFixed(1)} credits`;
}

/**
 * What `comfy-deck music --json` prints: one of these objects per line on standard output, and `end` is always the last.
 * Fields may be added; readers skip kinds they do not know.
 *
 * | event    | when                                                                       |
 * |----------|----------------------------------------------------------------------------|
 * | start    | first, once the arguments are parsed                                       |
 * | title    | the title or the tags of a stream arrived or changed                       |
 * | progress | more seconds of a stream arrived                                           |
 * | saved    | a track is complete on disk; `partial` if the stream broke off             |
 * | credits  | what the service says it charged                                           |
 * | error    | why it failed, and what to do                                              |
 * | end      | last: how it ended, and the exit code                                      |
 */
export type MusicJsonEvent =
  | {
      readonly event: 'start';
      readonly prompt: string;
      readonly duration: number;
      readonly server: string;
      readonly out: string;
      /** The approximate cost; 0 on the sandbox. */
      /** Null if the price is unknown. */
      readonly estimatedCredits: number | null;
    }
  | {
      readonly event: 'title';
      readonly stream: number;
      /** Which prompt and which copy of it this is, from 0; missing if the service does not say. */
      readonly promptIndex?: number | undefined;
      readonly copyIndex?: number | undefined;
      readonly title?: string | undefined;
      readonly tags: readonly string[];
      readonly summary?: string | undefined;
    }
  | { readonly event: 'progress'; readonly stream: number; readonly seconds: number; readonly bytes: number }
  | {
      readonly event: 'saved';
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly stream: number;
      readonly promptIndex?: number | undefined;
      readonly copyIndex?: number | undefined;
      readonly seconds?: number | undefined;
      readonly title?: string | undefined;
      readonly partial: boolean;
    }
  | { readonly event: 'credits'; readonly used: number }
  | EndEvent;
