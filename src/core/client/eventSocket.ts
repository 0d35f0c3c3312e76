import { type RawData, WebSocket } from 'ws';
import { type FrameLayout, parseSocketFrame } from '../protocol/binaryFrame';
import type { ServerEvent } from '../protocol/serverEvent';
import type { ServerError } from '../protocol/serverError';
import { type Hide, parseSocketText, oversizedMessage } from '../protocol/socketMessage';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import type { QuotedSecrets } from '../safety/secrets';
import { networkError } from './networkError';

export interface SocketEnd {
  readonly wasOpen: boolean;
  readonly reason: string;
  /** HTTP status 401 or 403. */
  readonly refused?: number | undefined;
  readonly error?: ServerError | undefined;
  /** Trying again cannot help. */
  readonly hopeless?: boolean | undefined;
}

export interface EventSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly layout: FrameLayout;
  readonly timing: {
    readonly pingEvery: number;
    readonly connectTimeout: number;
    readonly closeTimeout: number;
  };
  readonly quoted: QuotedSecrets | undefined;
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
}

/** Honoured only as the first text frame of a connection (protocol 3.2). */
const featureFlags = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } });

export class EventSocket {
  /** Resolves when the connection is over and its handle is gone; never rejects. */
  readonly gone: Promise<SocketEnd>;
  readonly #socket: WebSocket | undefined;
  readonly #options: EventSocketOptions;
  #wasOpen = false;
  #reason = t`The connection to the server was closed.`;
  #refused: number | undefined;
  #error: ServerError | undefined;
  #pings: NodeJS.Timeout | undefined;
  #closing: NodeJS.Timeout | undefined;

  constructor(address: string, options: EventSocketOptions) {
    this.#options = options;
    try {
      this.#socket = new WebSocket(address, {
        headers: { ...options.headers },
        handshakeTimeout: options.timing.connectTimeout,
        maxPayload: budgets.socketFrame,
        perMessageDeflate: false,
        followRedirects: false,
      });
    } catch {
      // The library quotes the address, token and all, in its error.
      const reason = t`The address isn't valid.`;
      this.gone = Promise.resolve({ wasOpen: false, reason });
      return;
    }
    this.gone = this.#watch(this.#socket, address);
  }

  close(): void {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED || this.#closing) return;
    if (socket.readyState === WebSocket.CONNECTING) {
      socket.terminate();
      return;
    }
    this.#closing = setTimeout(() => {
      socket.terminate();
    }, this.#options.timing.closeTimeout);
    socket.close(1000);
  }

  #watch(socket: WebSocket, address: string): Promise<SocketEnd> {
    socket.on('open', () => {
      this.#wasOpen = true;
      socket.send(featureFlags);
      this.#keepAlive(socket);
      this.#options.onOpen();
    });
    socket.on('message', (data, isBinary) => {
      const hide = hideQuotedSecrets(this.#options.quoted);
      const event = isBinary
        ? parseSocketFrame(bytesOf(data), hide, this.#options.layout)
        : eventOfText(bytesOf(data), hide);
      if (event) this.#options.onEvent(event);
    });
    let answered = false;
    socket.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      answered = true;
      if (status === 401 || status === 403) this.#refused = status;
      this.#reason = t`The server responded with status ${status} instead of opening the WebSocket.`;
      socket.terminate();
    });
    socket.on('error', (error) => {
      // After an answer, the error is only a result of our own closing.
      if (answered) return;
      this.#error = networkError(
        error,
        'GET /ws',
        address.replace(/^ws/, 'http'),
        this.#options.quoted?.secrets,
      );
      const unreadable = 'code' in error && String(error.code).startsWith('WS_ERR_');
      this.#reason = unreadable ? t`The server sent an invalid or oversized message.` : this.#error.message;
    });
    return new Promise((resolve) => {
      socket.on('close', () => {
        clearInterval(this.#pings);
        clearTimeout(this.#closing);
        resolve({
          wasOpen: this.#wasOpen,
          reason: this.#reason,
          refused: this.#refused,
          error: this.#error,
        });
      });
    });
  }

  #keepAlive(socket: WebSocket): void {
    let heard = true;
    const alive = () => {
      heard = true;
    };
    socket.on('pong', alive);
    socket.on('message', alive);
    this.#pings = setInterval(() => {
      if (!heard) {
        this.#reason = t`The server stopped responding.`;
        socket.terminate();
        return;
      }
      heard = false;
      socket.ping();
    }, this.#options.timing.pingEvery);
  }
}

/** Hides secrets in a message before it is parsed. Nothing is copied unless it quotes one. */
export function hideQuotedSecrets(quoted: QuotedSecrets | undefined): Hide | undefined {
  return (
    quoted &&
    ((value, text) => (text === undefined || quoted.secrets.mayOccurIn(text) ? quoted.hide(value) : value))
  );
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function eventOfText(bytes: Uint8Array, hide: Hide | undefined): ServerEvent | undefined {
  return (
    oversizedMessage(bytes.length, budgets.socketText) ??
    parseSocketText(new TextDecoder().decode(bytes), hide)
  );
}
