import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerFirst, BodyTooLarge, Exchange, requestUrl } from './http/exchange';
import { findRoute } from './routes/router';
import { isRegistryReading, isReviewPath } from './routes/registryRoutes';
import type { RequestLog } from './http/requestLog';
import { CloudRefusal } from './routes/cloudErrors';
import { routeTables } from './routes/routeTables';
import { isCloud, type SandboxServer } from './sandboxServer';

/** Answers of the cloud that need no key (protocol 1.1). */
const publicPaths = [
  '/api/system_stats',
  '/api/workflow_templates',
  '/api/experiment/models',
  '/api/node_replacements',
  '/api/features',
  '/health',
  // This route checks the key itself and has its own refusals.
  '/proxy/sonilo',
];

/** Answers one request: the guards first, then `answerFirst`, then the route. Never throws. */
export async function handleRequest(
  server: SandboxServer,
  seen: RequestLog,
  answerFirst: AnswerFirst,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = requestUrl(request);
  const found = findRoute(routeTables[server.dialect], request.method ?? 'GET', url.pathname);
  const exchange = new Exchange(request, response, found?.params ?? {}, server.maxBodyBytes);
  try {
    if (server.guard.isForeign(request)) exchange.answerEmpty(403);
    else if (server.manager?.isDown === true) exchange.drop();
    else {
      seen.add('server', request, url);
      await answerFirst(exchange, async (asked) => {
        if (isCloud(server) && !mayEnter(server, request, url))
          throw new CloudRefusal(401, 'UNAUTHORIZED', 'Authentication is required');
        if (found) await found.route.handle(asked, server);
        else answerUnknown(asked, server);
      });
    }
  } catch (error) {
    answerError(exchange, server, error);
  }
}

function mayEnter(server: SandboxServer, request: IncomingMessage, url: URL): boolean {
  if (server.apiKey === undefined) return true;
  // The registry is a separate service: reading is open, and reviews need their own token.
  if (isRegistryReading(request.method ?? 'GET', url.pathname) || isReviewPath(url.pathname)) return true;
  if (publicPaths.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return true;
  return (
    request.headers['x-api-key'] === server.apiKey ||
    (server.dialect !== 'documented' && request.headers.authorization === `Bearer ${server.apiKey}`)
  );
}

function answerUnknown(exchange: Exchange, server: SandboxServer): void {
  if (isCloud(server)) throw new CloudRefusal(404, 'NOT_FOUND', 'Not found');
  // The local server's catch-all serves files: it is read-only.
  if (exchange.method === 'GET' || exchange.method === 'HEAD') exchange.response.writeHead(404).end();
  else exchange.answerText(405, '405: Method Not Allowed', undefined, { Allow: 'GET,HEAD' });
}

function answerError(exchange: Exchange, server: SandboxServer, error: unknown): void {
  if (exchange.response.headersSent || exchange.response.destroyed) {
    exchange.response.destroy();
  } else if (error instanceof BodyTooLarge) {
    if (isCloud(server)) exchange.answerJson(413, { code: 'PAYLOAD_TOO_LARGE', message: error.message });
    else exchange.answerText(413, error.message);
  } else if (error instanceof CloudRefusal) {
    const body = { code: error.code, message: error.message };
    // The music endpoint's own shape (protocol 5.4).
    exchange.answerJson(error.status, exchange.path.startsWith('/proxy/') ? { detail: body } : body);
  } else if (isCloud(server)) {
    const isBadBody = error instanceof SyntaxError || error instanceof TypeError;
    const [status, code] = isBadBody ? ([400, 'INVALID_REQUEST'] as const) : ([500, 'INTERNAL'] as const);
    exchange.answerJson(status, { code, message: isBadBody ? error.message : 'Internal error' });
  } else {
    exchange.answerText(500, '500 Internal Server Error\n\nServer got itself in trouble');
  }
}
