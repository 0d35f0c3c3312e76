import { plainFrom } from '../../core/json/exactValue';
import { isRecord } from '../../core/protocol/wire';
import type { Exchange } from '../http/exchange';
import type { Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import type { ManagerTask, SandboxManager } from '../registry/sandboxManager';

interface Call {
  readonly exchange: Exchange;
  readonly manager: SandboxManager;
  readonly server: SandboxServer;
}

const securityWords = 'A security error has occurred. Please check the terminal logs';

/** Only for the kinds of manager that have them (protocol 9). */
export const managerRoutes: readonly Route[] = [
  ...everywhere('GET', '/manager/version', ({ exchange, manager }) =>
    exchange.answerText(200, manager.version),
  ),
  ...everywhere('GET', '/manager/queue/status', tellStatus),
  ...everywhere('GET', '/customnode/installed', ({ exchange, manager }) =>
    exchange.answerJson(
      200,
      Object.fromEntries(
        [...manager.installed].map(([id, ver]) => [id, { ver, cnr_id: id, aux_id: null, enabled: true }]),
      ),
    ),
  ),
  route(
    'GET',
    '/customnode/versions/:id',
    ({ isNewer }) => !isNewer,
    ({ exchange, manager }) => {
      const versions = manager.versions(exchange.param('id'));
      if (versions) exchange.answerJson(200, versions);
      else exchange.answerEmpty(400);
    },
  ),
  route(
    'GET',
    '/v2/manager/queue/history',
    ({ isNewer }) => isNewer,
    ({ exchange, manager }) => {
      const task = exchange.queryText('ui_id');
      const result = manager.results.get(task);
      const status = { status_str: result === 'success' ? 'success' : 'error', completed: true };
      const history = result === undefined ? {} : { ui_id: task, result, kind: 'install', status };
      exchange.answerJson(200, { history });
    },
  ),
  route('POST', '/manager/queue/install', ({ isNewer }) => !isNewer, install),
  route(
    'POST',
    '/v2/manager/queue/task',
    ({ isNewer }) => isNewer,
    async ({ exchange, manager }) => {
      const { params, ui_id } = await bodyOf(exchange);
      manager.queue(taskOf({ ...(isRecord(params) ? params : {}), ui_id }));
      exchange.answerEmpty(200);
    },
  ),
  ...everywhere('POST', '/manager/queue/start', ({ exchange, manager }) =>
    exchange.answerEmpty(manager.start() ? 200 : 201),
  ),
  ...everywhere('POST', '/manager/reboot', ({ exchange, manager, server }) => {
    if (manager.isForbidden) {
      exchange.answerJson(403, { error: 'security_level' });
      return;
    }
    manager.restart();
    server.loadPacks();
    exchange.drop();
  }),
];

function tellStatus({ exchange, manager }: Call): void {
  const running = manager.isRunning ? 1 : 0;
  const done = manager.results.size;
  const pending = Math.max(0, manager.waiting);
  exchange.answerJson(200, {
    total_count: pending + running + (manager.isNewer ? 0 : done),
    done_count: done,
    in_progress_count: running,
    ...(manager.isNewer && { pending_count: pending }),
    is_processing: manager.isRunning,
  });
}

async function install({ exchange, manager }: Call): Promise<void> {
  const body = await bodyOf(exchange);
  if (manager.isForbidden) {
    exchange.answerText(403, securityWords);
    return;
  }
  manager.queue(taskOf(body));
  exchange.answerEmpty(200);
}

async function bodyOf(exchange: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const body = plainFrom(await exchange.json());
  return isRecord(body) ? body : {};
}

function taskOf(item: Readonly<Record<string, unknown>>): ManagerTask {
  return {
    task: String(item['ui_id']),
    id: String(item['id']),
    version: String(item['selected_version']),
  };
}

/** Today's generation prefixes `/v2`. */
function everywhere(
  method: Route['method'],
  path: string,
  answer: (call: Call) => Promise<void> | void,
): Route[] {
  return [
    route(method, path, ({ isNewer }) => !isNewer, answer),
    route(method, `/v2${path}`, ({ isNewer }) => isNewer, answer),
  ];
}

function route(
  method: Route['method'],
  path: string,
  has: (manager: SandboxManager) => boolean,
  answer: (call: Call) => Promise<void> | void,
): Route {
  return {
    method,
    path,
    reach: 'both',
    handle: async (exchange, server) => {
      const { manager } = server;
      if (manager && has(manager)) await answer({ exchange, manager, server });
      else if (method === 'GET') exchange.answerEmpty(404);
      else exchange.answerText(405, '405: Method Not Allowed', undefined, { Allow: 'GET,HEAD' });
    },
  };
}
