import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { Catalog } from '../../../src/core/catalog/catalog';
import type { CheckContext } from '../../../src/core/check/checkContext';
import { type CheckReport, checkWorkflow } from '../../../src/core/check/checkWorkflow';
import type { Finding } from '../../../src/core/check/finding';
import { autogrow, dynamicCombo } from '../../support/dynamicInputs';

/** A small server for the rules: a checkpoint loader, a sampler, a saver and one of each odd kind of input. */
const definitions: Readonly<Record<string, object>> = {
  Loader: {
    input: { required: { name: [['a.safetensors', 'sub/b.safetensors', 'c.ckpt'], {}] } },
    output: ['MODEL', 'CLIP', 'VAE'],
    python_module: 'nodes',
    search_aliases: ['open model'],
  },
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        steps: ['INT', { default: 20, min: 1, max: 100 }],
        cfg: ['FLOAT', { default: 7, min: 0, max: 30 }],
        seed: ['INT', { default: 0, min: 0, max: 18446744073709551615n }],
        add_noise: ['BOOLEAN', { default: true }],
        scheduler: ['COMBO', { options: ['normal', 'simple'] }],
      },
      optional: { image: ['IMAGE'], text: ['STRING', {}] },
    },
    output: ['IMAGE'],
    python_module: 'nodes',
  },
  Picture: {
    input: { required: { image: [['here.png'], { image_upload: true }] } },
    output: ['IMAGE'],
    python_module: 'nodes',
  },
  LoadImage: {
    input: { required: { image: [['here.png'], { image_upload: true }] } },
    output: ['IMAGE'],
    python_module: 'nodes',
  },
  Save: {
    input: { required: { images: ['IMAGE'], prefix: ['STRING', { default: 'out' }] } },
    output: [],
    output_node: true,
    python_module: 'nodes',
  },
  Resize: {
    input: {
      required: {
        input: ['IMAGE'],
        mode: dynamicCombo({
          'by size': { width: ['INT', { default: 64 }] },
          'by factor': { factor: ['FLOAT', { default: 2 }] },
        }),
      },
    },
    output: ['IMAGE'],
    output_matchtypes: null,
    python_module: 'comfy_extras.resize',
  },
  Batch: {
    input: {
      required: {
        images: autogrow({ image: ['IMAGE', {}] }, { prefix: 'image', min: 1, max: 3 }),
      },
    },
    output: ['IMAGE'],
    output_matchtypes: null,
    python_module: 'comfy_extras.batch',
  },
  Joiner: {
    input: { required: { image_1: ['IMAGE'] } },
    output: ['IMAGE'],
    python_module: 'custom_nodes.joiners',
  },
  AnySwitch: { input: { required: {}, optional: {} }, output: ['*'], python_module: 'custom_nodes.switches' },
  'Fast Blur (rgthree)': {
    input: { required: { image: ['IMAGE'] } },
    output: ['IMAGE'],
    python_module: 'custom_nodes.rgthree-comfy',
    deprecated: true,
    experimental: true,
    api_node: true,
  },
};

export const catalog = Catalog.fromDefinitions(
  Object.fromEntries(
    Object.entries(definitions).map(([name, each]) => [name, { category: 'samples', ...each }]),
  ),
);

/** Valid inputs of a sampler. */
export const sampler = { model: ['1', 0], steps: 20, cfg: 7, seed: 1, add_noise: true, scheduler: 'normal' };

const good: Readonly<Record<string, unknown>> = {
  '1': { class_type: 'Loader', inputs: { name: 'a.safetensors' }, _meta: { title: 'Load' } },
  '2': { class_type: 'Sampler', inputs: sampler, _meta: { title: 'Sample' } },
  '3': { class_type: 'Save', inputs: { images: ['2', 0], prefix: 'out' }, _meta: { title: 'Save' } },
};

/** The text of a valid workflow, with other inputs for its sampler and additional nodes. */
export function workflow(
  inputs: Readonly<Record<string, unknown>> = {},
  nodes: Readonly<Record<string, unknown>> = {},
): string {
  const second = good['2'] as { inputs: Record<string, unknown> };
  const changed = { ...second, inputs: { ...second.inputs, ...inputs } };
  return JSON.stringify({ ...good, '2': changed, ...nodes }, undefined, 2);
}

export function check(text: string, context: CheckContext = {}): CheckReport {
  return checkWorkflow(WorkflowDocument.of(text), { catalog, ...context });
}

/** `severity code "underlined text"` of each finding, in text order; hints only on request. */
export function lines(text: string, context: CheckContext = {}, hints = false): string[] {
  return check(text, context)
    .findings.filter(({ severity }) => hints || severity !== 'hint')
    .map(
      ({ severity, code, offset, length }) => `${severity} ${code} ${text.slice(offset, offset + length)}`,
    );
}

/** The only finding of a code. */
export function the(code: string, text: string, context: CheckContext = {}): Finding {
  const found = check(text, context).findings.filter((each) => each.code === code);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} findings of ${code}`);
  return found[0];
}
