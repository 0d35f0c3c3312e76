import { type IncomingMessage, ServerResponse } from 'node:http';
import { parseExact } from '../../core/json/boundedJson';
import type { ExactValue } from '../../core/json/exactValue';
import { jsonText } from './jsonText';

/** The body is larger than the server accepts: answered with 413. */
export class BodyTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`Maximum request body size ${limit} exceeded.`);
  }
}

export type AnswerHeaders = Readonly<Record<string, string>>;

/** One request and the answer to it. */
export class Exchange {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  #body: Promise<Buffer> | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** The path parameters of the route, decoded. */
    readonly params: Readonly<Record<string, string>>,
    private readonly maxBodyBytes: number,
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

  /**
   * The whole body; rejects with `BodyTooLarge`. Reads the rest of a body that is too large, so that the answer
   * arrives.
   */
  body(): Promise<Buffer> {
    this.#body ??= readBody(this.request, this.maxBodyBytes);
    return this.#body;
  }

  /** The body as JSON with every digit kept; rejects with `SyntaxError`. */
  async json(): Promise<ExactValue> {
    return parseExact((await this.body()).toString('utf8'));
  }

  /** The body as a form of either encoding; rejects with `TypeError`. */
  async form(): Promise<FormData> {
    const headers = { 'content-type': this.header('content-type') ?? '' };
    // It is deprecated for servers whose bodies have no bound: here one is bounded before it is read.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return new Response(Uint8Array.from(await this.body()), { headers }).formData();
  }

  answer(data: unknown): void {
    this.answerJson(200, data);
  }

  answerJson(status: number, data: unknown, headers: AnswerHeaders = {}): void {
    this.answerText(status, jsonText(data), 'application/json; charset=utf-8', headers);
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

  /** The same request with an answer that is thrown away. */
  unheard(): Exchange {
    const twin = new Exchange(this.request, new ServerResponse(this.request), this.params, this.maxBodyBytes);
    twin.#body = this.body();
    return twin;
  }

  /** Drops the connection without an answer. */
  drop(): void {
    this.request.socket.destroy();
  }
}

/** The requested address, with a host that means nothing. Never throws. */
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
