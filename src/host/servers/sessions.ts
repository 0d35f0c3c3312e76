import * as vscode from 'vscode';
import type { StreamState } from '../../core/client/eventStream';
import type { JobStore } from '../../core/jobs/jobStore';
import { jobsRefusal, type JobsRefusal } from '../../core/jobs/jobsRefusal';
import type { JobPreview } from '../../core/jobs/eventJob';
import type { DefinitionsReading } from '../../core/server/serverDefinitions';
import type { RunSession } from '../../core/runs/runSession';
import type { Secrets } from '../../core/safety/secrets';
import type { Log } from '../platform/log';
import type { Keys } from './keys';

/** A server that can be talked to. */
export interface ServerTarget {
  readonly name: string;
  readonly url: string;
  readonly origin: string;
}

/** A server that tells nothing of its jobs. */
export interface Silence {
  /** When it was heard last, ms since the epoch; undefined where it never answered. */
  readonly since: number | undefined;
  /** It answers, and does not let us in (401, 403): it is not asked again by itself. */
  readonly isShutOut?: true;
}

export interface StreamChange {
  readonly origin: string;
  readonly state: StreamState;
}

/** Node definitions that a server has just given. */
export interface DefinitionsChange {
  readonly origin: string;
  readonly reading: DefinitionsReading;
}

/**
 * The sessions of this window, one per origin, made when they are first needed. A session outlives the choice of
 * another server for as long as it has a job that lives.
 */
export class Sessions implements vscode.Disposable {
  readonly #store: JobStore;
  readonly #keys: Keys;
  readonly #log: Log;
  readonly #secrets: Secrets;
  readonly #open = new Map<string, Promise<RunSession>>();
  readonly #made = new Map<string, RunSession>();
  readonly #silence = new vscode.EventEmitter<string>();
  readonly #streamChanged = new vscode.EventEmitter<StreamChange>();
  readonly #preview = new vscode.EventEmitter<JobPreview>();
  readonly #serverDefinitions = new vscode.EventEmitter<DefinitionsChange>();
  readonly #queue = new vscode.EventEmitter<string>();
  readonly #stale = new vscode.EventEmitter<string>();
  readonly onDidChangeStream = this.#streamChanged.event;
  readonly onDidReadDefinitions = this.#serverDefinitions.event;
  /** Tells the origin of a server that answers no more or shuts us out, or answers again. */
  readonly onDidChangeSilence = this.#silence.event;
  /** Tells the origin of a server whose queue grew or shrank. */
  readonly onDidChangeQueueLength = this.#queue.event;
  /** Tells the origin whose node definitions may be out of date. */
  readonly onDidFindStale = this.#stale.event;
  readonly onPreview = this.#preview.event;

  constructor(store: JobStore, keys: Keys, log: Log, secrets: Secrets) {
    this.#store = store;
    this.#keys = keys;
    this.#log = log;
    this.#secrets = secrets;
  }

  /** The session of a server, made now if there is none. Talks to nobody by itself. */
  open(target: ServerTarget): Promise<RunSession> {
    const existing = this.#open.get(target.origin);
    if (existing) return existing;
    const made = this.#make(target);
    this.#open.set(target.origin, made);
    made.catch(() => this.#open.delete(target.origin));
    return made;
  }

  /** Something that the server said does not go with the node definitions that are known of it. */
  reportStaleDefinitions(origin: string): void {
    this.#stale.fire(origin);
  }

  /** The session of an origin if there is one. */
  of(origin: string): Promise<RunSession> | undefined {
    return this.#open.get(origin);
  }

  /** Whether a server that was asked does not answer or let us in; undefined when it does, or nobody asks it. */
  silenceOf(origin: string): Silence | undefined {
    const state = this.#made.get(origin)?.tracker.state;
    if (state?.stopped) return { since: state.heardAt, isShutOut: true };
    return state?.silent ? { since: state.heardAt } : undefined;
  }

  /** Why a server that answers tells nothing of its jobs; undefined when it does tell, or nobody asked. */
  jobsRefusalOf(origin: string): JobsRefusal | undefined {
    const state = this.#made.get(origin)?.tracker.state;
    return state && jobsRefusal(state);
  }

  /** Jobs of everybody that run or wait at a server; undefined while it does not tell. */
  queueLengthOf(origin: string): number | undefined {
    return this.#made.get(origin)?.tracker.state.queueLength;
  }

  /** When something was heard of a server last, ms since the epoch; undefined where it never answered. */
  heardOf(origin: string): number | undefined {
    return this.#made.get(origin)?.tracker.state.heardAt;
  }

  /** What a server says it is, where it is talked to and says so. */
  async versionOf(origin: string): Promise<string | undefined> {
    try {
      const session = await this.#open.get(origin);
      return (await session?.capabilities())?.version;
    } catch {
      return undefined;
    }
  }

  async close(origin: string): Promise<void> {
    const session = this.#open.get(origin);
    this.#open.delete(origin);
    this.#made.delete(origin);
    await (await session)?.dispose();
  }

  /** Ends the sessions that nobody needs: not the current server's, and no job of theirs lives. */
  async closeIdle(currentOrigin: string | undefined): Promise<void> {
    const needed = new Set(this.#store.live().map((job) => job.server));
    const idle = [...this.#open.keys()].filter((origin) => origin !== currentOrigin && !needed.has(origin));
    await Promise.all(idle.map((origin) => this.close(origin)));
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((origin) => this.close(origin)));
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

  async #make({ name, url, origin }: ServerTarget): Promise<RunSession> {
    const [{ RunSession: Session }, { fetchStack }] = await Promise.all([
      import('../../core/runs/runSession'),
      import('../../core/client/fetchStack'),
    ]);
    const session = new Session({
      server: { id: origin, name, url },
      // The extension host's own fetch carries VS Code's proxy and certificate settings.
      http: fetchStack(globalThis),
      credential: async () => {
        const value = await this.#keys.get(origin);
        return value === undefined ? undefined : { kind: 'apiKey', value };
      },
      secrets: this.#secrets,
      store: this.#store,
      onStream: (state) => this.#streamChanged.fire({ origin, state }),
      onPreview: (preview) => this.#preview.fire(preview),
      onDefinitions: (reading) => this.#serverDefinitions.fire({ origin, reading }),
      log: (line) => this.#log.debug(JSON.stringify(line)),
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
