import * as vscode from 'vscode';
import { countAt } from '../../core/safety/lists';
import type { StreamState } from '../../core/client/eventStream';
import { abortableSleep } from '../../core/client/timing';
import type { JobStore } from '../../core/jobs/jobStore';
import { jobsRefusal, type JobsRefusal } from '../../core/jobs/jobsRefusal';
import type { JobPreview } from '../../core/jobs/eventJob';
import type { DefinitionsReading } from '../../core/server/serverDefinitions';
import type { RunSession } from '../../core/runLife/runSession';
import { shown } from '../../core/safety/shownText';
import type { Platform } from '../platform/platform';
import { showProgress } from '../platform/show';
import type { ClientIds } from './clientIds';
import type { Keys } from './keys';

/** How long the status bar shows a sentence, ms. */
const noticeTime = 5_000;

/** A server that can be used. */
export interface ServerTarget {
  readonly name: string;
  readonly url: string;
  readonly origin: string;
}

/** A server that does not report its jobs. */
export interface Silence {
  /** When it was last heard from, ms since the epoch; undefined if it never answered. */
  readonly since: number | undefined;
  /** The server refuses access (401, 403), so it isn't asked again automatically. */
  readonly isShutOut?: true;
}

export interface StreamChange {
  readonly origin: string;
  readonly state: StreamState;
}

/** Node definitions that a server just returned. */
export interface DefinitionsChange {
  readonly origin: string;
  readonly reading: DefinitionsReading;
}

/** One session per address. It stays after another server is selected, as long as it has a live job. */
export class Sessions implements vscode.Disposable {
  #clientIds: ClientIds | undefined;
  readonly #open = new Map<string, Promise<RunSession>>();
  readonly #made = new Map<string, RunSession>();
  /** The next session of an origin has the same client ID: this one's socket must be closed before (protocol 3.7). */
  readonly #closing = new Map<string, Promise<void>>();
  /** Origin -> how many need its session although it may have no live job. */
  readonly #held = new Map<string, number>();
  readonly #silence = new vscode.EventEmitter<string>();
  readonly #streamChanged = new vscode.EventEmitter<StreamChange>();
  readonly #preview = new vscode.EventEmitter<JobPreview>();
  readonly #serverDefinitions = new vscode.EventEmitter<DefinitionsChange>();
  readonly #queue = new vscode.EventEmitter<string>();
  readonly #stale = new vscode.EventEmitter<string>();
  readonly onDidChangeStream = this.#streamChanged.event;
  readonly onDidReadDefinitions = this.#serverDefinitions.event;
  /** Fires with the origin of a server that stopped answering or refuses access, or answers again. */
  readonly onDidChangeSilence = this.#silence.event;
  /** Fires with the origin of a server whose queue length changed. */
  readonly onDidChangeQueueLength = this.#queue.event;
  readonly onDidFindStale = this.#stale.event;
  readonly onPreview = this.#preview.event;

  constructor(
    private readonly platform: Platform,
    private readonly keys: Keys,
    private readonly store: JobStore,
  ) {}

