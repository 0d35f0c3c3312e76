import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { FaultController } from '../faults/faultController';
import { jsonText } from '../http/jsonText';
import { FaultySocket, type Frame } from './faultySocket';

interface Client {
  readonly connection: FaultySocket;
  flags: Readonly<Record<string, unknown>>;
}

export interface EventSocketsOptions {
  /** The cloud sends everything to all sockets of an account; the local server only to the client that submitted. */
  readonly everythingToAll: boolean;
  /** The server's answer to the client's flags; undefined: a server that does not know flags. */
  /** Undefined: no answer. */
  readonly features: () => object | undefined;
  readonly faults: FaultController;
}

/** The connected clients, and which of them gets which event (protocol 3.1, 3.3). */
export class EventSockets {
  /** One socket per client id: a later one replaces the earlier one. */
  readonly #clients = new Map<string, Client>();
  readonly #connections = new Set<FaultySocket>();

  constructor(private readonly options: EventSocketsOptions) {}

  get size(): number {
    return this.#connections.size;
  }

  /** Adds a new socket. `hello` goes first, to this socket only. */
  add(socket: WebSocket, wantedId: string | undefined, hello: (clientId: string) => readonly object[]): void {
    const clientId = wantedId === undefined || wantedId === '' ? randomUUID().replaceAll('-', '') : wantedId;
    const connection = new FaultySocket(socket, this.options.faults);
    const client: Client = { connection, flags: {} };
    const key = this.options.everythingToAll ? randomUUID() : clientId;
    this.#clients.set(key, client);
    this.#connections.add(connection);
    let isFirst = true;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      const message = readObject(data.toString('utf8'));
      // Only the first message of a connection may be the handshake (protocol 3.2).
      if (isFirst && message?.['type'] === 'feature_flags') {
        const flags = message['data'];
        client.flags = typeof flags === 'object' && flags !== null ? (flags as typeof client.flags) : {};
        const data = this.options.features();
        if (data) connection.send(jsonText({ type: 'feature_flags', data }));
      }
      if (message) isFirst = false;
    });
    socket.on('close', () => {
      connection.close();
      this.#connections.delete(connection);
      // Removes the entry by id, even if a newer socket owns it: an old socket that closes late takes away the new
      // one's events, exactly as on the real local server (protocol 3.7).
      this.#clients.delete(key);
    });
    // A vanished peer is no reason to stop; `close` follows.
    socket.on('error', () => undefined);
    const drop = this.options.faults.strike('dropSocket');
    if (drop) connection.dropAfter(drop.afterFrames);
    for (const message of hello(clientId)) connection.send(jsonText(message));
  }

  /** Sends to one client, or to everyone if there is no id or the server does not distinguish clients. */
  send(clientId: string | undefined, message: { readonly type: string; readonly data: unknown }): void {
    this.#deliver(clientId, () => jsonText(message));
  }

  /** Sends a binary frame. `frame` may depend on what the client supports. */
  sendBinary(clientId: string | undefined, frame: (flags: Readonly<Record<string, unknown>>) => Frame): void {
    this.#deliver(clientId, frame);
  }

  /** Whether previews for a client carry their node and job ids (protocol 3.6). */
  wantsMetadata(clientId: string | undefined): boolean {
    if (this.options.everythingToAll) return true;
    return clientId !== undefined && this.#clients.get(clientId)?.flags['supports_preview_metadata'] === true;
  }

  /** The `dropSocket` fault was turned on. */
  dropOpen(): void {
    const fault = this.#connections.size > 0 ? this.options.faults.strike('dropSocket') : undefined;
    for (const connection of fault ? this.#connections : []) connection.dropAfter(fault?.afterFrames ?? 0);
  }

  terminateAll(): void {
    for (const connection of this.#connections) {
      connection.close();
      connection.socket.terminate();
    }
  }

  #deliver(clientId: string | undefined, frame: (flags: Readonly<Record<string, unknown>>) => Frame): void {
    const all = clientId === undefined || this.options.everythingToAll;
    const one = all ? undefined : this.#clients.get(clientId);
    const receivers = all ? [...this.#clients.values()] : one ? [one] : [];
    for (const { connection, flags } of receivers) connection.send(frame(flags));
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
