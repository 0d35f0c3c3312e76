import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultSettings } from './faultOptions';

export interface MusicFaults {
  readonly broken: FaultSettings<'musicBreak'> | undefined;
  readonly odd: boolean;
}

export async function* faultyMusic(
  lines: Iterable<string>,
  { broken, odd }: MusicFaults,
  gone: AbortSignal,
): AsyncGenerator<string | Buffer> {
  let chunks = 0;
  for (const line of lines) {
    const { type, data } = JSON.parse(line) as { readonly type: string; readonly data?: string };
    if (broken?.how === 'noAudio' && data !== undefined) continue;
    const isOver = type === 'cost' || (data !== undefined && chunks >= (broken?.afterChunks ?? 0));
    if (broken && broken.how !== 'noAudio' && isOver) {
      yield* breaking(broken, gone);
      return;
    }
    const text = odd && data !== undefined ? line.replace(data, () => oddBase64(data, chunks)) : line;
    if (data !== undefined) chunks += 1;
    yield* odd ? crumbs(text) : [text];
    if (odd && type === 'duration') for (const stray of oddities) yield* crumbs(stray);
  }
  // An answer of titles alone has no audio before it breaks.
  if (broken?.how === 'drop' || broken?.how === 'stall') yield* breaking(broken, gone);
}

const badAudio: Readonly<Partial<Record<FaultSettings<'musicBreak'>['how'], object>>> = {
  badBase64: { type: 'audio_chunk', data: 'AAAA*AAA', stream_index: 0 },
  missingData: { type: 'audio_chunk', stream_index: 0 },
  badIndex: { type: 'audio_chunk', data: 'AAAA', stream_index: 'first' },
};

async function* breaking(
  { how, code, message }: FaultSettings<'musicBreak'>,
  gone: AbortSignal,
): AsyncGenerator<string> {
  if (how === 'stall') await once(gone, 'abort');
  if (how === 'drop') {
    // The written bytes have to arrive first: without any, a client would see a different failure.
    await nextTurn();
    throw new Error('The connection is dropped.');
  }
  if (how === 'error') yield jsonLine({ type: 'error', code, message });
  const bad = badAudio[how];
  if (bad) yield jsonLine(bad) + jsonLine({ type: 'complete' });
  if (how !== 'endlessLine') return;
  yield '{"type":"';
  for (let part = 0; part < 40; part += 1) yield 'a'.repeat(2 ** 20);
}

const oddities = [
  '\r\n',
  '\n',
  'this is no JSON\n',
  '[1, 2]\n',
  'null\n',
  '{"type":"stage_start","stage":"compose"}\r\n',
  '{"type":"something_new","data":{"deep":[]}}\n',
  '{"type":"title","title":7,"display_tags":"none","stream_index":0}\n',
  '{"type":"generated_audio","sample_rate":44100,"channels":2,"duration_sec_by_stream":[null]}\n',
  '{"no":"type"}\n',
];

/** Encodings of the same bytes that a strict reader still accepts. */
function oddBase64(data: string, chunk: number): string {
  if (chunk % 3 === 0) return data.replace(/=+$/, '');
  return chunk % 3 === 1 ? `${data.slice(0, 8)}\\n ${data.slice(8)}` : data;
}

function jsonLine(event: object): string {
  return `${JSON.stringify(event)}\n`;
}

/** Pieces of one to seven bytes, so that multi-byte characters are split too; the last line does not end. */
function crumbs(text: string): Buffer[] {
  const bytes = Buffer.from(text === '{"type":"complete"}\n' ? text.trimEnd() : text);
  // Audio lines are long: a few small pieces at their start are enough.
  const crumbled = Math.min(bytes.length, 200);
  const pieces: Buffer[] = [];
  for (let at = 0, size = 1; at < crumbled; at += size, size = (size % 7) + 1)
    pieces.push(bytes.subarray(at, Math.min(at + size, crumbled)));
  return bytes.length > crumbled ? [...pieces, bytes.subarray(crumbled)] : pieces;
}
