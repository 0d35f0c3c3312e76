import { BadAudioChunk, readMusicEvent, type MusicEvent } from '../../protocol/musicEvent';
import { LineTooLong, NdjsonReader } from '../../protocol/ndjson';
import { budgets } from '../../safety/budgets';
import { MusicTake, type MusicResult } from './musicTake';

/** The recorded part of an event while music arrives: the audio and its stream, but no text from the service. */
export function recordedLine(event: MusicEvent): string | undefined {
  if (event.type === 'title') {
    const { streamIndex, promptIndex, copyIndex } = event;
    const numbers = { stream_index: streamIndex, prompt_index: promptIndex, copy_index: copyIndex };
    return promptIndex === undefined && copyIndex === undefined
      ? undefined
      : `${JSON.stringify({ type: 'title', ...numbers })}\n`;
  }
  if (event.type !== 'audioChunk') return undefined;
  const { bytes, streamIndex, streams, sampleRate, channels } = event;
  const fields = { stream_index: streamIndex, num_streams: streams, sample_rate: sampleRate, channels };
  return `${JSON.stringify({ type: 'audio_chunk', ...fields, data: Buffer.from(bytes).toString('base64') })}\n`;
}

export const recordedEnd = '{"type":"complete"}\n';

/** Assembles what was recorded before a window closed, as far as it is complete; undefined when nothing is playable. */
export async function readRecording(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly result: MusicResult; readonly complete: boolean } | undefined> {
  const take = new MusicTake();
  const reader = new NdjsonReader(budgets.musicLineBytes);
  let complete = false;
  try {
    for await (const chunk of chunks) {
      for (const line of reader.push(chunk)) {
        const event = line.kind === 'object' ? readMusicEvent(line.value) : undefined;
        if (event?.type === 'complete') complete = true;
        else if (event) take.add(event);
      }
      if (take.audioBytes > budgets.musicStreamBytes) break;
    }
  } catch (error) {
    // A line that was being written when the window went ends the recording.
    if (!(error instanceof BadAudioChunk || error instanceof LineTooLong)) throw error;
  }
  return take.hasAudio ? { result: take.result(undefined), complete } : undefined;
}
