import * as vscode from 'vscode';
import { addressOrigin } from '../../core/client/address';
import type { JobStore } from '../../core/jobs/jobStore';
import { ServerError } from '../../core/protocol/serverError';
import type { ServerDefinitions } from '../../core/server/serverDefinitions';
import { serverDefinitionsFrom } from '../../core/server/serverDefinitions';
import type { RunSession } from '../../core/runLife/runSession';
import { Owner } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { isCancellation } from '../platform/problems';
import type { KnownServer } from '../servers/knownServers';
import { serverOrigin } from '../servers/knownServers';
import type { Servers } from '../servers/servers';
import type { DefinitionsChange } from '../servers/sessions';
import { StaleDefinitions } from './staleDefinitions';
import { DefinitionFiles, isSameText, KeptDefinitions, type KnownDefinitions } from './definitionFiles';
import { t } from '../../core/safety/localize';

/** The current state of the selected server's node definitions. */
export interface DefinitionsState {
  readonly server: KnownServer | undefined;
  readonly known: KnownDefinitions | undefined;
  readonly reading: boolean;
  /** Why the last read failed, in one sentence. */
  readonly problem: string | undefined;
}

/** The definitions of a stopped sandbox have no origin. */
const bundled = 'sandbox';

/**
 * The node definitions of the selected server, for the editor. Cached ones are available at once; the server is asked
 * in the background, once per window, on request, and when something suggests that they are outdated. Runs read them
 * through the same session, and the result is used here too.
 */
export class NodeDefinitions extends Owner {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something about them changed, such as the time they were read. */
  readonly onDidChange = this.#changed.event;
  readonly #rulesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeRules = this.#rulesChanged.event;
  #told: ServerDefinitions = {};
  readonly #known = new Map<string, KnownDefinitions>();
  readonly #loads = new Map<string, Promise<void>>();
  /** Servers asked in this window. */
  readonly #asked = new Set<string>();
  readonly #problems = new Map<string, string>();
  readonly #stale: StaleDefinitions;
  readonly #kept: KeptDefinitions;
  /** Rules used instead of a session's, because they come from the same text. */
  readonly #standsFor = new WeakMap<ServerDefinitions, ServerDefinitions>();
  #reading = 0;
  #cleaned = false;
  #lastStatus: string | undefined;

