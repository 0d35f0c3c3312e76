import { pieceWords, type MusicProgress, type MusicStream } from '../core/client/music/musicTake';
import type { SavedTrack } from '../core/outputs/saveTracks';
import { CommandReport } from './commandReport';
import { plainText } from './terminal';
import type { MusicEvent } from './jsonEvents';
import { listText, plural, t } from '../core/safety/localize';

export class MusicReport extends CommandReport<MusicEvent> {
  readonly #before = new Map<number, MusicStream>();

  start(event: Extract<MusicEvent, { event: 'start' }>): void {
    this.emit(event);
    const price = musicPriceWords(event.estimatedCredits);
    this.say(t`Generating ${event.duration} s of music on ${event.server} (${price})`);
  }

  progress({ streams, expectedStreams }: MusicProgress, asked: number): void {
    for (const stream of streams) {
      const { streamIndex, title, tags, summary, bytes } = stream;
      const before = this.#before.get(streamIndex);
      this.#before.set(streamIndex, stream);
      if (before?.title !== title || before?.tags !== tags || before.summary !== summary) {
        this.emit({ event: 'title', ...trackIndexes(stream), title, tags, summary });
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

  saved(tracks: readonly SavedTrack[], partial: boolean): void {
    const { length } = tracks;
    const whole = plural(length, t`Saved 1 track:`, t`Saved ${length} tracks:`);
    this.say(partial ? t`Saved the partial track:` : whole);
    for (const { track, location, sha256 } of tracks) {
      const { bytes, seconds, title } = track;
      const file = { path: location, bytes, sha256 };
      this.emit({ event: 'saved', ...file, ...trackIndexes(track), seconds, title, partial });
      this.print(location);
    }
  }

  credits(used: number): void {
    this.emit({ event: 'credits', used });
    this.say(t`${used} credits used, according to the service`);
  }
}

function trackIndexes({ streamIndex: stream, promptIndex, copyIndex }: MusicStream) {
  return { stream, promptIndex, copyIndex };
}

function musicPriceWords(credits: number | null): string {
  if (credits === null) return t`price unknown`;
  return credits === 0 ? t`free of charge` : t`about ${credits.toFixed(1)} credits`;
}
