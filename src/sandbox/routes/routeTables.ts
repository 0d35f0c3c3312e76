import { isExactObject } from '../../core/json/exactValue';
import type { Dialect } from '../dialect';
import type { Exchange } from '../http/exchange';
import type { Route } from './router';
import { managerRoutes } from './managerRoutes';
import { musicRoutes } from './musicRoutes';
import { registryRoutes } from './registryRoutes';
import { CloudRefusal } from './cloudErrors';
import { cloudJobRoutes, jobStatusRoutes } from './cloudJobRoutes';
import { cloudHistoryRoutes, localHistoryRoutes } from './historyRoutes';
import { cloudInfoRoutes, definitionRoutes, localInfoRoutes, newLocalInfoRoutes } from './infoRoutes';
import { localJobRoutes } from './localJobRoutes';
import { localModelRoutes, modelRoutes } from './modelRoutes';
import { promptRoutes } from './promptRoutes';
import { queueRoutes } from './queueRoutes';
import { uploadRoutes } from './uploadRoutes';
import { localUserRoutes } from './userRoutes';
import { cloudViewRoutes, localViewRoutes } from './viewRoutes';

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

/** Every documented request with its parameters, members or form fields (contract 4.2). */
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

/** The documented ones of the routes, each at its documented path only; they refuse what is not documented by name. */
function onlyDocumented(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const names = documentedRequests[`${route.method} ${route.path}`];
    const handle: Route['handle'] = async (exchange, server) => {
      const stranger = (await namesIn(exchange)).find((name) => names?.includes(name) !== true);
      if (stranger !== undefined)
        throw new CloudRefusal(400, 'INVALID_REQUEST', `Unknown member ${stranger}`);
      await route.handle(exchange, server);
    };
    return names ? [{ ...route, reach: route.reach === 'bare' ? 'bare' : 'api', handle }] : [];
  });
}

/** @throws SyntaxError or TypeError for a body that is neither a form nor an object. */
async function namesIn(exchange: Exchange): Promise<readonly string[]> {
  const names = [...exchange.query.keys()];
  if ((await exchange.body()).byteLength === 0) return names;
  const isForm = exchange.header('content-type')?.startsWith('multipart/form-data') === true;
  if (isForm) return [...names, ...(await exchange.form()).keys()];
  const body = await exchange.json();
  return [...names, ...(isExactObject(body) && body.size > 0 ? body.keys() : ['body'])];
}

/** Every route of each dialect. */
export const routeTables: Readonly<Record<Dialect, readonly Route[]>> = {
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
