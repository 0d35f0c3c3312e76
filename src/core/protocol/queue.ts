import * as z from 'zod';
import { wireInstant, isJobId, isRecord, wireList, wireOptional } from './wire';

/** A job in the queue. Drops the prompt that servers send along: it can be megabytes. */
export interface QueueItem {
  readonly id: string;
  /** The server's own number; lower runs sooner. May be negative or a fraction. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly createTime?: number | undefined;
}

/** `pending` is in execution order. */
export interface QueueSnapshot {
  readonly bytes?: number;
  readonly running: readonly QueueItem[];
  readonly pending: readonly QueueItem[];
}

const createTime = z.object({ create_time: wireOptional(wireInstant) });

/**
 * One tuple of the queue in either layout (protocol 1.8): `[number, id, prompt, extra data, output ids]` on local
 * servers, old ones with a sixth element, and `[number, id, workflow, output ids, {create_time}]` on the cloud.
 */
const queueItem = z
  .tuple([z.number(), z.string()])
  .rest(z.unknown())
  .transform(([number, id, ...rest]): QueueItem => {
    const [, third, fourth] = rest;
    const extra = Array.isArray(third) ? fourth : third;
    const time = isRecord(extra) ? createTime.safeParse(extra).data?.create_time : undefined;
    return { id, number, createTime: time };
  });

/** Answer of `GET /api/queue`. A local server's pending list is a heap, so it has to be sorted. */
export const queueSnapshot = z
  .object({ queue_running: wireList(queueItem), queue_pending: wireList(queueItem) })
  .transform((raw): QueueSnapshot => ({
    running: raw.queue_running.filter(({ id }) => isJobId(id)),
    pending: raw.queue_pending.filter(({ id }) => isJobId(id)).sort((a, b) => a.number - b.number),
  }));
