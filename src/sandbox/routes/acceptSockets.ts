import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { requestUrl } from '../http/exchange';
import type { SandboxJob } from '../queue/sandboxJob';
import type { RequestLog } from '../http/requestLog';
import { isCloud, type SandboxServer, queueStatus } from '../sandboxServer';

type NodesNow = () => readonly { readonly job: SandboxJob; readonly nodeId: string }[];

/** Accepts event sockets at `/ws` and `/api/ws` (protocol 3.1). */
export function acceptSockets(
  http: Server,
  server: SandboxServer,
  seen: RequestLog,
  nodesNow: NodesNow,
): void {
  const door = new WebSocketServer({ noServer: true, maxPayload: 16 * 2 ** 20 });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (server.guard.isForeign(request)) {
      refuse(socket, '403 Forbidden');
      return;
    }
    const url = requestUrl(request);
    seen.add('server', request, url);
    const refusal = refusalOf(server, url);
    if (refusal !== undefined) {
      refuse(socket, refusal);
      return;
    }
    door.handleUpgrade(request, socket, head, (webSocket) => {
      server.sockets.add(webSocket, url.searchParams.get('clientId') ?? undefined, (clientId) =>
        greeting(server, clientId, nodesNow()),
      );
    });
  });
}

function refuse(socket: Duplex, status: string): void {
  // Node leaves the socket without an error listener, and a refused client may be gone by now.
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, () => {
    socket.destroy();
  });
}

function refusalOf(server: SandboxServer, url: URL): string | undefined {
  const isStrict = server.dialect === 'documented';
  if (url.pathname !== '/ws' && (isStrict || url.pathname !== '/api/ws')) return '404 Not Found';
  const strangers = [...url.searchParams.keys()].filter((name) => name !== 'clientId' && name !== 'token');
  if (isStrict && strangers.length > 0) return '400 Bad Request';
  const isOpen = !isCloud(server) || server.apiKey === undefined;
  return isOpen || url.searchParams.get('token') === server.apiKey ? undefined : '401 Unauthorized';
}

/** Sends `status` and, if the client's job is running, its current node. Nothing else is repeated (protocol 3.7). */
function greeting(
  server: SandboxServer,
  clientId: string,
  nodesNow: ReturnType<NodesNow>,
): readonly object[] {
  const status = queueStatus(server);
  if (isCloud(server)) return [{ type: 'status', data: status }];
  const own = nodesNow.filter(({ job }) => job.clientId === clientId);
  return [
    { type: 'status', data: { ...status, sid: clientId } },
    ...own.map(({ nodeId }) => ({ type: 'executing', data: { node: nodeId } })),
  ];
}
