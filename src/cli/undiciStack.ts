// Importing all of undici, or only its fetch, would load much more code, and the rest is unused.
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip, constants } from 'node:zlib';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { FormPart, HttpStack } from '../core/client/httpStack';

/** Turned into a form of undici's own once it is sent: few commands upload anything. */
class UnsentForm {
  constructor(readonly parts: readonly FormPart[]) {}
}

/** Has its own connections and leaves the global ones alone. The client has its own timeouts, so undici's are off. */
export function undiciStack(): HttpStack & { close(): Promise<void> } {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  return {
    async fetch(url, { method, headers, body: sent, signal }) {
      const { origin, pathname, search } = new URL(url);
      const content =
        sent instanceof UnsentForm ? (await import('./undiciForm')).undiciForm(sent.parts) : sent;
      const answer = await request.call(agent, {
        ...{ origin, path: pathname + search, method, signal },
        headers: { 'User-Agent': 'node', 'Accept-Encoding': 'gzip, br', ...headers },
        body: (content ?? null) as string | Uint8Array | null,
      });
      const get = (name: string): string | null => {
        const value = answer.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      };
      const body = webStream(decodedBody(answer.body, get('content-encoding')));
      return { status: answer.statusCode, headers: { get }, body };
    },
    form: (parts) => new UnsentForm(parts),
    close: () => agent.destroy(),
  };
}

/** A body that ends too early is cut off like one that isn't compressed. */
function decodedBody(body: Readable, coding: string | null): Readable {
  const name = coding?.trim().toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(name)) return body;
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const decoder = name === 'br' ? createBrotliDecompress() : createUnzip(flush);
  // Its error is that of the decoder.
  return pipeline(body, decoder, () => undefined);
}

/** Unlike Node's own, it can be cancelled while undici still has bytes for it. */
function webStream(body: Readable): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  // What reads the pieces gets it, too, if anything does.
  body.on('error', () => undefined);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}
