import { readAnswer } from './answerShape';
import { queueSnapshot, type QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import type { Transport } from './transport';

const path = '/api/queue';

export class QueueReader {
  #last: { readonly queue: QueueSnapshot | undefined; readonly goodUntil: number } | undefined;

  constructor(private readonly transport: Transport) {}

  /** The current queue. Fails as {@link isQueueUnknown} says when there is none that can be read. */
  async read(signal?: AbortSignal): Promise<QueueSnapshot> {
    try {
      const queue = await readQueue(this.transport, budgets.queue, signal);
      this.#last = { queue, goodUntil: Date.now() + queuePause(queue) };
      return queue;
    } catch (error) {
      if (isQueueUnknown(error))
        this.#last = { queue: undefined, goodUntil: Date.now() + unknownPause(error) };
      throw error;
    }
  }

  /** The queue now or a moment ago, longer ago the larger it is; undefined when it is unknown. */
  async recent(signal?: AbortSignal) {
    if (this.#last && Date.now() < this.#last.goodUntil) {
      return this.#last.queue && { queue: this.#last.queue, isNow: false };
    }
    try {
      return { queue: await this.read(signal), isNow: true };
    } catch (error) {
      if (isQueueUnknown(error)) return undefined;
      throw error;
    }
  }
}

/**
 * The server shows no queue that can be read: it is too large, has another shape, or is missing. The contract does not
 * show its shape, so this is no failure of the server, and never an empty queue (protocol 1.8).
 */
export function isQueueUnknown(error: unknown): error is ServerError {
  if (!ServerError.is(error)) return false;
  // A redirect has a status: it is the address that is wrong.
  if (error.reason === 'unexpectedShape') return error.status === undefined;
  return error.reason === 'tooLarge' || error.status === 404 || error.status === 405;
}

/** Time before a queue that was too large is requested again (ms). */
const tooLargePause = 5 * 60_000;
/** A queue of this many bytes is read on every request. */
const smallQueue = 16 * 1024;
/** How much reading a queue may cost on average: a large one is read less often. */
const bytesPerSecond = 100_000;

export function unknownPause(error: ServerError): number {
  return error.reason === 'tooLarge' ? tooLargePause : 0;
}

/** Long enough that a large queue uses no more bandwidth and CPU than a small one, ms. */
export function queuePause({ bytes = 0 }: QueueSnapshot): number {
  // The previous result may be outdated, and a small queue is cheap to read.
  if (bytes <= smallQueue) return 0;
  return (bytes / bytesPerSecond) * 1_000;
}

export async function readQueue(
  transport: Transport,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<QueueSnapshot> {
  const { text } = await transport.request({ path, accept: 'application/json', maxBytes, signal });
  return { ...readAnswer(queueSnapshot, text, `GET ${path}`), bytes: text.length };
}

/** Also reads a large queue, since the user waits for it; undefined when it is unknown. */
export async function readKnownQueue(
  transport: Transport,
  signal?: AbortSignal,
): Promise<QueueSnapshot | undefined> {
  try {
    return await readQueue(transport, budgets.queueOnce, signal);
  } catch (error) {
    if (isQueueUnknown(error)) return undefined;
    throw error;
  }
}
