import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultController } from '../faults/faultController';
import type { Exchange } from '../http/exchange';
import type { StoredContent } from './fileStore';

/**
 * Sends a stored file as a file server does, with ETag, Last-Modified, one byte range and conditional requests, and
 * with the faults for files.
 */
export async function sendFile(
  exchange: Exchange,
  content: StoredContent,
  faults: FaultController,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const huge = faults.strike('hugeFile');
  const size = huge?.bytes ?? content.bytes.byteLength;
  const etag = `"${content.modified.toString(16)}-${size.toString(16)}"`;
  const common = {
    ...headers,
    Etag: etag,
    'Last-Modified': new Date(content.modified).toUTCString(),
    'Accept-Ranges': 'bytes',
  };
  if (exchange.header('if-none-match') === etag) {
    exchange.response.writeHead(304, common).end();
    return;
  }
  const condition = exchange.header('if-range');
  const range =
    condition === undefined || condition === etag ? readRange(exchange.header('range'), size) : undefined;
  if (range === 'unsatisfiable') {
    exchange.response.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': '0' }).end();
    return;
  }
  const start = range?.start ?? 0;
  const end = range?.end ?? size;
  exchange.response.writeHead(range ? 206 : 200, {
    ...common,
    'Content-Length': String(end - start),
    ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${size}` } : {}),
  });
  if (exchange.method === 'HEAD') {
    exchange.response.end();
    return;
  }
  const source = huge ? madeUpBytes(start, end) : [content.bytes.subarray(start, end)];
  await sendBody(exchange.response, source, faults);
}

async function sendBody(
  response: ServerResponse,
  source: Iterable<Uint8Array>,
  faults: FaultController,
): Promise<void> {
  const slow = faults.strike('slowFile');
  const broken = faults.strike('brokenDownload');
  const pieces = broken ? first(source, broken.afterBytes) : source;
  const paced = slow ? inPieces(pieces, slow.chunkBytes, slow.pauseMs) : pieces;
  try {
    await pipeline(Readable.from(paced, { objectMode: true }), response, { end: !broken });
  } catch {
    // The reader disconnected.
    return;
  }
  // The bytes must leave the process before the connection is dropped.
  if (broken) response.write('', () => setTimeout(() => response.destroy(), 20));
}

const madeUpStep = 256 * 1024;
/** Repeats every 251 bytes, so that a misplaced piece is noticed. */
const madeUpPattern = Uint8Array.from({ length: madeUpStep + 251 }, (_, at) => at % 251);

/** Bytes of a file that is not stored: the byte at an offset is the offset modulo 251. */
function* madeUpBytes(start: number, end: number): Iterable<Uint8Array> {
  for (let at = start; at < end; at += madeUpStep) {
    const offset = at % 251;
    yield madeUpPattern.subarray(offset, offset + Math.min(madeUpStep, end - at));
  }
}

function* first(source: Iterable<Uint8Array>, bytes: number): Iterable<Uint8Array> {
  let left = bytes;
  for (const chunk of source) {
    if (left <= 0) return;
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
  }
}

async function* inPieces(
  source: Iterable<Uint8Array>,
  bytes: number,
  pauseMs: number,
): AsyncIterable<Uint8Array> {
  for (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; at += bytes) {
      yield chunk.subarray(at, at + bytes);
      await sleep(pauseMs);
    }
  }
}

function readRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}
