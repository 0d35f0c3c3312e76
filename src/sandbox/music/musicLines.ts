import { t } from '../../core/safety/localize';
import { seededRandom } from '../drawing/random';
import tune from './tune.m4a';

export interface MusicPlan {
  readonly prompt: string;
  readonly seconds: number;
  readonly streams: number;
  /** Only the one documented line, so no audio (contract 6.3). */
  readonly titlesOnly: boolean;
}

/** Not a multiple of three, so that base64 needs padding; fragments are split anywhere. */
const chunkBytes = 3001;

/** In order (protocol 5.3). */
export function* musicLines(plan: MusicPlan): Generator<string> {
  for (let stream = 0; stream < plan.streams; stream += 1) yield jsonLine(titleEvent(plan, stream));
  if (plan.titlesOnly) return;
  yield jsonLine({ type: 'duration', duration_sec: plan.seconds });
  for (const event of audioEvents(plan)) yield jsonLine(event);
  const rate = 0.0025;
  const price = (rate * plan.seconds * plan.streams).toFixed(4);
  yield jsonLine({
    type: 'cost',
    billing_rate_per_sec: String(rate),
    billing_before_discount: price,
    billing_after_discount: price,
    discount_factor: '1',
  });
  yield jsonLine({ type: 'complete' });
}

function* audioEvents({ prompt, seconds, streams }: MusicPlan): Generator<object> {
  const first = textSeed(prompt);
  const files = Array.from({ length: streams }, (_, stream) => tuneFile(seconds, first + 2 * stream));
  const longest = Math.max(...files.map((file) => file.length));
  for (let at = 0; at < longest; at += chunkBytes) {
    for (const [stream, file] of files.entries()) {
      const piece = file.subarray(at, at + chunkBytes);
      if (piece.length === 0) continue;
      yield {
        type: 'audio_chunk',
        data: Buffer.from(piece).toString('base64'),
        stream_index: stream,
        num_streams: streams,
        sample_rate: 44_100,
        channels: 2,
      };
    }
  }
}

function titleEvent({ prompt }: MusicPlan, stream: number): object {
  const { title, tags, summary } = musicWords(prompt, stream);
  return {
    type: 'title',
    title,
    display_tags: tags,
    stream_index: stream,
    prompt_index: 0,
    copy_index: stream,
    summary,
  };
}

function jsonLine(event: object): string {
  return `${JSON.stringify(event)}\n`;
}

const openings = 'Quiet Golden Slow Bright Hidden Paper Northern Soft'.split(' ');
const things = 'Harbour Lanterns Orchard Tide Staircase Meadow Signal Clockwork'.split(' ');
const moods = 'calm warm dreamy hopeful gentle'.split(' ');
const sounds = ['sine pads', 'soft lead', 'chords', 'melody'];

function musicWords(
  prompt: string,
  stream: number,
): { readonly title: string; readonly tags: readonly string[]; readonly summary: string } {
  const random = seededRandom(textSeed(prompt) + stream);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const title = `${pick(openings)} ${pick(things)}`;
  const asked = prompt
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3)
    .slice(0, 2);
  const tags = [...new Set([...asked, pick(moods), pick(sounds), '72 BPM'])];
  return { title, tags, summary: t`A sandbox tune in the spirit of “${prompt.trim().slice(0, 80)}”.` };
}

export function textSeed(text: string): number {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return seed;
}

/** AAC in fragmented MP4, made by test/support/makeTune.ts. Joining fragments gives any duration without an encoder. */
interface TuneFile {
  /** `ftyp` and `moov`. */
  readonly head: Uint8Array;
  /** Each a `moof` with its `mdat`. */
  readonly fragments: readonly Buffer[];
}

const fragmentSamples = 43 * 1024;
const rate = 44_100;

let read: TuneFile | undefined;

/** Whole fragments of about a second. @param start the first fragment, which makes another piece of the same tune */
export function tuneFile(seconds: number, start: number): Uint8Array {
  read ??= readTune(tune);
  const { head, fragments } = read;
  const count = Math.max(1, Math.round((seconds * rate) / fragmentSamples));
  const pieces = Array.from({ length: count }, (_, place) => {
    const fragment = fragments[(start + place) % fragments.length];
    return fragment ? placed(fragment, place) : Buffer.alloc(0);
  });
  return Buffer.concat([head, ...pieces]);
}

function readTune(bytes: Uint8Array): TuneFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'moof') starts.push(at);
  }
  return {
    head: file.subarray(0, starts[0]),
    fragments: starts.map((start, index) => file.subarray(start, starts[index + 1] ?? file.length)),
  };
}

function placed(fragment: Buffer, place: number): Buffer {
  const copy = Buffer.from(fragment);
  copy.writeUInt32BE(place + 1, copy.indexOf('mfhd') + 8);
  const time = copy.indexOf('tfdt') + 4;
  const ticks = place * fragmentSamples;
  if (copy[time] === 1) copy.writeBigUInt64BE(BigInt(ticks), time + 4);
  else copy.writeUInt32BE(ticks, time + 4);
  return copy;
}
