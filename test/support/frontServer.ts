import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface FrontServer {
  readonly url: string;
  /** Path -> JSON that is answered without asking the sandbox. */
  readonly answers: Map<string, unknown>;
  /** Requests as `POST /api/prompt`, in their order. */
  readonly seen: string[];
  isDeaf: boolean;
  close(): void;
}

export async function frontServer(behind: string): Promise<FrontServer> {
  const { hostname, port, host } = new URL(behind);
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    const { method = '', url = '/', headers } = request;
    const path = url.split('?')[0] ?? '';
    front.seen.push(`${method} ${path}`);
    const own = front.answers.get(path);
    if (own !== undefined) {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(own));
      return;
    }
    const options = { hostname, port, path: url, method, headers: { ...headers, host } };
    const asked = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  });
  server.on('connection', (socket) => open.add(socket));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    if (front.isDeaf) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const inner = connect(Number(port), hostname, () => {
      const headers = Object.entries({ ...request.headers, host });
      const lines = headers.map(([name, value]) => `${name}: ${String(value)}`);
      inner.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      inner.pipe(socket).pipe(inner);
    });
    open.add(inner);
    inner.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: FrontServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: new Map(),
    seen: [],
    isDeaf: false,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
  return front;
}
