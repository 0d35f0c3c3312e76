import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import type { FormPart, HttpAnswer, HttpInit, HttpStack } from '../core/client/httpStack';

/** How long to wait for a connection, and how long one without a request stays open, ms. */
const longestConnecting = 10_000;
const idleFor = 4_000;

class MultipartBody {
  readonly mime: string;

  constructor(
    boundary: string,
    readonly chunks: readonly Uint8Array[],
  ) {
    this.mime = `multipart/form-data; boundary=${boundary}`;
  }
}

/**
 * HTTP of Node, with connections of its own. A request that finds none to reuse opens one; a server may close one that
 * is idle just as a prompt is sent, so none is kept for long.
 */
export function nodeStack(): HttpStack & { close(): Promise<void> } {
  const options = { keepAlive: true, timeout: idleFor };
  const [agent, secureAgent] = [new http.Agent(options), new https.Agent(options)];
  return {
    fetch: (url, init) => {
      const isSecure = /^https:/i.test(url);
      return answerTo(url, init, isSecure ? https.request : http.request, isSecure ? secureAgent : agent);
    },
    form: multipartBody,
    close: () => {
      for (const each of [agent, secureAgent]) each.destroy();
      return Promise.resolve();
    },
  };
}

function answerTo(
  url: string,
  { method, headers, body, signal }: HttpInit,
  open: typeof http.request,
  agent: http.Agent,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const form = body instanceof MultipartBody ? body : undefined;
    const whole = typeof body === 'string' ? Buffer.from(body) : body;
    const chunks = form?.chunks ?? (whole instanceof Uint8Array ? [whole] : []);
    const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const request = open(url, {
      method,
      agent,
      signal,
      headers: {
        'User-Agent': 'node',
        'Accept-Encoding': 'gzip, br',
        ...headers,
        ...(form && { 'Content-Type': form.mime }),
        ...(method !== 'GET' && { 'Content-Length': length }),
      },
    });
    request.on('error', reject);
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const end = (): unknown =>
        request.destroy(Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' }));
      const timer = setTimeout(end, longestConnecting);
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
    });
    request.on('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: { get: (name) => headerOf(response, name) },
        body: Readable.toWeb(decodedBody(response)) as ReadableStream<Uint8Array>,
      });
    });
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** A body that ends too early is cut off like one that isn't compressed. */
function decodedBody(response: IncomingMessage): Readable {
  const coding = headerOf(response, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(coding)) return response;
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const decoder = coding === 'br' ? createBrotliDecompress() : createUnzip(flush);
  // Its error is that of the decoder.
  return pipeline(response, decoder, () => undefined);
}

function multipartBody(parts: readonly FormPart[]): MultipartBody {
  const boundary = `comfy-deck-${randomUUID()}`;
  const chunks = parts.flatMap((part) => {
    const isText = 'text' in part;
    const file = isText ? '' : `; filename="${quotedName(part.filename)}"`;
    const type = isText ? '' : `Content-Type: ${part.mime ?? 'application/octet-stream'}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quotedName(part.name)}"${file}\r\n${type}\r\n`;
    return [Buffer.from(head), isText ? Buffer.from(part.text) : part.bytes, Buffer.from('\r\n')];
  });
  return new MultipartBody(boundary, [...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** As browsers write names in a form. */
function quotedName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
