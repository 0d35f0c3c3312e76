import { ServerError } from '../protocol/serverError';
import { abortReason } from '../client/timing';

/** Delay after a 429 without a time, and the longest accepted delay, in seconds. */
const usualWait = 30;
const longestWait = 60 * 60;

/**
 * Allows a few requests at a time; no rate limit is published (protocol 6.2). After a 429 nothing is sent until the
 * time that the server asked for is over: callers fail at once with the same refusal.
 */
export class RequestLimiter {
  readonly #most: number;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #closedUntil = 0;
  #refusal: ServerError | undefined;

  constructor(most = 3, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** Runs the request when there is room. An abort during the wait rejects with the signal's reason. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      this.#refuseWhileClosed();
      return await request();
    } catch (error) {
      if (ServerError.is(error, 'rateLimited') && error !== this.#refusal) this.#close(error);
      throw error;
    } finally {
      this.#underWay--;
      this.#waiting.shift()?.();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(abortReason(signal));
    if (this.#underWay < this.#most) {
      this.#underWay++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        this.#underWay++;
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(abortReason(signal));
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #refuseWhileClosed(): void {
    if (this.#refusal && this.#now() < this.#closedUntil) throw this.#refusal;
    this.#refusal = undefined;
  }

  #close(error: ServerError): void {
    const seconds = Math.min(error.retryAfter ?? usualWait, longestWait);
    this.#closedUntil = this.#now() + seconds * 1000;
    this.#refusal = error;
  }
}
