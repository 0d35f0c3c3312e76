import { readAnswer } from './answerShape';
import { queueSnapshot, type QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import type { Transport } from './transport';

const path = '/api/queue';

/** Reads the queue of one server: all that run and wait there, each with its whole prompt, so it can be large. */
export class QueueReader {
  readonly #transport: Transport;
  #last: { readonly queue: QueueSnapshot | undefined; readonly goodUntil: number } | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The queue as it is now. `ServerError` `tooLarge` beyond the budget. */
  async read(signal?: AbortSignal): Promise<QueueSnapshot> {
    try {
      const queue = await readQueue(this.#transport, budgets.queue, signal);
      this.#last = { queue, goodUntil: Date.now() + queuePause(queue) };
      return queue;
    } catch (error) {
      if (ServerError.is(error, 'tooLarge'))
        this.#last = { queue: undefined, goodUntil: Date.now() + budgets.queueTooLargePause };
      throw error;
    }
  }

  /** The queue as it is now or was a moment ago, the longer ago the larger it is; undefined where it is too large. */
  async recent(signal?: AbortSignal): Promise<RecentQueue | undefined> {
    if (this.#last && Date.now() < this.#last.goodUntil) {
      return this.#last.queue && { queue: this.#last.queue, isNow: false };
    }
    try {
      return { queue: await this.read(signal), isNow: true };
    } catch (error) {
      if (ServerError.is(error, 'tooLarge')) return undefined;
      throw error;
    }
  }
}

/** So long that a large queue takes no more of the line and the processor than a small one, ms. */
export function queuePause({ bytes = 0 }: QueueSnapshot): number {
  // What it told a moment ago may be untrue by now, and a small one costs nothing.
  if (bytes <= budgets.smallQueue) return 0;
  return (bytes / budgets.queueBytesPerSecond) * 1_000;
}

export interface RecentQueue {
  readonly queue: QueueSnapshot;
  readonly isNow: boolean;
}

export async function readQueue(
  transport: Transport,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<QueueSnapshot> {
  const { text } = await transport.request({ path, accept: 'application/json', maxBytes, signal });
  return { ...readAnswer(queueSnapshot, text, `GET ${path}`), bytes: text.length };
}
