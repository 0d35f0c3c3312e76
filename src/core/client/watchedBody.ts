import { ServerError } from '../protocol/serverError';
import type { Secrets } from '../safety/secrets';
import { networkError, timeoutError } from './networkError';
import { abortReason, orAborted } from './timing';

export interface WatchedBody {
  readonly endpoint: string;
  readonly url: string;
  /** The transfer's own signal: aborted from outside, or here when the sender stalls. */
  readonly controller: AbortController;
  /** Milliseconds without a byte after which the sender counts as gone. */
  readonly stall: number;
  /** Milliseconds after which it must have ended. */
  readonly total: number;
  readonly done: () => void;
  readonly secrets?: Secrets | undefined;
}

/** A body whose errors are `ServerError`s, that never waits forever, and that releases everything when cancelled. */
export function watchedBody(
  body: ReadableStream<Uint8Array> | null,
  options: WatchedBody,
): ReadableStream<Uint8Array> {
  const reader = (body ?? emptyBody()).getReader();
  const late = setTimeout(() => {
    options.controller.abort(timeoutError(options.endpoint, options.url, options.total));
  }, options.total);
  // A body that is not read completely must not keep the process alive.
  late.unref();
  const done = (): void => {
    clearTimeout(late);
    options.done();
  };
  const piece = async (): Promise<Uint8Array | undefined> => {
    const timer = setTimeout(() => {
      options.controller.abort(timeoutError(options.endpoint, options.url, options.stall));
    }, options.stall);
    try {
      // Empty chunks don't count as progress: they don't reset the timer.
      for (;;) {
        const next = await orAborted(reader.read(), options.controller.signal);
        if (next.done) return undefined;
        if (next.value.byteLength > 0) return next.value;
      }
    } catch (error) {
      if (options.controller.signal.aborted) throw abortReason(options.controller.signal);
      throw ServerError.is(error)
        ? error
        : networkError(error, options.endpoint, options.url, options.secrets);
    } finally {
      clearTimeout(timer);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await piece();
          if (chunk === undefined) {
            done();
            controller.close();
          } else {
            controller.enqueue(chunk);
          }
        } catch (error) {
          done();
          reader.cancel().catch(() => undefined);
          throw error;
        }
      },
      async cancel(reason) {
        done();
        await reader.cancel(reason).catch(() => undefined);
        options.controller.abort(new DOMException('The transfer was cancelled.', 'AbortError'));
      },
    },
    { highWaterMark: 0 },
  );
}

function emptyBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.close();
    },
  });
}

/** The body without its first bytes, for servers that send the entire file instead of the requested part. */
export function bodyAfterBytes(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  if (bytes === 0) return body;
  let left = bytes;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const dropped = Math.min(left, chunk.byteLength);
        left -= dropped;
        if (dropped < chunk.byteLength) controller.enqueue(chunk.subarray(dropped));
      },
    }),
  );
}
