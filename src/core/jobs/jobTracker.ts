import type { StreamState } from '../client/eventStream';
import { orAborted } from '../client/timing';
import type { QueueSnapshot } from '../protocol/queue';
import type { ServerEvent } from '../protocol/serverEvent';
import { cancelAndConfirm, cancelWaitingAndConfirm } from './cancelJobs';
import type { CancelResult, CancelResults } from './cancelJobs';
import { EventJob, type JobPreview } from './eventJob';
import { FollowedJobs } from './followedJobs';
import { isTerminal, type Job, type JobOrigin } from './job';
import type { JobChange, JobStore } from './jobStore';
import { type JobSource, missingJobPause, ServerJobs } from './serverJobs';
import { type JobStream, ServerWatch, StallDetector, type TrackerState } from './serverWatch';

interface JobTrackerOptions {
  readonly server: string;
  readonly client: JobSource;
  readonly stream: JobStream;
  readonly store: JobStore;
  readonly clock?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
  readonly onPreview?: ((preview: JobPreview) => void) | undefined;
}

const soon = 500;

/**
 * Keeps the store up to date for one server's jobs, through its socket and through polls. It contacts the server only
 * while a tracked job is live or a view wants the list; otherwise it keeps no socket and no timer.
 */
export class JobTracker {
  readonly #jobs: ServerJobs;
  readonly #followed: FollowedJobs;
  readonly #watch: ServerWatch;
  readonly #hang = new StallDetector();
  readonly #events: EventJob;
  #watching = false;
  #stopped = false;
  #unsubscribe: () => void = () => undefined;
  #views = 0;
  #runs = 0;
  #keeping = 0;
  #queueRemaining: number | undefined;
  /** The socket was lost, and the server has not been heard from since. */
  #isLost = false;

