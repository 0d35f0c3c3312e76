import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseExact } from '../../core/json/boundedJson';
import type { ExactValue } from '../../core/json/exactValue';
import { pythonJsonText } from './jsonText';

export class BodyTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`Maximum request body size ${limit} exceeded.`);
  }
}

export interface FileContent {
  readonly size: number;
  readonly modified: number;
  readonly read: (start: number, end: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export type AnswerHeaders = Readonly<Record<string, string>>;

/** May answer a request in place of the server, whose answer is the second argument. */
export type AnswerFirst = (
  exchange: Exchange,
  answer: (exchange: Exchange) => Promise<void>,
) => Promise<void>;

export class Exchange {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  #body: Promise<Buffer> | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly params: Readonly<Record<string, string>>,
    readonly maxBodyBytes: number,
  ) {
    const url = requestUrl(request);
    this.method = request.method ?? 'GET';
    this.path = url.pathname;
    this.query = url.searchParams;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  param(name: string): string {
    return this.params[name] ?? '';
  }

  /** A parameter of the query; empty if it is missing. */
  queryText(name: string): string {
    return this.query.get(name) ?? '';
  }

  /** Reads what is too large to its end, so that the answer arrives. @throws BodyTooLarge */
  body(): Promise<Buffer> {
    this.#body ??= readBody(this.request, this.maxBodyBytes);
    return this.#body;
  }

  /** Every digit of numbers is kept. @throws SyntaxError */
  async json(): Promise<ExactValue> {
    return parseExact((await this.body()).toString('utf8'));
  }

  /** @throws TypeError */
  async form(): Promise<FormData> {
    const headers = { 'content-type': this.header('content-type') ?? '' };
    // oxlint-disable-next-line no-deprecated -- Node advises against it for bodies without a bound; ours have one.
    return new Response(Uint8Array.from(await this.body()), { headers }).formData();
  }

  answer(data: unknown): void {
    this.answerJson(200, data);
  }

  answerJson(status: number, data: unknown, headers: AnswerHeaders = {}): void {
    this.answerText(status, pythonJsonText(data), 'application/json; charset=utf-8', headers);
  }

  answerText(
    status: number,
    text: string,
    type = 'text/plain; charset=utf-8',
    headers: AnswerHeaders = {},
  ): void {
    this.answerBytes(status, Buffer.from(text, 'utf8'), type, headers);
  }

  answerBytes(status: number, bytes: Uint8Array, type: string, headers: AnswerHeaders = {}): void {
    this.response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': String(bytes.byteLength),
      ...headers,
    });
    this.response.end(bytes);
  }

  /** Many answers of the local server have neither a body nor a type (protocol 4.1, error bodies). */
  answerEmpty(status: number, headers: AnswerHeaders = {}): void {
    this.response.writeHead(status, { 'Content-Length': '0', ...headers });
    this.response.end();
  }

  /** ETag, Last-Modified, one byte range, and conditional requests, as file servers have. */
  async answerFile({ size, modified, read }: FileContent, headers: AnswerHeaders): Promise<void> {
    const { response } = this;
    const etag = `"${modified.toString(16)}-${size.toString(16)}"`;
    const common = {
      ...headers,
      Etag: etag,
      'Last-Modified': new Date(modified).toUTCString(),
      'Accept-Ranges': 'bytes',
    };
    if (this.header('if-none-match') === etag) {
      response.writeHead(304, common).end();
      return;
    }
    const condition = this.header('if-range');
    const range =
      condition === undefined || condition === etag ? readRange(this.header('range'), size) : undefined;
    if (range === 'unsatisfiable') {
      this.answerEmpty(416, { 'Content-Range': `bytes */${size}` });
      return;
    }
    const { start, end } = range ?? { start: 0, end: size };
    response.writeHead(range ? 206 : 200, {
      ...common,
      'Content-Length': String(end - start),
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
    });
    if (this.method === 'HEAD') response.end();
    // A reader that disconnects is no failure.
    else await pipeline(Readable.from(read(start, end)), response).catch(() => undefined);
  }

  drop(): void {
    this.request.socket.destroy();
  }
}

/** The host of the address means nothing. Never throws. */
export function requestUrl({ url: target = '/' }: IncomingMessage): URL {
  // Only requests to a proxy contain an absolute address.
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target);
  return new URL(`http://127.0.0.1${target.startsWith('/') ? '' : '/'}${target}`);
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > limit) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > limit) throw new BodyTooLarge(limit);
  return Buffer.concat(chunks);
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

/** `{code, message}` on the cloud (protocol 2), `{error}` in the jobs API of local servers. */
export class RequestRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export function badRequest(message: string): RequestRefusal {
  return new RequestRefusal(400, 'INVALID_REQUEST', message);
}
