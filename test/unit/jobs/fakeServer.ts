import type { CancelAnswer } from '../../../src/core/client/cancellation';
import type { StreamState } from '../../../src/core/client/eventStream';
import type { JobsPage } from '../../../src/core/client/jobReading';
import type { JobSource } from '../../../src/core/jobs/serverJobs';
import type { JobStream } from '../../../src/core/jobs/serverWatch';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { JobTracker } from '../../../src/core/jobs/jobTracker';
import type { JobPreview } from '../../../src/core/jobs/eventJob';
import type { JobDetail } from '../../../src/core/protocol/jobRecord';
import type { QueueItem, QueueSnapshot } from '../../../src/core/protocol/queue';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import { ServerError } from '../../../src/core/protocol/serverError';
import { detail, id, origin, server } from './observations';

const image = { filename: 'a.png', subfolder: '', type: 'output' };
/** The record of a job that made that picture. */
export const completed = detail('completed', { outputs: { '3': { images: [image] } } });

export function unauthorized(): ServerError {
  return new ServerError('The key was refused.', {
    reason: 'unauthorized',
    endpoint: 'GET /api/queue',
    status: 401,
  });
}

/** A fake server: its queue and its records, and the requests to it. */
class FakeServer implements JobSource {
  running: string[] = [];
  pending: string[] = [];
  /** Size of the answer with the queue. */
  queueBytes = 0;
  readonly records = new Map<string, JobDetail>();
  /** The queue's answer throws this while it is set. */
  noQueue: Error | undefined;
  /** Every answer throws this while it is set. */
  failure: Error | undefined;
  onCancel: (id: string) => CancelAnswer = () => 'notFound';
  onDelete: (ids: readonly string[]) => void = (ids) => {
    this.pending = this.pending.filter((each) => !ids.includes(each));
  };
  /** Removing a job from the queue ends it even if it runs. */
  endsRunning = false;
  readonly asked: string[] = [];

  async queue(signal?: AbortSignal): Promise<QueueSnapshot> {
    await this.#ask('queue', signal);
    if (this.noQueue) throw this.noQueue;
    if (this.queueBytes === Infinity)
      throw new ServerError('Too large.', { reason: 'tooLarge', endpoint: 'GET /api/queue' });
    const item = (id: string, index: number): QueueItem => ({ id, number: index });
    return { running: this.running.map(item), pending: this.pending.map(item), bytes: this.queueBytes };
  }

  async jobs(_query?: unknown, signal?: AbortSignal): Promise<JobsPage> {
    await this.#ask('jobs', signal);
    return { jobs: [...this.records.values()], hasMore: false };
  }

  async job(id: string, signal?: AbortSignal): Promise<JobDetail | undefined> {
    await this.#ask(`job ${id}`, signal);
    if (this.running.includes(id)) return detail('in_progress', { id });
    if (this.pending.includes(id)) return detail('pending', { id });
    return this.records.get(id);
  }

  async cancel(id: string, signal?: AbortSignal): Promise<CancelAnswer> {
    await this.#ask(`cancel ${id}`, signal);
    return this.onCancel(id);
  }

  async deletePending(ids: readonly string[], signal?: AbortSignal): Promise<boolean> {
    await this.#ask(`delete ${ids.join(' ')}`, signal);
    this.onDelete(ids);
    return this.endsRunning;
  }

  /** How many times something was requested. */
  count(what: string): number {
    return this.asked.filter((each) => each === what).length;
  }

  async #ask(what: string, signal?: AbortSignal): Promise<void> {
    this.asked.push(what);
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.failure) throw this.failure;
  }
}

/** A socket that opens on request, or not at all. */
class FakeStream implements JobStream {
  state: StreamState = { kind: 'closed' };
  onState: (state: StreamState) => void = () => undefined;
  refuses: Error | undefined;
  opened = 0;

  async open(): Promise<void> {
    await Promise.resolve();
    if (this.refuses) throw this.refuses;
    if (this.state.kind === 'open') return;
    this.opened++;
    this.enter({ kind: 'open' });
  }

  async close(): Promise<void> {
    await Promise.resolve();
    if (this.state.kind !== 'closed') this.enter({ kind: 'closed' });
  }

  enter(state: StreamState): void {
    this.state = state;
    this.onState(state);
  }
}

/** A tracker with its fake server, on fake timers. */
export function tracked() {
  const source = new FakeServer();
  const stream = new FakeStream();
  const store = new JobStore();
  const previews: JobPreview[] = [];
  const tracker = new JobTracker({
    server,
    client: source,
    stream,
    store,
    random: () => 0,
    onPreview: (preview) => previews.push(preview),
  });
  stream.onState = (state) => tracker.streamChanged(state);
  const hear = (...events: ServerEvent[]) => {
    for (const event of events) tracker.heard(event);
  };
  return { source, stream, store, tracker, previews, hear };
}

/** The same with our job, which was just submitted and is at this place of the queue. */
export function trackedJob(place?: 'running' | 'pending') {
  const told = tracked();
  if (place) told.source[place] = [id];
  told.tracker.submitted(id, origin);
  return told;
}
