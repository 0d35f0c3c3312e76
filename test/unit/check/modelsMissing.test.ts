import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { modelAddress, modelCommand } from '../../../src/core/check/modelCommand';
import { modelsMissing } from '../../../src/core/check/modelsMissing';

const catalog = Catalog.fromDefinitions({
  CheckpointLoaderSimple: {
    input: { required: { ckpt_name: [['here.safetensors', 'sub/moved.safetensors']] } },
    output: ['MODEL', 'CLIP', 'VAE'],
    output_node: true,
  },
  LoraLoaderModelOnly: {
    input: { required: { model: ['MODEL'], lora_name: [[]] } },
    output: ['MODEL'],
    output_node: true,
  },
  Chooser: { input: { required: { mode: [['a', 'b']] } }, output: [], output_node: true },
});

const models = (workflow: unknown) =>
  modelsMissing(WorkflowDocument.of(JSON.stringify(workflow, null, 1)), { catalog }).map(
    ({ nodes, ...model }) => ({ ...model, nodes: nodes.map(({ name }) => name) }),
  );

const loader = (id: number, name: string, more: object = {}) => ({
  id,
  type: 'CheckpointLoaderSimple',
  mode: 0,
  inputs: [],
  outputs: [],
  properties: {},
  widgets_values: [name],
  ...more,
});
const graph = (...nodes: unknown[]) => ({ nodes, links: [], version: 0.4 });

describe('the models that a server lacks', () => {
  it('are listed once for a prompt, with the folder that the input reads', () => {
    const node = (ckpt_name: string) => ({ class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name } });
    const prompt = {
      1: node('gone.safetensors'),
      2: node('here.safetensors'),
      3: { ...node('sdxl/Gone.safetensors'), _meta: { title: 'Base model' } },
      4: node('moved.safetensors'),
      5: { class_type: 'LoraLoaderModelOnly', inputs: { model: ['1', 0], lora_name: 'ink.safetensors' } },
      6: { class_type: 'Chooser', inputs: { mode: 'c' } },
    };
    expect(models(prompt)).toEqual([
      {
        name: 'sdxl/Gone.safetensors',
        folder: 'checkpoints',
        nodes: ['CheckpointLoaderSimple (node 1)', 'Base model (node 3)'],
      },
      { name: 'ink.safetensors', folder: 'loras', nodes: ['LoraLoaderModelOnly (node 5)'] },
    ]);
  });

  it('are listed for a graph with what the file says about them, unless another model was chosen since', () => {
    const url = 'https://example.org/gone.safetensors';
    const gone = { name: 'gone.safetensors', url, directory: 'checkpoints/sd15', hash: 'ab12' };
    const named = { ...gone, name: 'other.safetensors' };
    const file = graph(
      loader(1, 'gone.safetensors', { properties: { models: [gone] } }),
      loader(2, 'here.safetensors', { properties: { models: [named] } }),
      loader(5, 'also-gone.safetensors', { properties: { models: [named] } }),
      loader(3, 'gone.safetensors'),
      loader(4, 'muted.safetensors', { mode: 4 }),
    );
    const known = { folder: 'checkpoints/sd15', url, hash: 'ab12' };
    expect(models(file)).toEqual([
      {
        name: 'gone.safetensors',
        ...known,
        nodes: ['CheckpointLoaderSimple (node 1)', 'CheckpointLoaderSimple (node 3)'],
      },
      { name: 'also-gone.safetensors', folder: 'checkpoints', nodes: ['CheckpointLoaderSimple (node 5)'] },
    ]);
  });

  it('are none when the server has all, or its definitions are unknown', () => {
    expect(models(graph(loader(1, 'here.safetensors')))).toEqual([]);
    const text = JSON.stringify(graph(loader(1, 'gone.safetensors')));
    expect(modelsMissing(WorkflowDocument.of(text), {})).toEqual([]);
    expect(modelsMissing(WorkflowDocument.of('{"a": 1}'), { catalog })).toEqual([]);
  });
});

describe('the command that downloads a model', () => {
  const command = (model: { name?: string; folder?: string; url?: string }) =>
    modelCommand({
      name: 'ink.safetensors',
      folder: 'loras',
      url: 'https://example.org/a/ink.safetensors?download=true&v=1',
      nodes: [],
      ...model,
    });

  it('saves it where the workflow looks for it', () => {
    expect(command({})).toBe(
      'comfy model download --url "https://example.org/a/ink.safetensors?download=true&v=1" --relative-path models/loras --filename ink.safetensors',
    );
    expect(command({ name: 'style\\my ink.safetensors' })).toMatch(
      / --relative-path models\/loras\/style --filename "my ink.safetensors"$/,
    );
  });

  it('is missing when the file gives no source or folder', () => {
    expect(modelCommand({ name: 'a.pt', folder: 'loras', nodes: [] })).toBeUndefined();
    expect(modelCommand({ name: 'a.pt', url: 'https://example.org/a.pt', nodes: [] })).toBeUndefined();
  });

  const unsafe = ['../../bin', '/etc', 'loras;reboot', '-x', 'lo\u0000ras', ''];
  it.each(unsafe)('is missing for the folder or name %j', (text) => {
    expect(command({ folder: text })).toBeUndefined();
    expect(command({ name: `${text}/a.pt` })).toBeUndefined();
    expect(command({ name: text })).toBeUndefined();
  });

  it.each([
    'http://example.org/a.pt',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'https://user:word@example.org/a.pt',
    'https://example.org/a b.pt',
    'https://example.org/a.pt\nreboot',
    'https://example.org/%PATH%',
    'https://',
    `https://example.org/${'a'.repeat(3_000)}`,
  ])('is missing for the address %j, which is not opened either', (url) => {
    expect(command({ url })).toBeUndefined();
    expect(modelAddress(url).href).toBeUndefined();
  });

  const notPublic = ['https://127.0.0.1/a.pt', 'https://[::1]/a.pt', 'https://localhost/a.pt'];
  it.each(notPublic)('is missing for %s, which is not a public address', (url) => {
    expect(command({ url })).toBeUndefined();
    expect(modelAddress(url)).toEqual({ href: undefined, problem: 'notPublic' });
  });

  it('contains nothing that a shell would run, whatever the address contains', () => {
    const url = 'https://example.org/"$(reboot)`x`\\!^\'?q="$HOME;|&';
    const line = command({ url }) ?? '';
    expect(line).toMatch(/^comfy model download --url "https:\/\/example\.org\/[^"]*" --relative-path/);
    expect(/--url "([^"]*)"/.exec(line)?.[1]).not.toMatch(/["'`$\\!^]/);
  });

  it('contains no %VARIABLE% of the Windows command prompt', () => {
    const line = command({ url: 'https://example.org/a.pt?%DATABASE_URL%20' }) ?? '';
    const address = /--url "([^"]*)"/.exec(line)?.[1] ?? '';
    expect(decodeURIComponent(address.replace('%DA', ''))).toBe('https://example.org/a.pt?TABASE_URL ');
    expect(address).not.toMatch(/%[a-z]\w{2,}%/i);
    expect(command({ url: 'https://example.org/a.pt?%CD%20' })).toBeUndefined();
    expect(command({ url: 'https://example.org/%E4%B8%ADx.pt' })).toContain('%AD%78.pt');
  });
});
