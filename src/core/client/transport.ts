import type * as z from 'zod';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import { QuotedSecrets, Secrets } from '../safety/secrets';
import { endpointUrl, mayCarryCredential, normaliseBase, unsafeAddress } from './address';
import { contentLength, readText } from './answerBody';
import { endpointText, readAnswer, redirectError } from './answerShape';
import { type Credential, type CredentialSource, carriesKey, credentialHeader } from './credential';
import type { HttpAnswer, HttpStack } from './httpStack';
import { networkError, timeoutError } from './networkError';
import { bodyWithoutSecrets } from './quotedBody';
import type { RequestOptions } from './request';
import { abortableSleep, abortReason, backoffDelays, linkAbort, orAborted, silentWait } from './timing';
import { budgets } from '../safety/budgets';
import { watchedBody } from './watchedBody';

/** Accurate to a few seconds, from the `Date` of the server's answers: its clock and ours may differ by hours. */
export class ServerClock {
  #ahead: number | undefined;

  constructor(readonly here: () => number = Date.now) {}

  told(header: string | null | undefined): void {
    const time = header ? Date.parse(header) : Number.NaN;
    if (!Number.isNaN(time)) this.#ahead = time - this.here();
  }

  /** Milliseconds since the epoch; undefined until the server has sent the time. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.here() + this.#ahead;
  }
}

/** One request as the log may show it: no query, no header, no body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly ms: number;
  readonly attempt: number;
  readonly problem?: string | undefined;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly http: HttpStack;
  readonly credential?: CredentialSource | undefined;
  /** Gets each key, token and signed address before it is used; none of them remains in an answer or an error. */
  readonly secrets?: Secrets | undefined;
  /** For a proxy in front of the server; sent to the server's own origin only, like the credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly log?: ((line: RequestLine) => void) | undefined;
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly clock?: ServerClock | undefined;
  /** First waiting time between tries, in ms, and its jitter. */
  readonly retryBase?: number | undefined;
  readonly random?: (() => number) | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

export interface StreamAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array>;
}

const tries = 4;
const longestRetryAfter = 30;
const defaultDeadline = 30_000;
const defaultMaxBytes = 32 * 1024 * 1024;
const errorBodyBytes = 64 * 1024;

interface Exchange {
  readonly options: RequestOptions;
  readonly endpoint: string;
  readonly url: string;
  readonly until: number;
  readonly controller: AbortController;
}

/**
 * All HTTP with one server. Credentials go only to the origin of `baseUrl`; redirects are answers and never followed;
 * GET is retried after network errors and 502, 503, 504, nothing else is. Every failure is a `ServerError`, except an
 * abort, which rejects with the signal's reason.
 */
