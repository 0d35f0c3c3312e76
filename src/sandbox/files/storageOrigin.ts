import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AnswerFirst, Exchange, requestUrl } from '../http/exchange';
import { closeServer, listenOnLoopback, type RequestGuard } from '../http/requestGuard';
import { type FileStore, mediaType, type StoredFile } from './fileStore';
import { carriesCredential, type RequestLog } from '../http/requestLog';
import { t } from '../../core/safety/localize';

const lifetimeSeconds = 3_600;
const mostSigned = 10_000;

/** Serves signed addresses only, and refuses credentials, which don't belong there (protocol 1.7). */
export class StorageOrigin {
  readonly #server: Server;
  readonly #signed = new Map<string, StoredFile>();
  #url = '';

  constructor(
    private readonly files: FileStore,
    private readonly seen: RequestLog,
    private readonly guard: RequestGuard,
    private readonly answerFirst: AnswerFirst,
  ) {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  get url(): string {
    return this.#url;
  }

  /** @param reachedAs gives the address to sign */
  async listen(reachedAs: (own: string) => Promise<string>): Promise<void> {
    this.#url = await reachedAs(await listenOnLoopback(this.#server, 0));
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  sign(file: StoredFile, signedAt = Date.now()): string {
    const url = new URL('/sandbox-storage', this.#url);
    url.searchParams.set('name', file.filename);
    url.searchParams.set('X-Goog-Date', new Date(signedAt).toISOString());
    url.searchParams.set('X-Goog-Expires', String(lifetimeSeconds));
    url.searchParams.set('X-Goog-Signature', randomBytes(32).toString('hex'));
    this.#signed.set(url.href, file);
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > mostSigned && oldest !== undefined) this.#signed.delete(oldest);
    return url.href;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = requestUrl(request);
    const exchange = new Exchange(request, response, {}, 0);
    if (this.guard.isForeign(request)) {
      const why = t`The request is for another host or comes from a page of another site.`;
      refuse(exchange, 403, 'AccessDenied', why);
      return;
    }
    const seen = this.seen.add('storage', request, url);
    const file = this.#signed.get(new URL(`${url.pathname}${url.search}`, this.#url).href);
    if (carriesCredential(seen)) {
      refuse(exchange, 400, 'InvalidArgument', t`A credential was sent to the storage host.`);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(exchange, 405, 'MethodNotAllowed', t`This address is read-only.`);
    } else if (!file) {
      refuse(exchange, 403, 'SignatureDoesNotMatch', t`The signature doesn't match.`);
    } else if (isExpired(url)) {
      refuse(exchange, 400, 'ExpiredToken', t`The signed address has expired.`);
    } else {
      const content = this.files.find(file);
      if (!content) refuse(exchange, 404, 'NoSuchKey', t`There is no such file.`);
      else {
        const headers = { 'Content-Type': mediaType(content.file.filename) };
        await this.answerFirst(exchange, (asked) => asked.answerFile(content, headers));
      }
    }
  }
}

function isExpired(url: URL): boolean {
  const signedAt = Date.parse(url.searchParams.get('X-Goog-Date') ?? '');
  return !(Date.now() < signedAt + lifetimeSeconds * 1000);
}

function refuse(exchange: Exchange, status: number, code: string, message: string): void {
  const body = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  exchange.answerText(status, body, 'application/xml; charset=UTF-8');
}
