import * as vscode from 'vscode';
import { addressOrigin } from '../../core/client/address';
import type { StreamState } from '../../core/client/eventStream';
import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { JobsRefusal } from '../../core/jobs/jobsRefusal';
import { ServerError } from '../../core/protocol/serverError';
import type { RunSession } from '../../core/runLife/runSession';
import type { RunStore } from '../../core/runLife/runStore';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands, contextKeys, settings } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { onSettingChange, readSetting, writeUserSetting } from '../platform/settings';
import { Owner } from '../platform/feature';
import { Keys } from './keys';
import { type KnownServer, knownServers, sandboxServerName, ServerNames, serverOrigin } from './knownServers';
import { SandboxHost } from './sandboxHost';
import { statusOfReport, type ServerStatus } from './serverStatus';
import { type ServerTarget, Sessions } from './sessions';

/** The known servers, the selected one, and its status. */
export class Servers extends Owner {
  readonly keys: Keys;
  readonly sandbox: SandboxHost;
  readonly sessions: Sessions;
  readonly #names: ServerNames;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #status: ServerStatus = { kind: 'none' };
  #statusOf: string | undefined;
  #check: AbortController | undefined;

  constructor(platform: Platform, store: JobStore, runs: RunStore) {
    super();
    this.keys = platform.own(new Keys(platform));
    this.sandbox = platform.own(new SandboxHost(platform.log));
    this.sessions = platform.own(new Sessions(platform, this.keys, store));
    this.#names = platform.own(new ServerNames(runs));
    this.own(
      this.#changed,
      { dispose: () => this.#check?.abort() },
      onSettingChange([settings.server, settings.servers], () => this.#choiceMayHaveChanged()),
      this.sandbox.onDidChange(() => this.#choiceMayHaveChanged()),
      this.keys.onDidChange((origin) => this.#keyChanged(origin)),
      this.sessions.onDidChangeStream(({ origin, state }) => {
        if (origin !== this.currentOrigin()) return;
        if (state.kind === 'open') {
          if (this.#status.kind !== 'connected') this.#setStatus({ kind: 'connected' });
        } else if (state.kind === 'waiting') {
          this.#setStatus(this.#withoutStream(origin, state));
        } else if (state.kind === 'refused') this.#checkQuietly();
      }),
    );
  }

  /** Reads the settings for the first time; not during activation, since reading settings takes time. */
  start(): void {
    this.#choiceMayHaveChanged();
  }

  list(): KnownServer[] {
    return knownServers(readSetting(settings.servers) ?? [], this.sandbox.url);
  }

  current(): KnownServer | undefined {
    const name = readSetting(settings.server);
    return name === '' ? undefined : this.list().find((server) => server.name === name);
  }

  /** Whether an origin is that of the selected server. */
  isCurrent(origin: string): boolean {
    return origin === this.currentOrigin();
  }

  get status(): ServerStatus {
    if (this.#status.kind !== 'connected') return this.#status;
    const jobsRefused = this.#jobsRefused();
    return jobsRefused ? { ...this.#status, jobsRefused } : this.#status;
  }

  async select(server: KnownServer): Promise<void> {
    await writeUserSetting(settings.server, server.name);
    await this.sessions.closeIdle(serverOrigin(server));
  }

  /** Starts the sandbox if it is selected. Fails if no server is selected: asking is up to the caller. */
  async session(): Promise<RunSession> {
    const server = this.current();
    if (!server) {
      throw new UserProblem(
        shown`${startOfSentence(t`no server is selected`)}.`,
        shown`Select where workflows run.`,
        [{ label: shown`Select Server`, command: commands.selectServer }],
      );
    }
    return this.sessions.open(await this.#target(server));
  }

  /** The session of the current server, if that needs nothing from the user and starts nothing. */
  async quietSession(): Promise<RunSession | undefined> {
    const server = this.current();
    const origin = this.currentOrigin();
    if (server?.url === undefined || origin === undefined) return undefined;
    if (server.kind === 'cloud' && (await this.keys.get(origin)) === undefined) {
      if (this.#status.kind !== 'noKey') this.#setStatus({ kind: 'noKey' });
      return undefined;
    }
    return this.sessions.open({ name: server.name, url: server.url, origin });
  }

  /** The session of a job, created if its server is still known. */
  async sessionOf(origin: string): Promise<RunSession | undefined> {
    const existing = this.sessions.of(origin);
    if (existing) return existing;
    const server = this.list().find((candidate) => serverOrigin(candidate) === origin);
    return server?.url === undefined
      ? undefined
      : this.sessions.open({ name: server.name, url: server.url, origin });
  }

  /** Everything that a job's server knows about it; the job itself if the server can't be reached or forgot it. */
  async details(job: Job): Promise<Job> {
    const session = await this.sessionOf(job.server);
    return (await session?.tracker.details(job.id)) ?? job;
  }

  /** Name of the server that an origin belongs or belonged to, or else the origin itself. */
  nameOf(origin: string): string {
    const listed = this.list().find((server) => serverOrigin(server) === origin);
    return listed?.name ?? this.#names.of(origin) ?? origin;
  }

  /** The name of a server that isn't the selected one. */
  foreignNameOf(origin: string): string | undefined {
    const name = this.nameOf(origin);
    return this.isCurrent(origin) || name === this.current()?.name ? undefined : name;
  }

  isOfSandbox({ server }: Pick<Job, 'server'>): boolean {
    return this.nameOf(server) === sandboxServerName;
  }

  /** A session of the sandbox, which is started if necessary. */
  async sandboxSession(): Promise<RunSession> {
    return this.sessions.open(
      await this.#target({ kind: 'sandbox', name: sandboxServerName, url: undefined }),
    );
  }

  async stopSandbox(): Promise<void> {
    const { url } = this.sandbox;
    if (url !== undefined) await this.sessions.close(url);
    await this.sandbox.stop();
  }

  /** The selected server as jobs identify it; undefined when none is selected, or the sandbox has not started yet. */
  currentOrigin(): string | undefined {
    const server = this.current();
    return server && serverOrigin(server);
  }

  /** Checks whether the current server is there and accepts the key; starts nothing. */
  async check(signal?: AbortSignal): Promise<ServerStatus> {
    this.#check?.abort();
    const check = new AbortController();
    this.#check = check;
    const about = this.#identity();
    const session = await this.quietSession();
    if (!session || about !== this.#identity()) return this.status;
    this.#setStatus({ kind: 'checking' });
    const both = signal ? AbortSignal.any([signal, check.signal]) : check.signal;
    try {
      const report = await session.checkConnection(both);
      const isRefused = report.kind === 'connected' ? this.#jobsRefused() : report.reason === 'jobsRefused';
      // The result is in the tracker's state.
      if (isRefused) await session.tracker.refresh(both).catch(() => undefined);
      if (about === this.#identity()) this.#setStatus(statusOfReport(report));
    } catch (error) {
      if (check === this.#check && about === this.#identity()) this.#setStatus({ kind: 'unchecked' });
      if (!both.aborted) throw error;
    }
    return this.status;
  }

  /** Updates the status with what a failed request showed about the current server. */
  learnFrom(error: unknown, origin: string): void {
    if (!ServerError.is(error) || origin !== this.currentOrigin()) return;
    const words = { problem: error.message, nextAction: error.nextAction };
    if (error.reason === 'unauthorized') this.#setStatus({ kind: 'refused', ...words });
    else if (error.reason === 'network' || error.reason === 'certificate') {
      this.#setStatus({ kind: 'unreachable', ...words });
    }
  }

  async #target(server: KnownServer): Promise<ServerTarget> {
    const url = server.kind === 'sandbox' ? await this.sandbox.start() : server.url;
    const origin = serverOrigin({ ...server, url });
    if (url === undefined || origin === undefined) throw new Error(`${server.name} has no address`);
    return { name: server.name, url, origin };
  }

  /** A server that never answered is not a lost one. */
  #withoutStream(
    origin: string,
    { reason }: Extract<StreamState, { readonly kind: 'waiting' }>,
  ): ServerStatus {
    const heardAt = this.sessions.heardOf(origin);
    if (heardAt !== undefined) return { kind: 'reconnecting', reason, heardAt };
    return {
      kind: 'unreachable',
      problem: t`${this.nameOf(origin)} hasn't responded. ${reason}`,
      nextAction: t`Comfy Deck keeps trying. Start the server, check its address, or select another server.`,
    };
  }

  /** For background checks: their result is in the status. */
  #checkQuietly(): void {
    this.check().catch(() => undefined);
  }

  #jobsRefused(): JobsRefusal | undefined {
    const origin = this.currentOrigin();
    return origin === undefined ? undefined : this.sessions.jobsRefusalOf(origin);
  }

  #identity(server = this.current()): string {
    return server ? `${server.name} ${server.url ?? ''}` : '';
  }

  #choiceMayHaveChanged(): void {
    const server = this.current();
    const identity = this.#identity(server);
    setContext(contextKeys.sandboxRunning, this.sandbox.url !== undefined);
    setContext(
      contextKeys.hasOwnServers,
      this.list().some(({ kind }) => kind === 'own'),
    );
    setContext(contextKeys.canSignIn, server !== undefined && server.kind !== 'sandbox');
    setContext(contextKeys.canRestart, server?.kind === 'own' || server?.kind === 'local');
    if (this.#statusOf === identity) {
      this.#changed.fire();
      return;
    }
    this.#statusOf = identity;
    this.#check?.abort();
    this.#setStatus(firstStatus(server));
  }

  /** With a new or removed key, the server sees another client, so what was learned with the old one is forgotten. */
  #keyChanged(origin: string): void {
    const isOf = ({ url }: KnownServer): boolean => url !== undefined && addressOrigin(url) === origin;
    const all = [...new Set([origin, ...this.list().filter(isOf).map(serverOrigin)])];
    for (const each of all) if (each !== undefined) void this.sessions.close(each);
    if (all.includes(this.currentOrigin())) this.#setStatus(firstStatus(this.current()));
  }

  #setStatus(status: ServerStatus): void {
    this.#status = status;
    setContext(contextKeys.serverStatus, status.kind);
    this.#changed.fire();
  }
}

function firstStatus(server: KnownServer | undefined): ServerStatus {
  if (!server) return { kind: 'none' };
  if (server.kind !== 'sandbox') return { kind: 'unchecked' };
  return server.url === undefined ? { kind: 'stopped' } : { kind: 'connected' };
}
