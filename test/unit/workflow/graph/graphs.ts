import { Catalog } from '../../../../src/core/catalog/catalog';
import type { CompileOptions, GraphCompilation } from '../../../../src/core/workflow/graph/compileGraph';
import { autogrow, dynamicCombo } from '../../../support/dynamicInputs';
import { compileAnyGraph, type PlainNode, promptOfGraph } from '../../../support/sentInputs';

export const catalog = Catalog.fromDefinitions({
  Loader: { input: { required: { name: [['a.safetensors', 'b.safetensors']] } }, output: ['MODEL', 'CLIP'] },
  Encode: {
    input: { required: { clip: ['CLIP'], text: ['STRING', { multiline: true, dynamicPrompts: true }] } },
    output: ['CONDITIONING'],
    display_name: 'Encode Text',
  },
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        positive: ['CONDITIONING'],
        seed: ['INT', { default: 0, max: 100, control_after_generate: true }],
        steps: ['INT', { default: 20 }],
        cfg: ['FLOAT', { default: 8 }],
      },
    },
    output: ['LATENT'],
  },
  Resize: {
    input: {
      required: {
        image: ['IMAGE'],
        how: dynamicCombo({
          size: { width: ['INT', { default: 1 }], height: ['INT', {}] },
          factor: { by: ['FLOAT', { default: 1 }] },
        }),
        method: [['near', 'far']],
      },
    },
    output: ['IMAGE'],
  },
  Count: { input: {}, output: ['INT'] },
  Canvas: {
    input: {
      required: {
        wide: ['INT', { default: 16, min: 16, max: 1024, step: 8 }],
        high: ['INT', { default: 16, min: 16, max: 2048, step: 16 }],
        part: ['FLOAT', { default: 0, min: 0, max: 1, step: 0.01 }],
      },
    },
    output: [],
  },
  Fine: { input: { required: { fine: ['FLOAT', { min: 0, max: 9, step: 0.1, round: 0.1 }] } }, output: [] },
  Collect: {
    input: {
      required: {
        how: dynamicCombo({
          one: { one: ['THING', {}] },
          many: { all: autogrow({ n: ['THING', {}] }, { prefix: 'n', min: 0, max: 5 }) },
        }),
      },
    },
    output: [],
  },
  Forced: {
    input: { required: { first: ['INT', {}], wired: ['INT', { forceInput: true }], last: ['INT', {}] } },
    output: [],
  },
  SaveImage: { input: { required: { images: ['IMAGE'], filename_prefix: ['STRING', {}] } }, output: [] },
});

export function compile(graph: unknown, options?: CompileOptions): GraphCompilation {
  return compileAnyGraph(graph, catalog, options);
}

export function promptOf(graph: unknown, options?: CompileOptions): Record<string, PlainNode> {
  return promptOfGraph(graph, catalog, options);
}

export const loader = { id: 1, type: 'Loader', widgets_values: ['b.safetensors'], outputs: [{}, {}] };

export function sampler(more: object = {}): object {
  return {
    id: 3,
    type: 'Sampler',
    inputs: [
      { name: 'model', type: 'MODEL', link: 1 },
      { name: 'positive', type: 'CONDITIONING', link: null },
    ],
    widgets_values: [7, 'fixed', 30, 7.5],
    ...more,
  };
}

export function graphOf(
  nodes: unknown[],
  links: unknown[] = [[1, 1, 0, 3, 0, 'MODEL']],
  more: object = {},
): object {
  return { last_node_id: 9, last_link_id: 9, nodes, links, version: 0.4, ...more };
}

/** A subgraph with one inner sampler whose seed and model come from the instance. */
export const subgraph = {
  id: 'inner',
  name: 'Inside',
  nodes: [
    {
      id: 1,
      type: 'Sampler',
      inputs: [
        { name: 'model', type: 'MODEL', link: 10 },
        { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 11 },
      ],
      outputs: [{ type: 'LATENT', links: [12] }],
      widgets_values: [1, 'fixed', 2, 3],
    },
  ],
  links: [
    { id: 10, origin_id: -10, origin_slot: 0, target_id: 1, target_slot: 0, type: 'MODEL' },
    { id: 11, origin_id: -10, origin_slot: 1, target_id: 1, target_slot: 1, type: 'INT' },
    { id: 12, origin_id: 1, origin_slot: 0, target_id: -20, target_slot: 0, type: 'LATENT' },
  ],
  inputs: [
    { name: 'model', type: 'MODEL', linkIds: [10] },
    { name: 'seed', type: 'INT', linkIds: [11] },
  ],
  outputs: [{ name: 'LATENT', type: 'LATENT', linkIds: [12] }],
};

export function withInstance(more: object): object {
  const instance = {
    id: 5,
    type: 'inner',
    inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
    outputs: [{ type: 'LATENT' }],
    ...more,
  };
  return graphOf([loader, instance], [[1, 1, 0, 5, 0, 'MODEL']], { definitions: { subgraphs: [subgraph] } });
}

export function seedOf(more: object): unknown {
  return promptOf(withInstance(more))['5:10']?.inputs.seed;
}
