import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import { normaliseBase } from '../../core/client/address';
import { budgets } from '../../core/safety/budgets';

/** A body is larger than anything that a page sends or a server answers here. */
export class BodyBound extends Error {}

/** @throws BodyBound */
export async function boundedBody(from: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of from) {
    size += chunk.byteLength;
    if (size > most) throw new BodyBound();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The ComfyUI server behind a proxy. Nobody but this adds its key. Redirects are not followed. */
export class Upstream {
  /** Without a slash at the end. */
  readonly base: string;

  /** @param key the header with the key, asked for before each request, because the user may sign out */
  constructor(
    url: string,
    private readonly key: () => Promise<Readonly<Record<string, string>>>,
  ) {
    this.base = normaliseBase(url);
  }

  /** @param target path and query as they are sent. Resolves with the answer's head; rejects if there is none. */
  async send(
    method: string,
    target: string,
    headers: OutgoingHttpHeaders,
    body: Readable | Uint8Array,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const { protocol, hostname, port, pathname } = new URL(`${this.base}/`);
    const options = {
      method,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: pathname.slice(0, -1) + target,
      headers: { ...headers, ...(await this.key()) },
      timeout: budgets.canvasSilence,
      ...(signal && { signal }),
    };
    return new Promise((resolve, reject) => {
      const sent = protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      if (body instanceof Readable) body.pipe(sent);
      else sent.end(body);
    });
  }

  /** Reads a whole answer. @throws BodyBound */
  async fetch(target: string, headers: OutgoingHttpHeaders = {}, signal?: AbortSignal) {
    const answer = await this.send('GET', target, headers, new Uint8Array(), signal);
    const body = await boundedBody(answer, budgets.canvasAnswer);
    const { statusCode = 502, headers: sent } = answer;
    // What is compressed although that wasn't wanted can't be read.
    return { status: sent['content-encoding'] === undefined ? statusCode : 502, headers: sent, body };
  }

  /** Undefined if the server doesn't accept it. Paused: its first message must not come before anyone hears it. */
  async connect(target: string, headers: OutgoingHttpHeaders): Promise<WebSocket | undefined> {
    const sent = Object.entries({ ...headers, ...(await this.key()) });
    const socket = new WebSocket(this.base.replace(/^http/, 'ws') + target, {
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: budgets.socketFrame,
      handshakeTimeout: budgets.canvasStart,
    });
    return new Promise((resolve) => {
      socket.on('open', () => {
        socket.pause();
        resolve(socket);
      });
      socket.on('error', () => {
        socket.terminate();
        resolve(undefined);
      });
    });
  }
}
