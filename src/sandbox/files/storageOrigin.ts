import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AnswerFirst, Exchange, requestUrl } from '../http/exchange';
import { closeServer, listenOnLoopback } from '../http/loopback';
import type { RequestGuard } from '../http/requestGuard';
import { type FileStore, isArea, mediaType, type StoredFile } from './fileStore';
import { carriesCredential, type RequestLog } from '../http/requestLog';
import { t } from '../../core/safety/localize';

const lifetimeSeconds = 3_600;

/**
 * The cloud's storage host: a separate origin that serves only signed addresses. Requests with any credential are
 * refused, because none belongs there (protocol 1.7).
 */
export class StorageOrigin {
  readonly #server: Server;
  readonly #secret = randomBytes(32);
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

  /** @param reachedAs gives the address to sign instead of the sandbox's own. */
  async listen(reachedAs: (own: string) => Promise<string>): Promise<void> {
    this.#url = await reachedAs(await listenOnLoopback(this.#server, 0));
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  /** An address under which anyone can read the file until it expires. */
  sign(file: StoredFile, signedAt = Date.now()): string {
    const url = new URL('/sandbox-storage', this.#url);
    url.searchParams.set('type', file.type);
    url.searchParams.set('subfolder', file.subfolder);
    url.searchParams.set('name', file.filename);
    url.searchParams.set('X-Goog-Date', new Date(signedAt).toISOString());
    url.searchParams.set('X-Goog-Expires', String(lifetimeSeconds));
    url.searchParams.set('X-Goog-Signature', this.#signature(url));
    return url.href;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = requestUrl(request);
    const exchange = new Exchange(request, response, {}, 0);
    if (this.guard.isForeign(request)) {
      refuse(
        exchange,
        403,
        'AccessDenied',
        t`The request is for another host or comes from a page of another site.`,
      );
      return;
    }
    const seen = this.seen.add('storage', request, url);
    if (carriesCredential(seen)) {
      refuse(exchange, 400, 'InvalidArgument', t`A credential was sent to the storage host.`);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(exchange, 405, 'MethodNotAllowed', t`This address is read-only.`);
    } else if (!this.#isSigned(url)) {
      refuse(exchange, 403, 'SignatureDoesNotMatch', t`The signature doesn't match.`);
    } else if (isExpired(url)) {
      refuse(exchange, 400, 'ExpiredToken', t`The signed address has expired.`);
    } else {
      const file = fileOf(url);
      const content = file && this.files.find(file);
      if (!content) refuse(exchange, 404, 'NoSuchKey', t`There is no such file.`);
      else {
        const headers = { 'Content-Type': mediaType(content.file.filename) };
        await this.answerFirst(exchange, (asked) => asked.answerFile(content, headers));
      }
    }
  }

  #isSigned(url: URL): boolean {
    const given = Buffer.from(url.searchParams.get('X-Goog-Signature') ?? '', 'latin1');
    const right = Buffer.from(this.#signature(url), 'latin1');
    return given.byteLength === right.byteLength && timingSafeEqual(given, right);
  }

  #signature(url: URL): string {
    const names = ['type', 'subfolder', 'name', 'X-Goog-Date', 'X-Goog-Expires'];
    const signed = names.map((name) => url.searchParams.get(name) ?? '');
    return createHmac('sha256', this.#secret).update(JSON.stringify(signed)).digest('hex');
  }
}

function isExpired(url: URL): boolean {
  const signedAt = Date.parse(url.searchParams.get('X-Goog-Date') ?? '');
  const seconds = Number(url.searchParams.get('X-Goog-Expires'));
  return !(Date.now() < signedAt + seconds * 1000);
}

function fileOf(url: URL): StoredFile | undefined {
  const type = url.searchParams.get('type') ?? '';
  if (!isArea(type)) return undefined;
  return {
    type,
    subfolder: url.searchParams.get('subfolder') ?? '',
    filename: url.searchParams.get('name') ?? '',
  };
}

/** Storage hosts answer in XML. */
function refuse(exchange: Exchange, status: number, code: string, message: string): void {
  const body = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  exchange.answerText(status, body, 'application/xml; charset=UTF-8');
}
