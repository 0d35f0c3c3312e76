import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { pythonJsonText } from '../http/jsonText';

type Frame = string | Buffer;

interface Client {
  readonly socket: WebSocket;
  flags: Readonly<Record<string, unknown>>;
}

export interface EventSocketsOptions {
  /** The cloud sends everything to all sockets of an account; the local server only to the client that submitted. */
  readonly everythingToAll: boolean;
  readonly features: () => object | undefined;
}

export class EventSockets {
  /** A later socket replaces an earlier one with the same client ID. */
  readonly #clients = new Map<string, Client>();
  readonly #connections = new Set<WebSocket>();

  constructor(private readonly options: EventSocketsOptions) {}

  /** `hello` goes to this socket only, before anything else. */
  add(socket: WebSocket, wantedId: string | undefined, hello: (clientId: string) => readonly object[]): void {
    const clientId = wantedId === undefined || wantedId === '' ? randomUUID().replaceAll('-', '') : wantedId;
    const client: Client = { socket, flags: {} };
    const key = this.options.everythingToAll ? randomUUID() : clientId;
    this.#clients.set(key, client);
    this.#connections.add(socket);
    let isFirst = true;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      const message = readObject(data.toString('utf8'));
      // Only the first message of a connection may be the handshake (protocol 3.2).
      if (isFirst && message?.['type'] === 'feature_flags') {
        const flags = message['data'];
        client.flags = typeof flags === 'object' && flags !== null ? (flags as typeof client.flags) : {};
        const data = this.options.features();
        if (data) sendFrame(socket, pythonJsonText({ type: 'feature_flags', data }));
      }
      if (message) isFirst = false;
    });
    socket.on('close', () => {
      this.#connections.delete(socket);
      // A newer socket may own it: on the real local server, too, a late closing takes away its events (protocol 3.7).
      this.#clients.delete(key);
    });
    // A vanished peer is no reason to stop; `close` follows.
    socket.on('error', () => undefined);
    for (const message of hello(clientId)) sendFrame(socket, pythonJsonText(message));
  }

  /** Sends to everyone without an ID, or if the server does not distinguish clients. */
  send(clientId: string | undefined, message: { readonly type: string; readonly data: unknown }): void {
    this.#deliver(clientId, () => pythonJsonText(message));
  }

  /** `frame` may depend on what the client supports. */
  sendBinary(clientId: string | undefined, frame: (flags: Readonly<Record<string, unknown>>) => Frame): void {
    this.#deliver(clientId, frame);
  }

  /** Node and job IDs of previews (protocol 3.6). */
  wantsMetadata(clientId: string | undefined): boolean {
    if (this.options.everythingToAll) return true;
    return clientId !== undefined && this.#clients.get(clientId)?.flags['supports_preview_metadata'] === true;
  }

  terminateAll(): void {
    for (const socket of this.#connections) socket.terminate();
  }

  #deliver(clientId: string | undefined, frame: (flags: Readonly<Record<string, unknown>>) => Frame): void {
    const all = clientId === undefined || this.options.everythingToAll;
    const one = all ? undefined : this.#clients.get(clientId);
    const receivers = all ? [...this.#clients.values()] : one ? [one] : [];
    for (const { socket, flags } of receivers) sendFrame(socket, frame(flags));
  }
}

function sendFrame(socket: WebSocket, frame: Frame): void {
  if (socket.readyState === socket.OPEN) socket.send(frame);
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
