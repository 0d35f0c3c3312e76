import { serverFeatures } from '../dialect';
import type { Exchange } from '../http/exchange';
import { jsonText } from '../http/jsonText';
import { get, post, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import { nodeReplacements } from './replacementTable';

const gibibyte = 1024 ** 3;

const objectInfo: Route = get('/object_info', allDefinitions);

export const definitionRoutes: readonly Route[] = [objectInfo];

const common: readonly Route[] = [
  objectInfo,
  get('/features', (exchange, server) => exchange.answer(serverFeatures(server.dialect, server.concurrency))),
  get('/system_stats', (exchange, server) => exchange.answer(systemStats(server))),
  fixed('/workflow_templates', {}),
  fixed('/i18n', {}),
  fixed('/extensions', []),
  fixed('/settings', {}),
];

export const localInfoRoutes: readonly Route[] = [
  ...common,
  get('/object_info/:class', (exchange, server) => {
    const name = exchange.param('class');
    const definition = server.definitions()[name];
    exchange.answer(definition ? { [name]: definition } : {});
  }),
  post('/free', free),
];

/** Missing on the old server (protocol 2.4, 2.3). */
export const newLocalInfoRoutes: readonly Route[] = [
  fixed('/node_replacements', nodeReplacements),
  // Files get IDs, and nothing lists them.
  get('/assets', (exchange) => exchange.answerJson(200, { assets: [], total: 0, has_more: false }), 'api'),
];

export const cloudInfoRoutes: readonly Route[] = [
  ...common,
  fixed('/node_replacements', nodeReplacements),
  fixed('/user', { id: 'sandbox-user', status: 'active' }),
  fixed('/billing/balance', { effective_balance_micros: 25_000_000 }),
  get('/health', (exchange) => exchange.answerText(200, 'OK'), 'bare'),
];

function fixed(path: string, answer: unknown): Route {
  return { method: 'GET', path, reach: 'both', handle: (exchange) => exchange.answer(answer) };
}

/** The text of all definitions is made once and again only when the files change. */
const texts = new WeakMap<object, string>();

function allDefinitions(exchange: Exchange, server: SandboxServer): void {
  const definitions = server.definitions();
  const text = texts.get(definitions) ?? jsonText(definitions);
  texts.set(definitions, text);
  exchange.answerText(200, text, 'application/json; charset=utf-8');
}

async function free(exchange: Exchange, server: SandboxServer): Promise<void> {
  await exchange.json();
  server.forgetResults();
  exchange.answerEmpty(200);
}

function systemStats({ dialect }: SandboxServer): object {
  const version = dialect === 'local-old' ? '0.3.64' : '0.33.0';
  const memory = { vram_total: 24 * gibibyte, vram_free: 20 * gibibyte };
  return {
    system: {
      os: 'linux',
      ram_total: 32 * gibibyte,
      ram_free: 24 * gibibyte,
      comfyui_version: version,
      ...versionDetails(dialect),
      python_version: '3.12 (Comfy Deck sandbox)',
      pytorch_version: '2.9.0',
      embedded_python: false,
      ...(dialect === 'local' ? { deploy_environment: 'local-git' } : {}),
      ...(dialect === 'cloud' ? { deploy_environment: 'cloud' } : {}),
    },
    devices: [
      {
        name: 'sandbox',
        type: 'cpu',
        index: null,
        ...memory,
        torch_vram_total: memory.vram_total,
        torch_vram_free: memory.vram_free,
      },
    ],
  };
}

function versionDetails(dialect: SandboxServer['dialect']): object {
  if (dialect === 'cloud') return { cloud_version: 'sandbox' };
  const templates = { installed_templates_version: null, required_templates_version: '0.11.44' };
  if (dialect === 'local-old') return { required_frontend_version: '1.27.10', ...templates };
  const packages = ['comfyui-frontend-package', 'comfyui-workflow-templates', 'comfyui-embedded-docs'];
  return {
    required_frontend_version: '1.49.6',
    ...templates,
    comfy_package_versions: packages.map((name) => ({ name, installed: null, required: '0' })),
  };
}