export class Transport {
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly quoted: QuotedSecrets;
  /** Set once the server is recognized as one of the cloud kind: a limit may be the subscription's (protocol 7.1). */
  isCloud = false;
  readonly clock: ServerClock;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.secrets = options.secrets ?? new Secrets();
    this.quoted = new QuotedSecrets(this.secrets);
    this.secrets.addHeaders(options.headers);
    this.baseUrl = normaliseBase(options.baseUrl);
    this.clock = options.clock ?? new ServerClock();
    this.#options = options;
  }

  /** The answer with its body as text. Statuses outside 2xx are errors unless in `options.accepts`. */
  async request(options: RequestOptions): Promise<TransportAnswer> {
    return this.#exchange(options, async (answer, exchange) => {
      const text = await readText(answer.body, {
        endpoint: exchange.endpoint,
        maxBytes: options.maxBytes ?? defaultMaxBytes,
        signal: exchange.controller.signal,
        total: contentLength(answer.headers),
        onBytes: options.onBytes,
      });
      return { status: answer.status, headers: answer.headers, text: bodyWithoutSecrets(text, this.quoted) };
    });
  }

  async json<T>(schema: z.ZodType<T>, options: RequestOptions): Promise<T> {
    const { text } = await this.request({ accept: 'application/json', ...options });
    return readAnswer(schema, text, endpointText(options), options.maxValues);
  }

  async text(options: RequestOptions): Promise<string> {
    return (await this.request(options)).text;
  }

  /** The deadline covers the headers only. The body must be read completely or cancelled. */
  async stream(options: RequestOptions): Promise<StreamAnswer> {
    return this.#exchange(
      options,
      (answer, exchange) => {
        const { controller, endpoint, url } = exchange;
        const unlink = linkAbort(options.signal, controller);
        const watched = watchedBody(answer.body, {
          endpoint,
          url,
          controller,
          stall: options.stall ?? 60_000,
          total: options.total ?? budgets.streamTime,
          done: unlink,
          secrets: this.secrets,
        });
        return Promise.resolve({ status: answer.status, headers: answer.headers, body: watched });
      },
      true,
    );
  }

  notice(sentence: string): void {
    this.#options.onNotice?.(sentence);
  }

  async #exchange<T>(
    options: RequestOptions,
    read: (answer: HttpAnswer, exchange: Exchange) => Promise<T>,
    keepsReading = false,
  ): Promise<T> {
    const endpoint = endpointText(options);
    const url = options.elsewhere ?? endpointUrl(this.baseUrl, options.path, options.query);
    const deadline = options.deadline ?? defaultDeadline;
    const controller = new AbortController();
    const unlink = linkAbort(options.signal, controller);
    const timer = setTimeout(() => {
      controller.abort(timeoutError(endpoint, url, deadline));
    }, deadline);
    const exchange: Exchange = {
      options,
      endpoint,
      url,
      controller,
      until: Date.now() + deadline,
    };
    let handedOn = false;
    try {
      const result = await this.#tried(exchange, read);
      handedOn = keepsReading;
      return result;
    } finally {
      clearTimeout(timer);
      unlink();
      // Whatever is still under way has no reader any more.
      if (!handedOn) controller.abort(new DOMException('The request is over.', 'AbortError'));
    }
  }

  async #tried<T>(
    exchange: Exchange,
    read: (answer: HttpAnswer, exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const { method = 'GET', once = false } = exchange.options;
    const repeatable = method === 'GET' && !once;
    const delays = backoffDelays({
      base: this.#options.retryBase ?? 300,
      ceiling: 5000,
      random: this.#options.random,
    });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(exchange, attempt, read);
      } catch (error) {
        const wait = repeatable && attempt < tries ? retryWait(error, delays) : undefined;
        if (wait === undefined || Date.now() + wait >= exchange.until) throw error;
        if (wait > silentWait)
          this.notice(t`The server couldn't respond. Retrying in ${Math.ceil(wait / 1000)} s.`);
        await abortableSleep(wait, exchange.controller.signal);
      }
    }
  }

  async #once<T>(
    exchange: Exchange,
    attempt: number,
    read: (answer: HttpAnswer, exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const { options, url, controller } = exchange;
    const started = Date.now();
    let status: number | undefined;
    let problem: string | undefined;
    try {
      const headers = await orAborted(this.#headers(exchange), controller.signal);
      const body = this.#body(options);
      const answer = await orAborted(
        this.#options.http.fetch(url, {
          method: options.method ?? 'GET',
          headers: body.mime === undefined ? headers : { ...headers, 'Content-Type': body.mime },
          body: body.content,
          redirect: 'manual',
          signal: controller.signal,
        }),
        controller.signal,
      );
      status = answer.status;
      if (options.elsewhere === undefined) this.clock.told(answer.headers.get('date'));
      const accepted = (status >= 200 && status < 300) || options.accepts?.(status) === true;
      if (!accepted) throw await this.#refusal(answer, exchange, !carriesKey(headers));
      return await read(answer, exchange);
    } catch (error) {
      const failure = this.#failure(error, exchange);
      problem = failure.message;
      throw failure;
    } finally {
      this.#options.log?.({
        method: options.method ?? 'GET',
        path: options.path,
        ms: Date.now() - started,
        attempt,
        status,
        problem: problem === undefined ? undefined : this.secrets.scrub(problem),
      });
    }
  }

  #failure(error: unknown, exchange: Exchange): Error {
    if (exchange.controller.signal.aborted) return abortReason(exchange.controller.signal);
    if (ServerError.is(error)) return error;
    return networkError(error, exchange.endpoint, exchange.url, this.secrets);
  }

  async #headers(exchange: Exchange): Promise<Record<string, string>> {
    const { options, endpoint } = exchange;
    if (options.elsewhere !== undefined) {
      // Anyone with a signed address can read the file, so it is a secret (protocol 1.7).
      this.secrets.addAddress(options.elsewhere);
      return { Accept: options.accept ?? '*/*', ...options.headers };
    }
    const own = this.#options.headers;
    const credential = await this.credential(endpoint);
    const secrets = this.secrets.addHeaders(own);
    if (credential) this.secrets.add(credential.value);
    const shape = credential && options.asBearer ? { ...credential, kind: 'bearer' as const } : credential;
    if ((credential !== undefined || secrets.length > 0) && !mayCarryCredential(this.baseUrl))
      throw unsafeAddress(endpoint);
    return {
      Accept: options.accept ?? '*/*',
      ...own,
      ...(shape ? credentialHeader(shape, endpoint) : {}),
      ...options.headers,
    };
  }

  async credential(endpoint: string): Promise<Credential | undefined> {
    try {
      return await this.#options.credential?.();
    } catch (cause) {
      if (ServerError.is(cause)) throw cause;
      const message = t`The stored key couldn't be read.`;
      throw new ServerError(message, { reason: 'unauthorized', endpoint, cause });
    }
  }

  #body(options: RequestOptions): { readonly content?: string | object; readonly mime?: string } {
    const { body } = options;
    if (!body) return {};
    if ('json' in body) return { content: JSON.stringify(body.json), mime: 'application/json' };
    if ('text' in body) return { content: body.text, mime: body.mime };
    // The stack sets the content type itself: only it knows the boundary.
    return { content: this.#options.http.form(body.form) as object };
  }

  async #refusal(answer: HttpAnswer, exchange: Exchange, isKeyless: boolean): Promise<ServerError> {
    const { endpoint, controller, url } = exchange;
    const bodyText = await readText(answer.body, {
      endpoint,
      maxBytes: errorBodyBytes,
      signal: controller.signal,
      cut: true,
    });
    const location = answer.headers.get('location');
    // 0 is how some stacks show a redirect whose target they hide.
    const redirects = answer.status === 0 || (answer.status >= 300 && answer.status < 400);
    if (redirects) return redirectError(answer.status, endpoint, url, location, this.secrets);
    return refusalError({
      endpoint,
      status: answer.status,
      bodyText: this.secrets.scrub(bodyWithoutSecrets(bodyText, this.quoted)),
      contentType: answer.headers.get('content-type'),
      retryAfter: answer.headers.get('retry-after'),
      isCloud: this.isCloud && exchange.options.elsewhere === undefined,
      isKeyless,
    });
  }
}

function retryWait(error: unknown, delays: Iterator<number, never>): number | undefined {
  if (!ServerError.is(error)) return undefined;
  if (!error.isFromGateway && error.reason !== 'network') return undefined;
  const delay = delays.next().value;
  return error.retryAfter === undefined ? delay : Math.min(error.retryAfter, longestRetryAfter) * 1000;
}
