import type { EventStream, StreamState } from '../client/eventStream';
import type { QueueSnapshot } from '../protocol/queue';
import { ServerError } from '../protocol/serverError';

export interface TrackerState {
  readonly stream: StreamState;
  /** Why the last poll failed; polling continues unless `stopped`. */
  readonly trouble?: Error | undefined;
  /** When something was heard of the server last, ms since the epoch; missing before its first answer. */
  readonly heardAt?: number;
  readonly silent?: true | undefined;
  /** Why a message of the server was not read: progress may be missing. One sentence. */
  readonly unread?: string;
  /** The server refuses access (401, 403): nothing is requested until `refresh` or the next run. */
  readonly stopped: boolean;
  /** Everyone's running or queued jobs there; missing while the socket does not report it. */
  readonly queueLength?: number | undefined;
  /** Jobs that run or wait may be missing from the list, since the server does not show its queue. */
  readonly liveUnknown?: boolean;
  /** ms awake without progress while jobs are queued: the server may have stopped running jobs (protocol 7.2). */
  readonly suspectedHang?: { readonly quietFor: number } | undefined;
}

/** The event socket as the tracker opens and closes it. Its messages arrive through `heard` and `streamChanged`. */
export type JobStream = Pick<EventStream, 'state' | 'open' | 'close'>;

interface ServerWatchOptions {
  readonly stream: JobStream;
  readonly clock: () => number;
  readonly random: () => number;
  readonly needed: () => boolean;
  readonly hasLive: () => boolean;
  readonly read: (signal: AbortSignal) => Promise<void>;
  readonly onShutOut: (error: Error) => void;
}

/** Between two polls that both were wanted at once. */
const apart = 2_000;
const mostRefusals = 3;

/** The socket and the polls of one server: there while they are needed, gone when they are not. */
export class ServerWatch {
  readonly #opener: StreamOpener;
  readonly #timer = new PollTimer(() => this.#poll());
  #lifetime = new AbortController();
  #polling: Promise<void> | undefined;
  #failures = 0;
  /** Polls refused in a row, with no event about a job between them. */
  #refusals = 0;
  readonly #listeners = new Set<(state: TrackerState) => void>();
  #state: TrackerState = { stream: { kind: 'closed' }, stopped: false };

  constructor(private readonly options: ServerWatchOptions) {
    this.#opener = new StreamOpener(options.stream);
  }

  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  get state(): TrackerState {
    return this.#state;
  }

