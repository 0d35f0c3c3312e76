import { pieceWords, type MusicProgress, type MusicStream } from '../../core/client/music/musicTake';
import { plainText } from '../../core/safety/plainText';
import type { MusicGeneration, MusicStreamView } from '../../webview/contract/music';

/** The view of music being generated. */
export function generationOf(prompt: string, seconds: number, { streams }: MusicProgress): MusicGeneration {
  return { prompt, seconds, stage: 'receiving', streams: streamViews(streams) };
}

/** The view of the streams so far. */
export function streamViews(streams: readonly MusicStream[]): MusicStreamView[] {
  return streams.map((stream) => streamView(stream, streams.length > 1));
}

function streamView(stream: MusicStream, isOneOfSeveral: boolean): MusicStreamView {
  const { streamIndex, title, tags, summary, seconds, bytes } = stream;
  const plain = (text: string | undefined): string | undefined => text && plainText(text);
  const plainTags = tags.map((tag) => plainText(tag));
  return {
    index: streamIndex,
    piece: isOneOfSeveral ? pieceWords(stream) : undefined,
    title: plain(title),
    tags: plainTags,
    summary: plain(summary),
    seconds,
    bytes,
  };
}