  /** The session of a server, created if there is none. Sends nothing by itself. */
  open(target: ServerTarget): Promise<RunSession> {
    const existing = this.#open.get(target.origin);
    if (existing) return existing;
    const made = this.#make(target);
    this.#open.set(target.origin, made);
    made.catch(() => this.#open.delete(target.origin));
    return made;
  }

  /** Something the server said contradicts its known node definitions. */
  reportStaleDefinitions(origin: string): void {
    this.#stale.fire(origin);
  }

  /** The session of an origin if there is one. */
  of(origin: string): Promise<RunSession> | undefined {
    return this.#open.get(origin);
  }

  /**
   * Whether a server that was asked does not answer or refuses access; undefined if it does answer, or was not asked.
   */
  silenceOf(origin: string): Silence | undefined {
    const state = this.#made.get(origin)?.tracker.state;
    if (state?.stopped) return { since: state.heardAt, isShutOut: true };
    return state?.silent ? { since: state.heardAt } : undefined;
  }

  /** Why a server that answers refuses access to its jobs; undefined if it doesn't, or was not asked. */
  jobsRefusalOf(origin: string): JobsRefusal | undefined {
    const state = this.#made.get(origin)?.tracker.state;
    return state && jobsRefusal(state);
  }

  /** Everyone's jobs that are running or queued on a server; undefined if it doesn't say. */
  queueLengthOf(origin: string): number | undefined {
    return this.#made.get(origin)?.tracker.state.queueLength;
  }

  /** When a server was last heard from, ms since the epoch; undefined if it never answered. */
  heardOf(origin: string): number | undefined {
    return this.#made.get(origin)?.tracker.state.heardAt;
  }

  async close(origin: string): Promise<void> {
    const session = this.#open.get(origin);
    this.#open.delete(origin);
    this.#made.delete(origin);
    const closed = Promise.all([session?.then((each) => each.dispose()), this.#closing.get(origin)]).then(
      () => undefined,
      () => undefined,
    );
    this.#closing.set(origin, closed);
    await closed;
  }

  hold(origin: string): () => void {
    const count = (by: number): void => void this.#held.set(origin, countAt(this.#held, origin) + by);
    count(1);
    let isHeld = true;
    return () => {
      if (isHeld) count(-1);
      isHeld = false;
    };
  }

  /** Closes sessions that are no longer needed: not the current server's, not held, and without live jobs. */
  async closeIdle(currentOrigin: string | undefined): Promise<void> {
    const needed = new Set(this.store.live().map((job) => job.server));
    const isNeeded = (origin: string): boolean =>
      origin === currentOrigin || needed.has(origin) || countAt(this.#held, origin) > 0;
    const idle = [...this.#open.keys()].filter((origin) => !isNeeded(origin));
    await Promise.all(idle.map((origin) => this.close(origin)));
  }

  /** The window closes: its next one goes on with its client IDs. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((origin) => this.close(origin)));
    await this.#clientIds?.leave();
  }

  dispose(): void {
    this.#streamChanged.dispose();
    this.#preview.dispose();
    this.#serverDefinitions.dispose();
    this.#stale.dispose();
    this.#queue.dispose();
    this.#silence.dispose();
    void this.closeAll();
  }

  async #clientIdOf(origin: string): Promise<string> {
    const { ClientIds: Ids } = await import('./clientIds');
    const { storage, workspaceName } = this.platform;
    return (this.#clientIds ??= new Ids(storage, workspaceName)).of(origin);
  }

  async #make({ name, url, origin }: ServerTarget): Promise<RunSession> {
    const { log, secrets } = this.platform;
    const [clientId, { RunSession: Session }, { Transport }, { fetchStack }] = await Promise.all([
      this.#closing.get(origin)?.then(() => this.#clientIdOf(origin)) ?? this.#clientIdOf(origin),
      import('../../core/runLife/runSession'),
      import('../../core/client/transport'),
      import('../../core/client/fetchStack'),
    ]);
    const transport = new Transport({
      baseUrl: url,
      // The extension host's own fetch uses VS Code's proxy and certificate settings.
      http: fetchStack(globalThis),
      credential: async () => {
        const value = await this.keys.get(origin);
        return value === undefined ? undefined : { kind: 'apiKey', value };
      },
      secrets,
      log: (line) => log.debug(JSON.stringify(line)),
      onNotice: (sentence) => {
        log.info(`${name}: ${sentence}`);
        const place = { location: vscode.ProgressLocation.Window, title: shown`${name}: ${sentence}` };
        void showProgress(place, () => abortableSleep(noticeTime));
      },
    });
    const session = new Session({
      server: { id: origin, name, url },
      transport,
      clientId,
      store: this.store,
      onStream: (state) => this.#streamChanged.fire({ origin, state }),
      onPreview: (preview) => this.#preview.fire(preview),
      onDefinitions: (reading) => this.#serverDefinitions.fire({ origin, reading }),
    });
    this.#made.set(origin, session);
    let silent = false;
    let refused: JobsRefusal['missing'] | undefined;
    let queueLength: number | undefined;
    session.tracker.onDidChangeState((state) => {
      if (queueLength !== state.queueLength) {
        queueLength = state.queueLength;
        this.#queue.fire(origin);
      }
      const isSilent = state.silent === true || state.stopped;
      const isRefused = jobsRefusal(state)?.missing;
      if (silent === isSilent && refused === isRefused) return;
      silent = isSilent;
      refused = isRefused;
      this.#silence.fire(origin);
    });
    session.tracker.start();
    return session;
  }
}
