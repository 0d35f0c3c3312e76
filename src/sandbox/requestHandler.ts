import type { IncomingMessage, ServerResponse } from 'node:http';
import { isExactObject } from '../core/json/exactValue';
import type { Dialect } from './dialect';
import {
  Exchange,
  RequestRefusal,
  badRequest,
  type AnswerFirst,
  BodyTooLarge,
  requestUrl,
} from './http/exchange';
import { type Route, findRoute } from './routes/router';
import { managerRoutes } from './routes/managerRoutes';
import { musicRoutes } from './routes/musicRoutes';
import { registryRoutes, isRegistryPath } from './routes/registryRoutes';
import { cloudJobRoutes, jobStatusRoutes, localJobRoutes } from './routes/jobRoutes';
import { cloudHistoryRoutes, localHistoryRoutes, queueRoutes } from './routes/queueRoutes';
import {
  cloudInfoRoutes,
  definitionRoutes,
  localInfoRoutes,
  newLocalInfoRoutes,
  localModelRoutes,
  modelRoutes,
  localUserRoutes,
} from './routes/infoRoutes';
import { promptRoutes } from './routes/promptRoutes';
import { uploadRoutes, cloudViewRoutes, localViewRoutes } from './routes/fileRoutes';
import type { RequestLog } from './http/requestLog';
import { isCloud, type SandboxServer } from './sandboxServer';

const shared = [...promptRoutes, ...queueRoutes, ...uploadRoutes, ...registryRoutes, ...musicRoutes];

const oldLocal = [
  ...shared,
  ...localHistoryRoutes,
  ...localViewRoutes,
  ...localInfoRoutes,
  ...localModelRoutes,
  ...localUserRoutes,
  ...managerRoutes,
];

/** Parameters, members or form fields by documented request (contract 4.2). */
const documentedRequests: Readonly<Record<string, readonly string[]>> = {
  'GET /object_info': [],
  'POST /upload/image': ['image', 'type', 'overwrite'],
  'POST /upload/mask': ['image', 'type', 'subfolder', 'original_ref'],
  'POST /prompt': ['prompt', 'extra_data'],
  'GET /job/:id/status': [],
  'GET /view': ['filename', 'subfolder', 'type'],
  'GET /queue': [],
  'POST /queue': ['delete'],
  'POST /interrupt': [],
  'POST /nodes/:id/reviews': ['star'],
  'POST /proxy/sonilo/t2m/generate': ['duration', 'prompt'],
};

/** Keeps the documented routes, each at its documented path; they reject other parameter names. */
function onlyDocumented(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const names = documentedRequests[`${route.method} ${route.path}`];
    const handle: Route['handle'] = async (exchange, server) => {
      const stranger = (await namesIn(exchange)).find((name) => names?.includes(name) !== true);
      if (stranger !== undefined) throw badRequest(`Unknown member ${stranger}`);
      await route.handle(exchange, server);
    };
    return names ? [{ ...route, reach: route.reach === 'bare' ? 'bare' : 'api', handle }] : [];
  });
}

async function namesIn(exchange: Exchange): Promise<readonly string[]> {
  const names = [...exchange.query.keys()];
  if ((await exchange.body()).byteLength === 0) return names;
  const isForm = exchange.header('content-type')?.startsWith('multipart/form-data') === true;
  if (isForm) return [...names, ...(await exchange.form()).keys()];
  const body = await exchange.json();
  return [...names, ...(isExactObject(body) && body.size > 0 ? body.keys() : ['body'])];
}

const routeTables: Readonly<Record<Dialect, readonly Route[]>> = {
  cloud: [
    ...shared,
    ...cloudJobRoutes,
    ...cloudHistoryRoutes,
    ...cloudViewRoutes,
    ...cloudInfoRoutes,
    ...modelRoutes,
  ],
  // Exactly what is documented: no job list, no history, and nothing that identifies the server.
  documented: onlyDocumented([...shared, ...jobStatusRoutes, ...cloudViewRoutes, ...definitionRoutes]),
  local: [...oldLocal, ...localJobRoutes, ...newLocalInfoRoutes],
  'local-old': oldLocal,
};

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

/** The guards come first, then `answerFirst`, then the route. Never throws. */
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
          throw new RequestRefusal(401, 'UNAUTHORIZED', 'Authentication is required');
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
  // The registry is a separate service.
  if (isRegistryPath(request.method ?? 'GET', url.pathname)) return true;
  if (publicPaths.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return true;
  return (
    request.headers['x-api-key'] === server.apiKey ||
    (server.dialect !== 'documented' && request.headers.authorization === `Bearer ${server.apiKey}`)
  );
}

function answerUnknown(exchange: Exchange, server: SandboxServer): void {
  if (isCloud(server)) throw new RequestRefusal(404, 'NOT_FOUND', 'Not found');
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
  } else if (error instanceof RequestRefusal) {
    const body = { code: error.code, message: error.message };
    if (!isCloud(server)) exchange.answerJson(error.status, { error: error.message });
    // The music endpoint has its own shape (protocol 5.4).
    else exchange.answerJson(error.status, exchange.path.startsWith('/proxy/') ? { detail: body } : body);
  } else if (isCloud(server)) {
    const isBadBody = error instanceof SyntaxError || error instanceof TypeError;
    const [status, code] = isBadBody ? ([400, 'INVALID_REQUEST'] as const) : ([500, 'INTERNAL'] as const);
    exchange.answerJson(status, { code, message: isBadBody ? error.message : 'Internal error' });
  } else {
    exchange.answerText(500, '500 Internal Server Error\n\nServer got itself in trouble');
  }
}
