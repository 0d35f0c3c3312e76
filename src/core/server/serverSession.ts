import { randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import { mayCarryCredential, normaliseBase, socketAddress } from '../client/address';
import type { Capabilities } from '../client/capabilities';
import { hideQuotedSecrets } from '../client/eventSocket';
import { EventStream, type StreamState } from '../client/eventStream';
import { ExecutionClient } from '../client/execution';
import { NodeManagerClient } from '../client/nodeManager/nodeManagerClient';
import { ServerWorkflows } from '../client/serverWorkflows';
import { orAborted } from '../client/timing';
import type { Transport } from '../client/transport';
import { credentialHeader } from '../client/credential';
import { type FrameLayout, parseSocketFrame } from '../protocol/binaryFrame';
import type { ServerEvent } from '../protocol/serverEvent';
import { askConnection, type ConnectionReport, probeCapabilities } from './probeCapabilities';
import {
  DefinitionsReader,
  type KeptServerDefinitions,
  type ServerDefinitions,
  type DefinitionsReading,
} from './serverDefinitions';

export interface ServerChoice {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

export interface SessionOptions {
  readonly server: ServerChoice;
  readonly transport: Transport;
  readonly onDefinitions?: ((reading: DefinitionsReading) => void) | undefined;
  /** The ID of an earlier session, to receive the events of its jobs; nobody else may use it now. */
  readonly clientId?: string | undefined;
}

/** A definition list that was read less than this before counts as fresh, ms. */
const freshFor = 5_000;
/** Node types asked for one by one, instead of all that a server has. Node warns of more than 10 waits on one signal. */
const mostSingle = 8;

/** Holds what is known about one server, and talks to it. Sends nothing by itself. */
export abstract class ServerSession {
  readonly server: ServerChoice;
  readonly origin: string;
  /** One per session: two programs with the same id would steal each other's events (protocol 3.7). */
  readonly clientId: string;
  readonly client: ExecutionClient;
  readonly nodeManager: NodeManagerClient;
  readonly workflows: ServerWorkflows;
  protected readonly transport: Transport;
  protected readonly stream: EventStream;
  readonly #rules: DefinitionsReader;
  readonly #lifetime = new AbortController();
  #capabilities: Promise<Capabilities> | undefined;

  constructor(options: SessionOptions) {
    const { server, transport } = options;
    this.server = server;
    this.clientId = options.clientId ?? randomUUID();
    this.origin = normaliseBase(server.url);
    this.transport = transport;
    this.client = new ExecutionClient(transport, () => this.capabilities());
    this.nodeManager = new NodeManagerClient(transport, this.clientId);
    this.workflows = new ServerWorkflows(transport);
    this.#rules = new DefinitionsReader({
      client: this.client,
      transport,
      lifetime: this.#lifetime.signal,
      now: () => this.now(),
      onRead: options.onDefinitions,
    });
    this.stream = new EventStream({
      address: () => this.#socketAddress(),
      credentialHeaders: () => this.#socketHeaders(),
      layout: () => this.#frameLayout(),
      quoted: transport.quoted,
      clientId: this.clientId,
      onEvent: (event) => this.heard(event),
      onState: (state) => this.streamChanged(state),
    });
  }

  /** What the server says by another socket, to a page of a server of one's own whose jobs are followed here. */
  hear(frame: Uint8Array): void {
    const event = parseSocketFrame(frame, hideQuotedSecrets(this.transport.quoted));
    if (event) this.heard(event);
  }

  protected abstract heard(event: ServerEvent): void;

  protected abstract streamChanged(state: StreamState): void;

  /** Probed once and remembered; a failed probe is made again by the next caller. */
  capabilities(): Promise<Capabilities> {
    if (this.#capabilities) return this.#capabilities;
    const probing = probeCapabilities(this.transport, this.#lifetime.signal);
    this.#capabilities = probing;
    probing.catch(() => {
      if (this.#capabilities === probing) this.#capabilities = undefined;
    });
    return probing;
  }

  async catalog(signal?: AbortSignal): Promise<Catalog | undefined> {
    return (await this.serverDefinitions(signal)).catalog;
  }

  serverDefinitions(signal?: AbortSignal): Promise<ServerDefinitions> {
    return signal ? orAborted(this.#rules.get(), signal) : this.#rules.get();
  }

  /** What a prompt of these node types needs: a server takes long to list its thousands. */
  async definitionsOf(classTypes: ReadonlySet<string>, signal: AbortSignal): Promise<ServerDefinitions> {
    const { singleNodeInfo, version } = await orAborted(this.capabilities(), signal);
    if (!singleNodeInfo || classTypes.size > mostSingle) return this.serverDefinitions(signal);
    const single = await orAborted(this.#rules.single([...classTypes], version), signal);
    return single ?? this.serverDefinitions(signal);
  }

  keepDefinitions(kept: KeptServerDefinitions): void {
    this.#rules.keep(kept);
  }

  /** Reads again unless that was done less than `maxAge` ms ago; a moment by default. */
  freshDefinitions(signal?: AbortSignal, maxAge = freshFor): Promise<ServerDefinitions> {
    const fresh = this.#rules.fresh(maxAge);
    return signal ? orAborted(fresh, signal) : fresh;
  }

  async freshNode(classType: string): Promise<ServerDefinitions> {
    const { singleNodeInfo } = await this.capabilities();
    return singleNodeInfo ? this.#rules.freshNode(classType) : this.freshDefinitions();
  }

  checkConnection(signal?: AbortSignal): Promise<ConnectionReport> {
    return askConnection(
      {
        client: this.client,
        probe: () => {
          this.#capabilities = undefined;
          return signal ? orAborted(this.capabilities(), signal) : this.capabilities();
        },
        hasKey: async () => (await this.transport.credential('GET /api/jobs')) !== undefined,
      },
      signal,
    );
  }

  now(): number {
    return this.transport.clock.here();
  }

  /** The earlier of the server's time and ours, ms, since a gateway may have a wrong clock; undefined before its first answer. */
  earliestNow(): number | undefined {
    const there = this.transport.clock.now();
    return there === undefined ? undefined : Math.min(there, this.now());
  }

  /** Ends every wait and closes the socket. Jobs continue on the server. */
  async dispose(): Promise<void> {
    this.endWaits();
    await this.stream.close();
  }

  protected endWaits(): void {
    this.#lifetime.abort(new DOMException('The session with the server was closed.', 'AbortError'));
  }

  /** The only place where the token becomes part of an address; nothing from here is logged. */
  async #socketAddress(): Promise<string> {
    const key = await this.#socketKey();
    return socketAddress(
      this.server.url,
      this.clientId,
      key?.where === 'address' ? key.credential.value : undefined,
    );
  }

  async #socketHeaders(): Promise<Readonly<Record<string, string>>> {
    const key = await this.#socketKey();
    return key?.where === 'header' ? credentialHeader(key.credential, 'GET /ws') : {};
  }

  /** A server that cannot be asked now answers no run either: its frames are read both ways. */
  async #frameLayout(): Promise<FrameLayout> {
    const known = await this.capabilities().catch(() => undefined);
    if (known?.history === false) return 'formatCode';
    return known?.dialect === 'local' ? 'lengthPrefix' : 'either';
  }

  /** Only Comfy Cloud takes the key in the socket's address (protocol 1.1); others read the header. */
  async #socketKey() {
    const credential = mayCarryCredential(this.server.url)
      ? await this.transport.credential('GET /ws')
      : undefined;
    if (!credential) return undefined;
    this.transport.secrets.add(credential.value);
    const { dialect } = await this.capabilities();
    return { credential, where: dialect === 'cloud' ? 'address' : 'header' } as const;
  }
}
