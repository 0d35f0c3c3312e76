import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

export interface Arrival {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoopbackOptions {
  /** Answers a request; without this every request gets a 404 with an empty body. */
  readonly answer?: ((arrival: Arrival, response: ServerResponse) => void | Promise<void>) | undefined;
  readonly socket?: (socket: WebSocket, arrival: Omit<Arrival, 'body'>) => void;
  /** Status for an upgrade; 101 accepts it. */
  readonly upgrade?: () => number;
  readonly port?: number;
}

export interface Loopback {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** Upgrade requests, accepted or not. */
  readonly upgrades: Omit<Arrival, 'body'>[];
  close(): Promise<void>;
}

/** A small server on 127.0.0.1 that does what one test needs and records requests. */
export async function loopback(options: LoopbackOptions = {}): Promise<Loopback> {
  const arrivals: Arrival[] = [];
  const upgrades: Omit<Arrival, 'body'>[] = [];
  const connections = new Set<Socket>();
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = {
        ...arrivalOf(request.method, request.url, request.headers),
        body: Buffer.concat(chunks).toString(),
      };
      arrivals.push(arrival);
      if (options.answer) void options.answer(arrival, response);
      else response.writeHead(404).end();
    });
  });
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  server.on('upgrade', (request, connection: Socket, head) => {
    const arrival = arrivalOf(request.method, request.url, request.headers);
    upgrades.push(arrival);
    const status = options.upgrade?.() ?? 101;
    if (status === 101) {
      sockets.handleUpgrade(request, connection, head, (socket) => options.socket?.(socket, arrival));
    } else {
      connection.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    arrivals,
    upgrades,
    close: () =>
      new Promise((resolve) => {
        for (const connection of connections) connection.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function arrivalOf(method = 'GET', target = '/', headers: IncomingHttpHeaders): Omit<Arrival, 'body'> {
  const url = new URL(`http://127.0.0.1${target}`);
  return { method, target, path: url.pathname, query: url.searchParams, headers };
}