  onDidChange(listener: (state: TrackerState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  heard(): void {
    this.change({ heardAt: this.options.clock(), silent: undefined });
  }

  change(news: Partial<TrackerState>): void {
    const old = this.#state;
    this.#state = { ...old, ...news };
    const isSame = compared.every((name) => old[name] === this.#state[name]);
    const isHungAsBefore = (old.suspectedHang === undefined) === (this.#state.suspectedHang === undefined);
    if (isSame && isHungAsBefore) return;
    for (const listener of [...this.#listeners]) listener(this.#state);
  }

  restart(): void {
    if (this.#lifetime.signal.aborted) this.#lifetime = new AbortController();
  }

  open(): Promise<void> {
    return this.#opener.open(true);
  }

  updateConnection(): void {
    const { stream, random } = this.options;
    const { stopped, trouble } = this.#state;
    if (!this.#isNeeded()) {
      this.#timer.clear();
      void this.#opener.close();
      // Polling stopped: an earlier failure may no longer apply.
      if (!stopped) this.change({ trouble: undefined, suspectedHang: undefined });
      return;
    }
    // The stream's state reports how it went.
    this.#opener.open().catch(() => undefined);
    const socketOpen = stream.state.kind === 'open';
    this.pollIn(nextPoll({ socketOpen, failures: this.#failures, trouble, random }));
  }

  pollIn(ms: number): void {
    if (this.#isNeeded()) this.#timer.within(ms);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#refusals = 0;
    this.heard();
    this.change({ trouble: undefined });
  }

  heardOfJob(): void {
    this.#refusals = 0;
  }

  failed(error: unknown): void {
    this.#failures++;
    // While events tell how the jobs go and what they make, a refused status is no reason to stop listening.
    const isHeard = this.options.stream.state.kind === 'open' && this.options.hasLive();
    if (isShutOut(error) && isHeard && ++this.#refusals < mostRefusals) {
      this.updateConnection();
      return;
    }
    const trouble = error instanceof Error ? error : new Error(String(error));
    const stopped = this.#state.stopped || isShutOut(error);
    const isSilence =
      ServerError.is(error) &&
      (error.reason === 'network' || error.reason === 'timeout' || error.isFromGateway);
    this.change({ trouble, stopped, silent: isSilence || undefined });
    if (stopped) this.options.onShutOut(trouble);
    this.updateConnection();
  }

  allowPolling(): void {
    this.#failures = 0;
    if (this.#state.stopped) this.change({ trouble: undefined, stopped: false });
  }

  async stop(reason: Error): Promise<void> {
    this.#lifetime.abort(reason);
    this.#timer.clear();
    await Promise.all([this.#polling, this.#opener.close()]);
  }

  #isNeeded(): boolean {
    return !this.#state.stopped && this.options.needed();
  }

  #poll(): void {
    if (this.#polling) {
      this.pollIn(apart);
      return;
    }
    const { signal } = this.#lifetime;
    this.#polling = this.options
      .read(signal)
      .then(
        () => this.succeeded(),
        (error: unknown) => {
          if (!signal.aborted) this.failed(error);
        },
      )
      .finally(() => {
        this.#polling = undefined;
        this.updateConnection();
      });
  }
}

/** One timer for the next poll; the earliest plan counts. */
class PollTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Infinity;

  constructor(private readonly poll: () => void) {}

  within(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.#at) return;
    this.clear();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.clear();
      this.poll();
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Infinity;
  }
}

const withoutSocket = 2_000;
const besideSocket = 5_000;
const ceiling = 60_000;
/** A server that asks for longer waits, or whose clock is wrong, must not prevent tracking a job. */
const longestAsked = 5 * 60_000;

interface PollPace {
  readonly socketOpen: boolean;
  readonly failures: number;
  readonly trouble?: Error | undefined;
  readonly random: () => number;
}

/** With a socket, polling makes up for lost events (protocol 3.7). Failures double the delay (ms). */
export function nextPoll({ socketOpen, failures, trouble, random }: PollPace): number {
  if (failures === 0) return socketOpen ? besideSocket * (1 + random()) : withoutSocket;
  const doubled = Math.min(withoutSocket * 2 ** Math.min(failures, 10), ceiling);
  const asked = ServerError.is(trouble) ? Math.min((trouble.retryAfter ?? 0) * 1000, longestAsked) : 0;
  return Math.max(doubled * (0.75 + random() / 4), asked);
}

/** The server refuses access: asking again helps only after the user did something. */
export function isShutOut(error: unknown): boolean {
  return ServerError.is(error, 'unauthorized') || ServerError.is(error, 'forbidden');
}

/** Opens and closes the socket in turn: never one before the other has been done. */
export class StreamOpener {
  #opening: Promise<void> | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(private readonly stream: JobStream) {}

  /**
   * Keeps the stream open. Rejects if the first attempt fails, and then keeps trying.
   * @param now tries at once if the stream is waiting or has given up
   */
  open(now = false): Promise<void> {
    if (this.#opening && (!now || this.stream.state.kind === 'open')) return this.#opening;
    const opening: Promise<void> = this.#closing.then(() => {
      if (!this.#opening) throw new DOMException('The socket is no longer needed.', 'AbortError');
      // Two runs that start together: the later one opens it for both.
      return this.#opening === opening ? this.stream.open() : this.#opening;
    });
    this.#opening = opening;
    // Callers that need the outcome await it; others use the stream's state.
    opening.catch(() => undefined);
    return opening;
  }

  close(): Promise<void> {
    if (this.#opening) {
      this.#opening = undefined;
      // The stream closes silently; nobody handles its errors any more.
      this.#closing = this.#closing.then(() => this.stream.close()).catch(() => undefined);
    }
    return this.#closing;
  }
}

/** Each poll changes the other members, which nobody listens for. */
const compared = ['stream', 'trouble', 'stopped', 'silent', 'unread', 'queueLength', 'liveUnknown'] as const;

/** A server that does not even name a node that it runs is suspected sooner than one that is busy with a node. */
const quietWithoutNode = 2 * 60_000;
const quietWithNode = 10 * 60_000;

interface Quiet {
  readonly queue: QueueSnapshot;
  /** The node that runs is known for every running job, or can't be known because its events are sent elsewhere. */
  readonly nodeKnown: boolean;
  /** ms for which this machine was awake: see `ServerJobs.awake`. */
  readonly at: number;
}

/**
 * Suspects a server that answers but no longer runs anything: an accepted prompt can kill its worker; then the job runs
 * forever and later ones wait forever (protocol 7.2). Only a suspicion: a long node is silent too.
 */
export class StallDetector {
  #movedAt: number | undefined;
  #seen = '';

  moved(at: number): void {
    this.#movedAt = at;
  }

  /** The queue was read. Returns for how long nothing has moved (ms), if long enough to report. */
  read({ queue, nodeKnown, at }: Quiet): number | undefined {
    const ids = [queue.running, queue.pending].map((items) => items.map((item) => item.id));
    const seen = JSON.stringify(ids);
    if (seen !== this.#seen || this.#movedAt === undefined || seen === '[[],[]]') {
      this.#seen = seen;
      this.#movedAt = at;
    }
    const waits = queue.pending.length > 0 || !nodeKnown;
    const quiet = nodeKnown && queue.running.length > 0 ? quietWithNode : quietWithoutNode;
    const still = at - this.#movedAt;
    return waits && still >= quiet ? still : undefined;
  }
}
