import {
  type RegistryNode,
  registryNode,
  type RegistryNodeVersion,
  type RegistryPage,
  registryPage,
  registryVersions,
} from '../protocol/registry/registryNode';
import { withoutEmails } from '../protocol/registry/registryText';
import { ServerError } from '../protocol/serverError';
import { Secrets } from '../safety/secrets';
import { readAnswer, redirectError } from '../client/answerShape';
import type { HttpStack } from '../client/httpStack';
import type { RequestOptions } from '../client/request';
import { type RequestLine, Transport } from '../client/transport';
import type { CredentialSource } from '../client/credential';
import { isAskable } from './packAnswer';
import { type ReviewAnswer, sendReview, type Stars } from './review';
import { t } from '../safety/localize';
import { abortReason, orAborted } from '../client/timing';

export interface RegistryOptions {
  readonly baseUrl: string;
  readonly http: HttpStack;
  /** For reviews only: all other requests are sent without a credential. */
  readonly reviewToken?: CredentialSource | undefined;
  readonly secrets?: Secrets | undefined;
  readonly log?: ((line: RequestLine) => void) | undefined;
  /** First delay between retries, ms. */
  readonly retryBase?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export interface PackQuery {
  readonly words?: string | undefined;
  readonly classType?: string | undefined;
  readonly limit?: number | undefined;
}

/** Timeout of one request, ms: nobody waits longer for a hover or a list. */
const deadline = 15_000;
const mostBytes = 8 * 1024 * 1024;
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The node registry (protocol 6). Failures are `ServerError`; an aborted call rejects with the signal's reason. */
export class RegistryClient {
  readonly baseUrl: string;
  readonly #open: Transport;
  readonly #signedIn: Transport;
  readonly #limiter: RequestLimiter;

  constructor({ baseUrl, http, reviewToken, secrets = new Secrets(), log, retryBase, now }: RegistryOptions) {
    this.#open = new Transport({ baseUrl, http, secrets, log, retryBase });
    this.#signedIn = new Transport({ baseUrl, http, secrets, log, credential: reviewToken });
    this.#limiter = new RequestLimiter(3, now);
    this.baseUrl = this.#open.baseUrl;
  }

  async packOfClass(classType: string, signal?: AbortSignal): Promise<RegistryNode | undefined> {
    if (!isAskable(classType)) return undefined;
    const path = `/comfy-nodes/${encodeURIComponent(classType)}/node`;
    const { status, text } = await this.#get({ path, signal, accepts: (code) => code === 404 });
    return status === 404 ? undefined : readAnswer(registryNode, text, `GET ${path}`);
  }

  /** The registry redirects other spellings of an ID, and says of a banned pack (403) only that it is banned. */
  async pack(id: string, signal?: AbortSignal): Promise<RegistryNode | undefined> {
    if (!isAskable(id)) return undefined;
    let path = `/nodes/${encodeURIComponent(id)}`;
    for (let hop = 0; ; hop++) {
      const accepts = (code: number) => code === 403 || code === 404 || redirects.has(code);
      const query = { include_translations: 'true' };
      const { status, text, headers } = await this.#get({ path, query, signal, accepts });
      if (status === 403) return { id, status: 'banned' };
      if (status === 404) return undefined;
      if (!redirects.has(status)) return readAnswer(registryNode, text, `GET ${path}`);
      path = this.#redirected(status, path, headers.get('location'), hop);
    }
  }

  async search(query: PackQuery, signal?: AbortSignal): Promise<RegistryPage> {
    const path = '/nodes/search';
    const { text } = await this.#get({
      path,
      query: { search: query.words, comfy_node_search: query.classType, page: 1, limit: query.limit ?? 20 },
      signal,
    });
    return readAnswer(registryPage, text, `GET ${path}`);
  }

  /** Newest first, in the registry's order; empty if the pack is banned or unknown. */
  async versions(id: string, signal?: AbortSignal): Promise<readonly RegistryNodeVersion[]> {
    if (!isAskable(id)) return [];
    const path = `/nodes/${encodeURIComponent(id)}/versions`;
    const { status, text } = await this.#get({
      path,
      query: { include_status_reason: 'true' },
      signal,
      accepts: (code) => code === 403 || code === 404,
    });
    return status === 200 ? readAnswer(registryVersions, text, `GET ${path}`) : [];
  }

  /** Sent once, since it can't be withdrawn (protocol 6.1); after a 401, which stored nothing, once more if `signIn` succeeds. */
  async review(
    id: string,
    stars: Stars,
    signal?: AbortSignal,
    signIn: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<ReviewAnswer> {
    const answer = await sendReview(this.#signedIn, id, stars, signal);
    const needsToken = answer.kind === 'refused' && answer.reason === 'token';
    return needsToken && (await signIn()) ? sendReview(this.#signedIn, id, stars, signal) : answer;
  }

  #get(options: RequestOptions) {
    const request = { accept: 'application/json', deadline, maxBytes: mostBytes, ...options };
    return this.#limiter.run(async () => {
      try {
        return await this.#open.request(request);
      } catch (error) {
        throw withoutPeople(error);
      }
    }, options.signal);
  }

  /** The target path of a redirect: followed by hand, and only on the same origin and below the same base. */
  #redirected(status: number, path: string, location: string | null, hop: number): string {
    const from = `${this.baseUrl}${path}`;
    const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
    const target = to && to.username === '' && to.password === '' ? `${to.origin}${to.pathname}` : '';
    if (hop >= mostRedirects || !target.startsWith(`${this.baseUrl}/`)) {
      throw redirectError(status, `GET ${path}`, from, location, this.#open.secrets);
    }
    const next = target.slice(this.baseUrl.length);
    if (next === path) {
      throw new ServerError(t`The registry redirects the request in a loop.`, {
        reason: 'unexpectedShape',
        endpoint: `GET ${path}`,
        status,
      });
    }
    return next;
  }
}

function withoutPeople(error: unknown): unknown {
  if (!ServerError.is(error)) return error;
  const { message, serverMessage } = error;
  return error.reworded(withoutEmails(message), {
    serverMessage: serverMessage === undefined ? undefined : withoutEmails(serverMessage),
  });
}

/** Delay after a 429 without a time, and the longest accepted delay, in seconds. */
const usualWait = 30;
const longestWait = 60 * 60;

/** No rate limit is published (protocol 6.2), so few requests run at a time, and after a 429 all fail until its time is over. */
export class RequestLimiter {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #closedUntil = 0;
  #refusal: ServerError | undefined;

  constructor(
    private readonly most = 3,
    private readonly now: () => number = Date.now,
  ) {}

  /** Runs the request when there is room. An abort during the wait rejects with the signal's reason. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#underWay >= this.most) {
      const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await (signal ? orAborted(turn, signal) : turn);
    }
    if (signal?.aborted) throw abortReason(signal);
    this.#underWay++;
    try {
      this.#refuseWhileClosed();
      return await request();
    } catch (error) {
      if (ServerError.is(error, 'rateLimited') && error !== this.#refusal) this.#close(error);
      throw error;
    } finally {
      this.#underWay--;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #refuseWhileClosed(): void {
    if (this.#refusal && this.now() < this.#closedUntil) throw this.#refusal;
    this.#refusal = undefined;
  }

  #close(error: ServerError): void {
    const seconds = Math.min(error.retryAfter ?? usualWait, longestWait);
    this.#closedUntil = this.now() + seconds * 1000;
    this.#refusal = error;
  }
}