  constructor(private readonly options: JobTrackerOptions) {
    const { server, client, stream, store, clock = Date.now, random = Math.random } = options;
    this.#jobs = new ServerJobs(server, client, store, clock, (id) => this.#foundAgain(id));
    this.#watch = new ServerWatch({
      stream,
      clock,
      random,
      needed: () => this.#watching && this.#followed.size + this.#views + this.#runs + this.#keeping > 0,
      hasLive: () => this.#followed.open().length > 0,
      read: (signal) => this.#read(this.#views > 0, signal),
      onShutOut: (error) => this.#followed.rejectWaiters(error),
    });
    this.#followed = new FollowedJobs(
      this.#jobs,
      (error) => this.#watch.failed(error),
      () => this.#watch.updateConnection(),
    );
    this.#events = new EventJob(
      (id) => store.get(id),
      () => this.#followed.open(),
      () => this.#runs,
    );
  }

  get state(): TrackerState {
    return this.#watch.state;
  }

  onDidChangeState(listener: (state: TrackerState) => void): () => void {
    return this.#watch.onDidChange(listener);
  }

  /** Starts tracking. Our jobs that were live when read back are tracked again: the server is asked. */
  start(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#stopped = false;
    this.#watch.restart();
    this.#unsubscribe = this.options.store.onDidChange((change) => this.#storeChanged(change));
    const ours = this.#jobs.live().filter((job) => job.origin !== undefined);
    for (const job of ours) {
      this.#missed(job.id);
      this.#followed.add(job.id, this.#watch.signal);
    }
    this.#watch.updateConnection();
    if (ours.length > 0) this.#watch.pollIn(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watching = false;
    this.#unsubscribe();
    const reason = new DOMException('Jobs are no longer tracked.', 'AbortError');
    const gone = this.#watch.stop(reason);
    await Promise.all([this.#followed.clear(reason), gone]);
  }

  /** A view shows the list of jobs: all of them are kept up to date until the answer is called. */
  want(): () => void {
    this.#autoStart();
    this.#views++;
    this.#watch.updateConnection();
    this.#watch.pollIn(0);
    return this.#once(() => this.#views--);
  }

  /**
   * Opens the socket for a run about to be sent, so that none of its events is missed; it stays open until the returned
   * function is called. Rejects when no socket can be opened now: the run can still be tracked by polling.
   */
  async ready(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    this.#autoStart();
    this.#watch.allowPolling();
    this.#runs++;
    const release = this.#once(() => {
      if (--this.#runs === 0) this.#events.allSent();
    });
    try {
      const opened = this.#watch.open();
      this.#watch.updateConnection();
      await (signal ? orAborted(opened, signal) : opened);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Keeps the socket between the runs of a batch, until the answer is called. */
  keepSocket(): () => void {
    this.#keeping++;
    return this.#once(() => this.#keeping--);
  }

  /** Reads queue and list now; throws what the server answers with. Also ends a stop after 401 or 403. */
  async refresh(signal?: AbortSignal): Promise<void> {
    this.#autoStart();
    this.#watch.allowPolling();
    const both = this.#with(signal);
    try {
      await this.#read(true, both);
      this.#watch.succeeded();
    } catch (error) {
      if (!both.aborted) this.#watch.failed(error);
      throw error;
    } finally {
      this.#watch.updateConnection();
    }
  }

  follow(jobId: string): void {
    if (!this.#followed.has(jobId) && !this.#followed.isSettled(jobId)) this.#missed(jobId);
    this.#track(jobId);
  }

  resumed(id: string, origin: JobOrigin, heard?: Pick<Job, 'outputs' | 'texts' | 'startedAt'>): void {
    this.#jobs.observe({ kind: 'submitted', id, origin, heard });
    this.follow(id);
  }

  #track(jobId: string): void {
    this.#autoStart();
    if (!this.#watching || this.#followed.has(jobId)) return;
    this.#followed.add(jobId, this.#watch.signal);
    if (this.#followed.has(jobId)) this.#watch.pollIn(soon);
  }

  submitted(id: string, origin: JobOrigin): void {
    // First: what the store adds and nobody follows was sent by another part.
    this.#track(id);
    this.#jobs.observe({ kind: 'submitted', id, origin });
    for (const event of this.#events.early(id)) this.#jobs.observe({ kind: 'event', event });
    if (this.options.stream.state.kind !== 'open') this.#missed(id);
  }

  async details(jobId: string, signal?: AbortSignal): Promise<Job | undefined> {
    await this.#jobs.read(jobId, this.#with(signal));
    return this.#jobs.get(jobId);
  }

  /** The jobs that the server no longer has. It gets one waiting time for all of them together. */
  absent(
    jobs: ReadonlyMap<string, JobOrigin>,
    signal: AbortSignal,
    onMissing?: (count: number) => void,
  ): Promise<readonly string[]> {
    for (const [id, origin] of jobs) this.#jobs.observe({ kind: 'submitted', id, origin });
    return this.#jobs.absent([...jobs.keys()], this.#with(signal), onMissing);
  }

  known(jobId: string): Job | undefined {
    return this.#jobs.get(jobId);
  }

  async cancel(id: string, signal?: AbortSignal): Promise<CancelResult> {
    const result = await cancelAndConfirm(this.#jobs, this.options.client, id, this.#with(signal));
    this.#watch.pollIn(soon);
    return result;
  }

  async cancelWaiting(ids: readonly string[], signal?: AbortSignal): Promise<CancelResults> {
    const results = await cancelWaitingAndConfirm(this.#jobs, this.options.client, ids, this.#with(signal));
    this.#watch.pollIn(soon);
    return results;
  }

  /** Rejects when the signal aborts, when tracking stops, and when the server refuses access or never knew the job. */
  async finished(jobId: string, signal?: AbortSignal): Promise<Job> {
    signal?.throwIfAborted();
    const { stopped, trouble } = this.state;
    if (stopped && trouble) throw trouble;
    this.follow(jobId);
    return this.#followed.wait(jobId, signal);
  }

  /** Also called with the job as it is now. Returns what ends it. */
  onDidChangeJob(jobId: string, listener: (job: Job) => void): () => void {
    const tellJob = (): void => {
      const job = this.#jobs.get(jobId);
      if (job) listener(job);
    };
    tellJob();
    return this.options.store.onDidChange(({ added, changed }) => {
      if (added.includes(jobId) || changed.includes(jobId)) tellJob();
    });
  }

  heard(event: ServerEvent): void {
    this.#watch.heard();
    if (event.type === 'preview') {
      const preview = this.#events.preview(event);
      if (preview) this.options.onPreview?.(preview);
      return;
    }
    if (event.type === 'dropped') {
      this.#watch.change({ unread: event.reason });
      for (const id of this.#followed.open()) this.#missed(id);
      // Its content is requested.
      this.#watch.pollIn(soon);
      return;
    }
    if (event.type === 'status') this.#queueMoved(event.queueRemaining);
    const named = this.#events.named(event);
    const id = 'promptId' in named ? named.promptId : undefined;
    if (id === undefined) {
      // A run is over, but the message doesn't say whose.
      if (named.type === 'executing' && named.nodeId === null && this.#followed.open().length > 0)
        this.#watch.pollIn(0);
      return;
    }
    this.#watch.heardOfJob();
    // Messages are not progress.
    if (named.type !== 'notification') this.#hang.moved(this.#jobs.awake());
    this.#events.heard(named, id);
    this.#jobs.observe({ kind: 'event', event: named });
    if (named.type !== 'executing' || named.nodeId !== null) return;
    this.#followed.stored(id);
    // How it ended was missed.
    if (this.#followed.open().includes(id)) this.#watch.pollIn(0);
  }

  streamChanged(stream: StreamState): void {
    const before = this.#watch.state.stream.kind;
    this.#watch.change({ stream });
    if (stream.kind === 'open') {
      this.#isLost = false;
      this.#watch.heard();
      // Missed events are not replayed (protocol 3.7).
      if (this.#followed.size > 0 || this.#views > 0) this.#watch.pollIn(0);
    } else {
      for (const id of this.#followed.ids()) this.#missed(id);
      this.#events.forget();
      this.#watch.change({ queueLength: undefined });
      this.#lookForServer(before, stream);
      this.#watch.updateConnection();
    }
  }

  /** A poll may take half a minute to fail: a socket that can't be opened again tells sooner that nobody is there. */
  #lookForServer(before: StreamState['kind'], stream: StreamState): void {
    if (this.#followed.open().length === 0) return;
    if (before === 'open') {
      this.#isLost = true;
      this.#watch.pollIn(0);
    } else if (stream.kind === 'waiting' && before === 'connecting' && this.#isLost) {
      this.#watch.change({ silent: true });
    }
  }

  #missed(id: string): void {
    this.#jobs.observe({ kind: 'missed', id });
  }

  #autoStart(): void {
    if (!this.#stopped) this.start();
  }

  #with(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#watch.signal]) : this.#watch.signal;
  }

  #once(release: () => void): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      release();
      this.#watch.updateConnection();
    };
  }

  async #read(list: boolean, signal: AbortSignal): Promise<void> {
    const { queue, lookAgain } = await this.#followed.read(list, this.#queueRemaining, signal);
    const quietFor =
      queue && this.#hang.read({ queue, nodeKnown: this.#isNodeKnown(queue), at: this.#jobs.awake() });
    this.#isLost = false;
    const { liveUnknown } = this.#jobs;
    this.#watch.change({ liveUnknown, suspectedHang: quietFor === undefined ? undefined : { quietFor } });
    for (const each of this.#followed.ids()) this.#followed.settle(each, this.#watch.signal);
    if (lookAgain) this.#watch.pollIn(missingJobPause);
  }

  #isNodeKnown({ running }: QueueSnapshot): boolean {
    if (this.options.stream.state.kind !== 'open') return true;
    const open = new Set(this.#followed.open());
    const ours = running.map(({ id }) => (open.has(id) ? this.#jobs.get(id) : undefined));
    return !ours.some((job) => job?.state === 'running' && job.currentNodeId === undefined);
  }

  /** Its row still says that it is lost until the server reports how it ended. */
  #foundAgain(id: string): void {
    if (!this.#watching || this.#followed.has(id)) return;
    this.#followed.add(id, this.#watch.signal, true);
    this.#watch.pollIn(soon);
  }

  #storeChanged({ changed, added, removed }: JobChange): void {
    for (const id of removed) {
      if (this.#followed.has(id))
        this.#followed.drop(id, new DOMException('The job was removed.', 'AbortError'));
    }
    const { signal } = this.#watch;
    for (const id of changed) this.#followed.settle(id, signal);
    for (const id of added) {
      const job = this.#jobs.get(id);
      // The job was read from storage after the start, or added by another part.
      if (job?.origin && job.server === this.#jobs.server && !isTerminal(job.state)) this.follow(id);
      else this.#followed.settle(id, signal);
    }
  }

  /** The number of jobs in the queue changed: places in it, or jobs of others, did. */
  #queueMoved(queueRemaining: number | undefined): void {
    const same = queueRemaining === this.#queueRemaining;
    this.#queueRemaining = queueRemaining;
    if (queueRemaining !== undefined) this.#watch.change({ queueLength: queueRemaining });
    if (!same) this.#hang.moved(this.#jobs.awake());
    const pending = () => this.#followed.open().some((id) => this.#jobs.get(id)?.state === 'pending');
    if (!same && (this.#views > 0 || pending())) this.#watch.pollIn(soon);
  }
}
