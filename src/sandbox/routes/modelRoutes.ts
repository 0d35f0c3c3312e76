import { get, type Route } from './router';
import type { NodeDefinitionJson } from '../nodes/sandboxNode';
import type { SandboxServer } from '../sandboxServer';

/** Which input of which loader lists the files of a folder. */
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
  get('/experiment/models', (exchange, server) => {
    const known = server.dialect === 'local-old' ? {} : { extensions };
    exchange.answer(folders.map(([name]) => ({ name, folders: [`/sandbox/models/${name}`], ...known })));
  }),
  get('/experiment/models/:folder', (exchange, server) => {
    const names = filesOf(server, exchange.param('folder'));
    if (names) exchange.answer(names.map((name) => ({ name, pathIndex: 0 })));
    else exchange.answerEmpty(404);
  }),
];

export const localModelRoutes: readonly Route[] = [
  ...modelRoutes,
  get('/models', (exchange) => exchange.answer(folders.map(([name]) => name))),
  get('/models/:folder', (exchange, server) => {
    const names = filesOf(server, exchange.param('folder'));
    if (names) exchange.answer(names);
    else exchange.answerEmpty(404);
  }),
  get('/embeddings', (exchange) => exchange.answer([])),
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
