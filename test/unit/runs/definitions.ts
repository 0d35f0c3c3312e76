import { Catalog } from '../../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { type PreparedRun, prepareRun } from '../../../src/core/runs/prepareRun';
import type { RunChoices } from '../../../src/core/runs/runChoices';
import type { ServerDefinitions } from '../../../src/core/server/serverDefinitions';
import type { RandomSeed } from '../../../src/core/workflow/seeds';
import type { RunRefusal } from '../../../src/core/runs/runRefusal';

/** A few node types with names of the real server, in the form of its answer. */
const definitions = {
  LoadImage: {
    input: { required: { image: [['known.png'], { image_upload: true }] } },
    output: ['IMAGE', 'MASK'],
    category: 'image',
  },
  EmptyImage: {
    input: {
      required: {
        width: ['INT', { default: 512, min: 1, max: 4096 }],
        height: ['INT', { default: 512, min: 1, max: 4096 }],
      },
    },
    output: ['IMAGE'],
    category: 'image',
  },
  Noise: {
    input: {
      required: {
        seed: ['INT', { default: 0, min: 0, max: 18446744073709551615n, control_after_generate: true }],
      },
      optional: { image: ['IMAGE'] },
    },
    output: ['IMAGE'],
    category: 'image',
  },
  SaveImage: {
    input: { required: { images: ['IMAGE'], filename_prefix: ['STRING', { default: 'ComfyUI' }] } },
    output: [],
    output_node: true,
    category: 'image',
  },
  PartnerImage: {
    input: { required: { prompt: ['STRING', {}] } },
    output: ['IMAGE'],
    category: 'api node',
    api_node: true,
  },
};

export const catalog = Catalog.fromDefinitions(definitions);

interface Node {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title: string };
}

/** A prompt that passes every check: a plain picture, saved. */
export const plainPrompt: Readonly<Record<string, Node>> = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64 } },
  2: {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'x' },
    _meta: { title: 'Keep' },
  },
};

/** The plain prompt with other or additional nodes, as file text. */
export function promptText(nodes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...plainPrompt, ...nodes }, undefined, 2);
}

type Options = RunChoices & ServerDefinitions & { readonly randomSeed?: RandomSeed };

export const keep: Options = { seeds: 'keep', catalog };

export function prepare(text: string, options: Options): PreparedRun | RunRefusal {
  const source = { workflow: WorkflowDocument.of(text), label: 'w.json' };
  return prepareRun(source, options, options, options.randomSeed);
}

export function refusalOf(text: string, options: Options = keep): RunRefusal {
  const result = prepare(text, options);
  if (result.kind !== 'refused') throw new Error('was not refused');
  return result;
}

export function preparedOf(text: string, options: Options = keep): PreparedRun {
  const result = prepare(text, options);
  if (result.kind !== 'prepared') throw new Error(result.message);
  return result;
}
