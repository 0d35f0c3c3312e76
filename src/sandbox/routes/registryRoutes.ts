import type { Exchange } from '../http/exchange';
import { getRoute, postRoute, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import type { SandboxPack } from '../registry/packStore';

type Handle = (exchange: Exchange, server: SandboxServer) => void;

/** As in protocol 6. */
export const registryRoutes: readonly Route[] = [
  get('/comfy-nodes/:class/node', (exchange, server) => {
    const pack = server.packs.provider(exchange.param('class'));
    if (pack) exchange.answer(server.packs.told(pack));
    else answerMissing(exchange, 'No node found containing the specified ComfyUI node name');
  }),
  get('/nodes/search', (exchange, server) => {
    const banned = exchange.queryText('include_banned') === 'true';
    const [words, classType] = [exchange.queryText('search'), exchange.queryText('comfy_node_search')];
    answerPage(exchange, server, server.packs.search(words, classType, banned));
  }),
  get('/nodes', (exchange, server) => {
    const ids = exchange.query.getAll('node_id');
    const all = server.packs.search('', '', exchange.query.get('include_banned') === 'true');
    answerPage(exchange, server, ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id)));
  }),
  get(
    '/nodes/:id',
    withPack((exchange, pack, server) => {
      const told = server.packs.told(pack);
      const isTranslated = exchange.query.get('include_translations') === 'true';
      exchange.answer(isTranslated ? told : { ...told, translations: undefined });
    }),
  ),
  get(
    '/nodes/:id/versions',
    withPack((exchange, pack) => {
      const statuses = exchange.query.getAll('statuses');
      const versions = pack.versions.filter(
        ({ status }) => statuses.length === 0 || statuses.includes(String(status)),
      );
      exchange.answer(
        versions.map((version) => ({
          ...version,
          node_id: pack.id,
          // Included on request.
          ...(exchange.query.get('include_status_reason') !== 'true' && { status_reason: '' }),
        })),
      );
    }),
  ),
  get(
    '/nodes/:id/versions/:version',
    withPack((exchange, pack) => {
      const found = pack.versions.find(({ version }) => version === exchange.param('version'));
      if (found) exchange.answer({ ...found, node_id: pack.id });
      else answerMissing(exchange, 'Version not found');
    }),
  ),
  get(
    '/nodes/:id/versions/:version/comfy-nodes',
    withPack((exchange, pack) =>
      exchange.answer({ comfy_nodes: pack.classTypes.map(classRecord), totalNumberOfPages: 1 }),
    ),
  ),
  get('/publishers/:id', (exchange, server) => {
    const publisher = publisherOf(server, exchange.param('id'));
    if (publisher) exchange.answer(publisher);
    else answerMissing(exchange, 'Publisher not found');
  }),
  get('/publishers/:id/nodes/v2', (exchange, server) => {
    const id = exchange.param('id');
    answerPage(
      exchange,
      server,
      server.packs.packs.filter(({ record }) => publisherIn(record)?.['id'] === id),
    );
  }),
  postRoute('/nodes/:id/reviews', reviewPack, 'bare'),
];

/** Reading is open, and reviews have a credential of their own. */
export function isRegistryPath(method: string, path: string): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return isReading
    ? /^\/(nodes|comfy-nodes|publishers)(\/|$)/.test(path)
    : /^\/nodes\/[^/]+\/reviews$/.test(path);
}

function get(path: string, handle: Handle): Route {
  return getRoute(path, handle, 'bare');
}

function withPack(answer: (exchange: Exchange, pack: SandboxPack, server: SandboxServer) => void): Handle {
  return (exchange, server) => {
    const id = exchange.param('id');
    const pack = server.packs.pack(id);
    const usual = id.toLowerCase().replaceAll('_', '-');
    if (pack?.record['status'] === 'NodeStatusBanned') {
      exchange.answerJson(403, { error: 'Forbidden', message: 'Node is banned' });
    } else if (pack) answer(exchange, pack, server);
    else if (usual !== id && server.packs.pack(usual)) {
      const rest = exchange.path.split('/').slice(3);
      exchange.answerEmpty(302, { Location: ['/nodes', usual, ...rest].join('/') });
    } else answerMissing(exchange, 'Node not found');
  };
}

function answerMissing(exchange: Exchange, message: string): void {
  exchange.answerJson(404, { error: 'Not Found', message });
}

function answerPage(exchange: Exchange, server: SandboxServer, packs: readonly SandboxPack[]): void {
  const page = Math.max(1, Number(exchange.query.get('page') ?? 1) || 1);
  const limit = Math.max(1, Number(exchange.query.get('limit') ?? 10) || 10);
  const shown = packs.slice((page - 1) * limit, page * limit);
  exchange.answer({
    total: packs.length,
    nodes: shown.map((pack) => server.packs.told(pack)),
    page,
    limit,
    totalPages: Math.ceil(packs.length / limit),
  });
}

function classRecord(name: string): object {
  return {
    comfy_node_name: name,
    category: 'sandbox',
    description: '',
    input_types: '{"required": {}}',
    return_types: '["IMAGE"]',
    return_names: '["IMAGE"]',
    output_is_list: [false],
    function: 'run',
    deprecated: false,
    experimental: false,
    policy: 'ComfyNodePolicyActive',
  };
}

function publisherOf(server: SandboxServer, id: string): object | undefined {
  return server.packs.packs.map(({ record }) => publisherIn(record)).find((each) => each?.['id'] === id);
}

function publisherIn(record: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { publisher } = record;
  return typeof publisher === 'object' && publisher !== null ? { ...publisher } : undefined;
}

/** Every other token is a different reviewer. */
const refusedToken = 'expired-token';

/** Answers with a bare 400 for other numbers, and 500 for an unknown pack or a second review (protocol 6.1). */
function reviewPack(exchange: Exchange, server: SandboxServer): void {
  const isStrict = server.dialect === 'documented';
  // The contract asks for no credential; the real registry does.
  const token = isStrict ? (exchange.header('authorization') ?? '') : bearerToken(exchange);
  if (token === undefined) return;
  const star = exchange.queryText('star');
  if (!/^-?\d+$/.test(star)) {
    if (isStrict) {
      exchange.answerEmpty(400);
      return;
    }
    const message = `Invalid format for parameter star: query parameter 'star' is ${star === '' ? 'required' : 'no integer'}`;
    exchange.answerJson(400, { message });
    return;
  }
  const stars = Number(star);
  if (stars < 1 || stars > 5) {
    exchange.answerEmpty(400);
    return;
  }
  const id = exchange.param('id');
  const problem = server.packs.review(id, token, stars);
  const pack = server.packs.pack(id);
  if (problem === 'noSuchPack' && isStrict) {
    exchange.answerJson(404, { message: 'Node version not found', details: [id] });
  } else if (problem === undefined && pack) exchange.answer(server.packs.told(pack));
  else {
    const message =
      problem === 'alreadyReviewed'
        ? 'failed to create review: constraint failed: duplicate key (node_id, user_id)'
        : 'Failed to review node';
    exchange.answerJson(500, { error: 'Internal Server Error', message });
  }
}

/** Answers requests without a usable token, and returns undefined. */
function bearerToken(exchange: Exchange): string | undefined {
  const header = exchange.header('authorization');
  const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (token !== undefined && token !== refusedToken) return token;
  const message =
    header === undefined
      ? `missing auth token for path: ${exchange.path}`
      : token === undefined
        ? 'token is not in Bearer format'
        : 'invalid auth token';
  exchange.answerJson(401, { message });
  return undefined;
}