  /** @param lenses are idle when the window has nothing more urgent to do than refresh the definitions */
  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
    store: JobStore,
    private readonly lenses: { idle(): Promise<void> },
  ) {
    super();
    this.#kept = new KeptDefinitions(new DefinitionFiles(platform.storage), platform.log);
    const { sessions } = servers;
    this.#stale = new StaleDefinitions(
      sessions,
      store,
      (origin) => origin === keyOf(servers.current()),
      (origin) => this.#readAnew(origin),
    );
    this.own(
      this.#changed,
      this.#rulesChanged,
      servers.onDidChange(() => this.#serverChanged()),
      servers.keys.onDidChange((origin) => {
        for (const each of this.#asked) if (addressOrigin(each) === origin) this.#asked.delete(each);
        this.#follow();
      }),
      sessions.onDidReadDefinitions((change) => void this.#wasRead(change)),
      this.#stale,
    );
    this.#follow();
  }

  get state(): DefinitionsState {
    const server = this.servers.current();
    const key = keyOf(server);
    return {
      server,
      known: key === undefined ? undefined : this.#known.get(key),
      reading: this.#reading > 0,
      problem: key === undefined ? undefined : this.#problems.get(key),
    };
  }

  /** The rules of the selected server, as far as they are known. */
  get rules(): ServerDefinitions {
    return this.state.known?.rules ?? {};
  }

  /** Resolves when the cache has been read. */
  async loaded(): Promise<void> {
    const key = keyOf(this.servers.current());
    if (key !== undefined) await this.#load(key);
  }

  /** The rules once the cache has been read, or once the server was asked if the cache is empty. */
  async ready(): Promise<ServerDefinitions> {
    await this.loaded();
    if (!this.state.known) await this.#ask();
    return this.rules;
  }

  /** Asks the server for all definitions, or for one node type if it supports that. */
  async refresh(classType?: string): Promise<void> {
    const { servers } = this;
    const session = await servers.session();
    await this.#read(session, () =>
      classType === undefined ? session.freshDefinitions(undefined, 0) : session.freshNode(classType),
    );
  }

  /** Asks the server again for these node types if it is connected and supports single requests. */
  async lookAgain(classTypes: readonly string[]): Promise<void> {
    const session = await this.servers.quietSession();
    if (!session || !this.#known.has(session.origin)) return;
    await this.#read(session, async () => {
      let rules = await session.serverDefinitions();
      const { singleNodeInfo } = await session.capabilities();
      for (const classType of singleNodeInfo ? classTypes : []) rules = await session.freshNode(classType);
      return rules;
    });
  }

  #serverChanged(): void {
    const { status } = this.servers;
    const before = this.#lastStatus;
    this.#lastStatus = status.kind;
    const origin = keyOf(this.servers.current());
    if (status.kind === 'connected' && origin !== undefined) {
      const version = this.#known.get(origin)?.rules.version;
      if (version !== undefined && status.version !== undefined && version !== status.version) {
        this.#stale.report(origin);
      }
      if (before !== 'connected' && this.#problems.has(origin)) this.#asked.delete(origin);
    }
    this.#follow();
    this.#tell();
  }

  #tell(): void {
    this.#changed.fire();
    const { catalog, replacements, version } = this.rules;
    const told = this.#told;
    if (catalog === told.catalog && replacements === told.replacements && version === told.version) return;
    this.#told = this.rules;
    this.#rulesChanged.fire();
  }

  /** Loads the cache of the selected server, and asks the server once per window. */
  #follow(): void {
    const key = keyOf(this.servers.current());
    if (key === undefined) return;
    // Definitions of a large server are many megabytes, so only the selected one's are kept in memory.
    for (const other of this.#loads.keys()) if (other !== key) this.#forget(other);
    const act = async (): Promise<void> => {
      await this.#load(key);
      if (key !== bundled && !this.#asked.has(key)) await this.#askLater(key);
      if (this.#cleaned) return;
      this.#cleaned = true;
      await this.#kept.removeUnused(key);
    };
    act().catch((error: unknown) => this.platform.log.error('Reading node definitions', error));
  }

  #forget(key: string): void {
    this.#known.delete(key);
    this.#loads.delete(key);
    this.#asked.delete(key);
  }

  #load(key: string): Promise<void> {
    const loading = this.#loads.get(key) ?? this.#loadOnce(key);
    this.#loads.set(key, loading);
    return loading;
  }

  async #loadOnce(key: string): Promise<void> {
    const { servers } = this;
    const { log } = this.platform;
    const isSandbox = servers.current()?.kind === 'sandbox';
    try {
      if (isSandbox) {
        const definitions = await servers.sandbox.definitions();
        this.#take(key, { rules: serverDefinitionsFrom({ definitions }) }, true);
        return;
      }
      const kept = await this.#kept.read(key);
      if (kept) this.#take(key, kept, true);
    } catch (error) {
      log.error('Reading the cached node definitions', error);
    }
  }

  /** Definitions from the server take precedence over the cache. */
  #take(key: string, definitions: KnownDefinitions, fromDisk: boolean): void {
    if (key !== keyOf(this.servers.current()) || (fromDisk && this.#known.has(key))) return;
    this.#known.set(key, definitions);
    this.#tell();
  }

  /** With cached definitions, the server can wait: its answer has megabytes, and is mostly the same. */
  async #askLater(key: string): Promise<void> {
    if (this.#known.has(key)) await this.lenses.idle();
    if (key === keyOf(this.servers.current()) && !this.#asked.has(key)) await this.#ask();
  }

  async #ask(): Promise<void> {
    const session = await this.servers.quietSession();
    if (!session) return;
    const { origin } = session;
    this.#asked.add(origin);
    const { rules: kept, texts } = this.#known.get(origin) ?? {};
    if (kept && texts) session.keepDefinitions({ rules: kept, texts });
    const rules = await this.#read(session, () => session.serverDefinitions());
    // A run may have read them before a workflow was edited.
    if (rules?.catalog && this.#known.get(origin)?.rules !== (this.#standsFor.get(rules) ?? rules)) {
      this.#take(origin, { rules, readAt: Date.now() }, false);
    }
  }

  async #read(
    session: RunSession,
    read: () => Promise<ServerDefinitions>,
  ): Promise<ServerDefinitions | undefined> {
    const { origin, server } = session;
    this.#reading++;
    this.#tell();
    try {
      const rules = await read();
      if (rules.catalog) this.#problems.delete(origin);
      else this.#problems.set(origin, t`${server.name} provides no node definitions.`);
      return rules;
    } catch (error) {
      if (isCancellation(error)) this.#asked.delete(origin);
      else if (!ServerError.is(error)) throw error;
      else {
        this.#problems.set(origin, error.message);
        this.platform.log.warn(`Node definitions of ${server.name}: ${error.message}`);
      }
      return undefined;
    } finally {
      this.#reading--;
      this.#tell();
    }
  }

  async #wasRead({ origin, reading }: DefinitionsChange): Promise<void> {
    const { servers } = this;
    const readAt = Date.now();
    const { texts } = reading;
    const before = this.#known.get(origin);
    // A run may have read the same ones before the editor needed them.
    const isSame = isSameText(before?.texts, texts) && before?.rules.version === reading.rules.version;
    const rules = before && isSame ? before.rules : reading.rules;
    this.#standsFor.set(reading.rules, rules);
    this.#problems.delete(origin);
    const known = { rules, texts, readAt };
    this.#take(origin, known, false);
    const isSandbox = servers.list().some((each) => each.kind === 'sandbox' && keyOf(each) === origin);
    if (!isSandbox) await this.#kept.keep(origin, known, before);
  }

  /** The definitions may be outdated: read them again in the background. */
  #readAnew(origin: string): void {
    const act = async (): Promise<void> => {
      const session = await this.servers.quietSession();
      if (session?.origin === origin) await this.#read(session, () => session.freshDefinitions());
    };
    act().catch((error: unknown) => this.platform.log.error('Reading node definitions', error));
  }
}

function keyOf(server: KnownServer | undefined): string | undefined {
  return server && (serverOrigin(server) ?? (server.kind === 'sandbox' ? bundled : undefined));
}
