import { serverFeatures } from '../dialect';
import type { Exchange } from '../http/exchange';
import { pythonJsonText } from '../http/jsonText';
import { getRoute, postRoute, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import { nodeReplacements } from './promptRoutes';
import type { NodeDefinitionJson } from '../nodes/sandboxNode';
import { memoizeByObject } from '../../core/safety/memoizeByObject';

const gibibyte = 1024 ** 3;

const objectInfo: Route = getRoute('/object_info', allDefinitions);

export const definitionRoutes: readonly Route[] = [objectInfo];

const common: readonly Route[] = [
  objectInfo,
  getRoute('/features', (exchange, server) =>
    exchange.answer(serverFeatures(server.dialect, server.concurrency)),
  ),
  getRoute('/system_stats', (exchange, server) => exchange.answer(systemStats(server))),
  fixed('/workflow_templates', {}),
  fixed('/i18n', {}),
  fixed('/extensions', []),
  fixed('/settings', {}),
];

export const localInfoRoutes: readonly Route[] = [
  ...common,
  getRoute('/object_info/:class', (exchange, server) => {
    const name = exchange.param('class');
    const definition = server.definitions()[name];
    exchange.answer(definition ? { [name]: definition } : {});
  }),
  postRoute('/free', free),
];

/** Not on the old server (protocol 2.4, 2.3). */
export const newLocalInfoRoutes: readonly Route[] = [
  fixed('/node_replacements', nodeReplacements),
  // Files get IDs, and nothing lists them.
  getRoute(
    '/assets',
    (exchange) => exchange.answerJson(200, { assets: [], total: 0, has_more: false }),
    'api',
  ),
];

export const cloudInfoRoutes: readonly Route[] = [
  ...common,
  fixed('/node_replacements', nodeReplacements),
  fixed('/user', { id: 'sandbox-user', status: 'active' }),
  fixed('/billing/balance', { effective_balance_micros: 25_000_000 }),
  getRoute('/health', (exchange) => exchange.answerText(200, 'OK'), 'bare'),
];

function fixed(path: string, answer: unknown): Route {
  return { method: 'GET', path, reach: 'both', handle: (exchange) => exchange.answer(answer) };
}

/** Definitions are large: their text is made again only when the files change. */
const definitionsText = memoizeByObject((definitions: object) => pythonJsonText(definitions));

function allDefinitions(exchange: Exchange, server: SandboxServer): void {
  exchange.answerText(200, definitionsText(server.definitions()), 'application/json; charset=utf-8');
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

const folders: readonly (readonly [folder: string, classType?: string, input?: string])[] = [
  ['checkpoints', 'CheckpointLoaderSimple', 'ckpt_name'],
  ['configs'],
  ['loras', 'LoraLoader', 'lora_name'],
  ['vae', 'VAELoader', 'vae_name'],
  ['text_encoders', 'CLIPLoader', 'clip_name'],
  ['diffusion_models', 'UNETLoader', 'unet_name'],
  ['clip_vision', 'CLIPVisionLoader', 'clip_name'],
  ['style_models', 'StyleModelLoader', 'style_model_name'],
  ['embeddings'],
  ['controlnet', 'ControlNetLoader', 'control_net_name'],
  ['upscale_models', 'UpscaleModelLoader', 'model_name'],
];

const extensions = ['.ckpt', '.pt', '.pth', '.safetensors', '.sft'];

export const modelRoutes: readonly Route[] = [
  getRoute('/experiment/models', (exchange, server) => {
    const known = server.dialect === 'local-old' ? {} : { extensions };
    exchange.answer(folders.map(([name]) => ({ name, folders: [`/sandbox/models/${name}`], ...known })));
  }),
  getRoute('/experiment/models/:folder', (exchange, server) => {
    const names = filesOf(server, exchange.param('folder'));
    if (names) exchange.answer(names.map((name) => ({ name, pathIndex: 0 })));
    else exchange.answerEmpty(404);
  }),
];

export const localModelRoutes: readonly Route[] = [
  ...modelRoutes,
  getRoute('/models', (exchange) => exchange.answer(folders.map(([name]) => name))),
  getRoute('/models/:folder', (exchange, server) => {
    const names = filesOf(server, exchange.param('folder'));
    if (names) exchange.answer(names);
    else exchange.answerEmpty(404);
  }),
  getRoute('/embeddings', (exchange) => exchange.answer([])),
  {
    method: 'GET',
    path: '/view_metadata/:folder',
    reach: 'both',
    // The sandbox has only names of models, no files with a header to read.
    handle: (exchange) => exchange.answerEmpty(404),
  },
];

function filesOf(server: SandboxServer, folder: string): readonly string[] | undefined {
  const known = folders.find(([name]) => name === folder);
  if (!known) return undefined;
  const [, classType, input] = known;
  const definition = classType === undefined ? undefined : server.definitions()[classType];
  return definition && input !== undefined ? listed(definition, input) : [];
}

function listed(definition: NodeDefinitionJson, input: string): readonly string[] {
  const [type, options] = definition.input.required[input] ?? ['*'];
  const values: unknown = typeof type === 'string' ? options?.['options'] : type;
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];
}

/** The sandbox has no editor, so it stores nothing. */
export const localUserRoutes: readonly Route[] = [
  getRoute('/users', (exchange) => exchange.answer({ storage: 'server', migrated: true })),
  getRoute('/userdata', (exchange) => {
    if (exchange.query.has('dir')) exchange.answerEmpty(404);
    else exchange.answerText(400, 'Directory not provided');
  }),
  getRoute('/userdata/:file', (exchange) => exchange.answerEmpty(404)),
];
