/** Whoever waits longer before trying again says so, ms. */
export const silentWait = 2_000;

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. Leaves no timer and no listener. */
export function abortableSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortReason(signal));
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Delays in ms that double up to the limit, with jitter, so that many windows don't retry simultaneously. */
export function* backoffDelays(options: {
  readonly base: number;
  readonly ceiling: number;
  readonly random?: (() => number) | undefined;
}): Generator<number, never> {
  const random = options.random ?? Math.random;
  for (let delay = options.base; ; delay = Math.min(delay * 2, options.ceiling)) {
    const capped = Math.min(delay, options.ceiling);
    yield capped / 2 + (capped / 2) * random();
  }
}

/** Settles with the promise, or rejects with the signal's reason: an abort ends the wait even if the work continues. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(abortReason(signal));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Resolves when the work has ended in any way, or after `ms` or an abort even if it continues. */
export async function endedWithin(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  await orAborted(work, abortedWithin(signal, ms)).catch(() => undefined);
}

export function abortedWithin(signal: AbortSignal, ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  // Node 20 frees a limit that only `any` refers to, and it never ends; one with a listener stays.
  limit.addEventListener('abort', () => undefined);
  return AbortSignal.any([signal, limit]);
}

/** The reason that an aborted signal rejects with; always an Error. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The operation was aborted.', 'AbortError');
}

export function linkAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (!signal) return () => undefined;
  const abort = () => {
    controller.abort(abortReason(signal));
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => {
    signal.removeEventListener('abort', abort);
  };
}
