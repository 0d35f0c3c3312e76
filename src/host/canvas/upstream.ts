import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
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

export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
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
  ): Promise<IncomingMessage> {
    const { protocol, hostname, port, pathname } = new URL(`${this.base}/`);
    const options = {
      method,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: pathname.slice(0, -1) + target,
      headers: { ...headers, ...(await this.key()) },
      timeout: budgets.canvasSilence,
    };
    return new Promise((resolve, reject) => {
      const sent = protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      if (!(body instanceof Readable)) sent.end(body);
      else {
        body.on('close', () => {
          if (!body.readableEnded) sent.destroy();
        });
        body.pipe(sent);
      }
    });
  }

  /** Reads a whole answer. @throws BodyBound */
  async fetch(target: string, headers: OutgoingHttpHeaders = {}): Promise<WholeAnswer> {
    const answer = await this.send('GET', target, headers, new Uint8Array());
    const body = await boundedBody(answer, budgets.canvasAnswer);
    return { status: answer.statusCode ?? 502, headers: answer.headers, body };
  }

  /** Undefined if the server doesn't accept it. */
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
      socket.on('open', () => resolve(socket));
      socket.on('error', () => {
        socket.terminate();
        resolve(undefined);
      });
    });
  }
}
