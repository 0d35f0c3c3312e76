import { Catalog } from '../../../src/core/catalog/catalog';
import { autogrow } from '../../support/dynamicInputs';

const image = ['IMAGE'];

/** The definitions of a small fictional server. */
export const sampleServer = Catalog.fromDefinitions({
  Loader: { input: { required: { name: [['a', 'b']] } }, output: ['MODEL', 'CLIP', 'VAE'] },
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        seed: ['INT', { min: 0, max: 2n ** 64n - 1n }],
        cfg: ['FLOAT', { min: 0, max: 100 }],
        mode: ['COMBO', { options: Array.from({ length: 21 }, (_, index) => `m${index}`) }],
      },
      optional: {
        mask: ['MASK'],
        note: ['STRING'],
        flag: ['BOOLEAN'],
        any: ['*'],
        many: ['INT,FLOAT', { max: 5 }],
        slot: ['COMFY_DYNAMICSLOT_V3', { slotType: 'MODEL', inputs: {} }],
      },
    },
    output: ['IMAGE', 'MASK'],
  },
  Batch: {
    input: {
      required: {
        images: autogrow({ image }, { prefix: 'i', min: 1, max: 3 }),
      },
    },
    output: ['IMAGE'],
    output_matchtypes: null,
  },
  Rows: {
    input: {
      required: {
        g: ['COMFY_DYNAMICGROUP_V3', { template: { required: { t: ['STRING'] } }, min: 1, max: 2 }],
      },
    },
    output: ['IMAGE'],
  },
  Pass: { input: { required: { image } }, output: ['IMAGE'] },
  Join: { input: { required: { one: image, two: image } }, output: ['IMAGE'] },
  Multi: {
    input: { required: { tags: ['COMBO', { options: ['x', 'y'], multiselect: true }] } },
    output: ['IMAGE'],
  },
  Remote: {
    input: { required: { file: ['COMBO', { remote_combo: { route: '/files' } }] } },
    output: ['IMAGE'],
  },
  Letters: { input: {}, output: 'IMAGE' },
  Grow: { input: {}, output: ['*'], python_module: 'custom_nodes.pack' },
  Save: { input: { required: { images: image } }, output: [], output_node: true },
});

/** A valid prompt; tests change one thing in it. */
export function goodPrompt(): Record<
  string,
  { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }
> {
  return {
    load: { class_type: 'Loader', inputs: { name: 'a' }, _meta: { title: 'Load' } },
    sample: { class_type: 'Sampler', inputs: { model: ['load', 0], seed: 1, cfg: 7.5, mode: 'm0' } },
    save: { class_type: 'Save', inputs: { images: ['sample', 0] } },
  };
}
