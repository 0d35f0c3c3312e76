import type { FrameLayout } from '../protocol/binaryFrame';
import type { ServerEvent } from '../protocol/serverEvent';
import { ServerError } from '../protocol/serverError';
import { endSentence } from '../safety/endSentence';
import { t } from '../safety/localize';
import { type QuotedSecrets, Secrets } from '../safety/secrets';
import { type SocketEnd, EventSocket } from './eventSocket';
import { carriesKey } from './credential';
import { abortableSleep, backoffDelays, orAborted } from './timing';

export type StreamState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** `retryAt` in ms since the epoch. */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly reason: string }
  /** The server does not let this client in; nothing is tried again until `open` is called. */
  | { readonly kind: 'refused'; readonly status: number };

/** Milliseconds, except `random`. */
export interface StreamTiming {
  readonly pingEvery: number;
  readonly connectTimeout: number;
  readonly closeTimeout: number;
  readonly retryBase: number;
  readonly retryCeiling: number;
  readonly random: () => number;
}

const usualTiming: StreamTiming = {
  pingEvery: 20_000,
  connectTimeout: 10_000,
  closeTimeout: 2000,
  retryBase: 500,
  retryCeiling: 30_000,
  random: Math.random,
};

export interface EventStreamOptions {
  /** Full address with client ID and token; requested for every connection, never logged. */
  readonly address: () => Promise<string>;
  /** The ID in the address: only one stream at a time may use it. */
  readonly clientId: string;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onState: (state: StreamState) => void;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Adds the key as a header of the handshake; requested for every connection. */
  readonly credentialHeaders?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  /** How this server lays out its binary frames; requested for every connection, before its first frame. */
  readonly layout?: (() => Promise<FrameLayout>) | undefined;
  /** Secrets of the session, and what this server quotes of them: hidden in all events. */
  readonly quoted?: QuotedSecrets | undefined;
  readonly timing?: Partial<StreamTiming> | undefined;
}

interface Watch {
  readonly controller: AbortController;
  readonly over: Promise<void>;
}

/**
 * The events of one server (protocol 3). Keeps a socket open: after a loss, it reconnects with growing, jittered
 * delays, always with the same client ID and never before the old socket is closed, because the server would remove the
 * new one's events along with the old (protocol 3.7). Missed events are not replayed: read the jobs after `open`.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #secrets: Secrets;
  readonly #timing: StreamTiming;
  #state: StreamState = { kind: 'closed' };
  #watch: Watch | undefined;
  #wake = new AbortController();
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  /** Prompts must be submitted with this ID for their events to arrive here (protocol 3.1). */
  readonly clientId: string;

  constructor(options: EventStreamOptions) {
    this.clientId = options.clientId;
    this.#options = options;
    this.#secrets = options.quoted?.secrets ?? new Secrets();
    this.#secrets.addHeaders(options.headers);
    this.#timing = { ...usualTiming, ...options.timing };
  }

  get state(): StreamState {
    return this.#state;
  }

  /**
   * Rejects with `ServerError` when the server refuses this client, when there is no usable address, or when the
   * first attempt fails; then the stream keeps trying. An aborted signal ends only this wait: `close` ends the stream.
   */
  async open(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // A stream that is closing lets go of its socket first.
    if (this.#watch?.controller.signal.aborted) await this.#watch.over;
    if (this.#state.kind === 'open') return;
    const outcome = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    if (!this.#watch) {
      const controller = new AbortController();
      this.#watch = { controller, over: this.#keepOpen(controller.signal) };
    }
    this.#wake.abort();
    await (signal ? orAborted(outcome, signal) : outcome);
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    if (!watch) return;
    watch.controller.abort(new DOMException('The event stream was closed.', 'AbortError'));
    await watch.over;
  }

  async #keepOpen(signal: AbortSignal): Promise<void> {
    let delays = this.#delays();
    const over = () => signal.aborted;
    while (!over()) {
      this.#enter({ kind: 'connecting' });
      const began = Date.now();
      const end = await this.#oneSocket(signal);
      if (over()) break;
      if (end.refused !== undefined) {
        this.#leave({ kind: 'refused', status: end.refused }, refusal(end.refused, end.isKeyless));
        return;
      }
      if (end.hopeless) {
        this.#leave({ kind: 'closed' }, end.error ?? lost(end.reason));
        return;
      }
      // A socket that closes as soon as it opens must not cause reconnecting and reading the jobs twice a second.
      if (end.wasOpen && Date.now() - began >= this.#timing.retryCeiling) delays = this.#delays();
      const wait = delays.next().value;
      this.#enter({ kind: 'waiting', retryAt: Date.now() + wait, reason: end.reason });
      this.#settle(end.error ?? lost(end.reason));
      this.#wake = new AbortController();
      // Closing and a new call of `open` both end the delay; it can't fail otherwise.
      await abortableSleep(wait, AbortSignal.any([signal, this.#wake.signal])).catch(() => undefined);
    }
    this.#leave({ kind: 'closed' }, new DOMException('The event stream was closed.', 'AbortError'));
  }

  async #oneSocket(signal: AbortSignal): Promise<SocketEnd & { readonly isKeyless?: boolean }> {
    let address: string;
    let headers: Readonly<Record<string, string>>;
    let layout: FrameLayout;
    try {
      address = await orAborted(this.#options.address(), signal);
      const credential = this.#options.credentialHeaders?.() ?? Promise.resolve(undefined);
      headers = { ...this.#options.headers, ...(await orAborted(credential, signal)) };
      layout = await orAborted(this.#options.layout?.() ?? Promise.resolve('either' as const), signal);
    } catch (error) {
      return this.#noSocket(ServerError.is(error) ? error : undefined);
    }
    const socket = new EventSocket(address, {
      headers,
      layout,
      quoted: this.#options.quoted,
      timing: this.#timing,
      onOpen: () => {
        this.#enter({ kind: 'open' });
        this.#settle();
      },
      onEvent: this.#options.onEvent,
    });
    const close = () => {
      socket.close();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    const end = await socket.gone;
    signal.removeEventListener('abort', close);
    return { ...end, isKeyless: !carriesKey(headers) && !/[?&]token=/.test(address) };
  }

  #noSocket(error: ServerError | undefined): SocketEnd {
    const reason = this.#secrets.scrub(error?.message ?? t`The address isn't valid.`);
    const hopeless =
      error?.reason === 'forbidden' || error?.reason === 'unauthorized' || error?.reason === 'badRequest';
    return { wasOpen: false, reason, error, hopeless };
  }

  #delays() {
    const { retryBase: base, retryCeiling: ceiling, random } = this.#timing;
    return backoffDelays({ base, ceiling, random });
  }

  #enter(state: StreamState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  /** The end of a period: from here on, `open` starts a new one. */
  #leave(state: StreamState, error: Error): void {
    this.#watch = undefined;
    this.#enter(state);
    this.#settle(error);
  }

  #settle(error?: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      if (error) one.reject(error);
      else one.resolve();
    }
  }
}

const endpoint = 'GET /ws';

function refusal(status: number, isKeyless = false): ServerError {
  if (status !== 401) {
    const message = t`The server doesn't allow this client to receive events.`;
    return new ServerError(message, { reason: 'forbidden', endpoint, status });
  }
  const message = isKeyless ? t`The server needs an API key or a token` : t`The server rejected the key`;
  const nextAction = isKeyless ? t`Sign in with a valid API key.` : undefined;
  return new ServerError(endSentence(message), { reason: 'unauthorized', endpoint, status, nextAction });
}

function lost(reason: string): ServerError {
  return new ServerError(reason, { reason: 'network', endpoint });
}
