import type { StreamState } from '../client/eventStream';
import type { JobPreview } from '../jobs/eventJob';
import type { JobStore } from '../jobs/jobStore';
import { JobTracker } from '../jobs/jobTracker';
import { startOfSentence } from '../safety/endSentence';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { ServerError } from '../protocol/serverError';
import type { ServerEvent } from '../protocol/serverEvent';
import { ServerSession, type SessionOptions } from '../server/serverSession';
import type { AssetIds } from '../protocol/outputFile';
import { sentTextsOfJob, type ServerTexts } from './sentTexts';

interface RunSessionOptions extends SessionOptions {
  readonly store: JobStore;
  readonly onStream?: ((state: StreamState) => void) | undefined;
  readonly onPreview?: ((preview: JobPreview) => void) | undefined;
}

/** Files that one server is known to have, by content hash and ending. Lives as long as the session. */
export type UploadMemory = Map<string, UploadedFile>;

export interface UploadedFile {
  readonly value: string;
  readonly asset?: AssetIds | undefined;
}

/** How long a run waits for the event socket, ms: after that, polling takes over. */
const longestSocketWait = 10_000;

export class RunSession extends ServerSession {
  readonly tracker: JobTracker;
  readonly uploads: UploadMemory = new Map();
  #closed: string | undefined;

  constructor(private readonly options: RunSessionOptions) {
    super(options);
    const { store, onPreview } = options;
    this.tracker = new JobTracker({
      server: this.origin,
      client: this.client,
      stream: this.stream,
      store,
      clock: () => this.now(),
      onPreview,
    });
  }

  /** Without a socket, jobs are polled. The socket stays open until the result is called and while a job is live. */
  async connect(signal: AbortSignal): Promise<() => void> {
    this.tracker.start();
    const timeout = AbortSignal.timeout(longestSocketWait);
    try {
      return await this.tracker.ready(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted && !(error instanceof ServerError)) throw error;
      this.#closed = timeout.aborted
        ? t`${startOfSentence(t`the server`)} didn't respond within ${longestSocketWait / 1000} s.`
        : errorWords(error).message;
      return () => undefined;
    }
  }

  /** One sentence; undefined while the socket is open. */
  get socketTrouble(): string | undefined {
    return this.stream.state.kind === 'open' ? undefined : this.#closed;
  }

  knownJobs(): ReadonlySet<string> {
    return new Set(this.options.store.jobs().map(({ id }) => id));
  }

  async sentTextsOf(id: string, signal?: AbortSignal): Promise<ServerTexts | undefined> {
    const { jobs, history } = await this.capabilities();
    if (!jobs && !history) return undefined;
    return sentTextsOfJob(this.transport, id, signal);
  }

  override async dispose(): Promise<void> {
    this.endWaits();
    await this.tracker.stop();
    await super.dispose();
  }

  protected override heard(event: ServerEvent): void {
    this.tracker.heard(event);
  }

  protected override streamChanged(state: StreamState): void {
    this.tracker.streamChanged(state);
    this.options.onStream?.(state);
  }
}
