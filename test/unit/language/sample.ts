import { Catalog } from '../../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { dynamicCombo } from '../../support/dynamicInputs';

/** A few node types, enough for a picture from text. */
export const catalog = Catalog.fromDefinitions({
  Checkpoint: {
    input: { required: { ckpt_name: [['a.safetensors', 'sub/b.safetensors'], {}] } },
    output: ['MODEL', 'CLIP', 'VAE'],
    display_name: 'Load Checkpoint',
    category: 'loaders',
    python_module: 'nodes',
    description: 'Loads a <b>model</b> [here](command:x).',
    search_aliases: ['load model'],
  },
  Encode: {
    input: {
      required: { text: ['STRING', { multiline: true, tooltip: 'What to see.' }], clip: ['CLIP'] },
    },
    output: ['CONDITIONING'],
    display_name: 'Encode Text',
  },
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        positive: ['CONDITIONING'],
        seed: ['INT', { default: 0, min: 0, max: 1000, control_after_generate: true }],
        steps: ['INT', { default: 20, min: 1, max: 100, tooltip: 'How often.' }],
        sampler: [['euler', 'heun'], { default: 'heun' }],
        tiled: ['BOOLEAN', { default: false, label_on: 'yes', label_off: 'no' }],
      },
      optional: { latent: ['LATENT'] },
    },
    output: ['LATENT'],
  },
  Upscale: {
    input: { required: { model: ['MODEL'], latent: ['LATENT'] } },
    output: ['LATENT'],
    output_name: ['upscaled'],
    deprecated: true,
  },
  Load: {
    input: { required: { image: [['cat.png'], { image_upload: true }] } },
    output: ['IMAGE', 'MASK'],
    display_name: 'Load Image',
  },
  Save: {
    input: { required: { images: ['IMAGE,LATENT'], prefix: ['STRING', { default: 'out' }] } },
    output: [],
    output_node: true,
    display_name: 'Save',
  },
  Resize: {
    input: {
      required: {
        mode: dynamicCombo({
          'by size': { width: ['INT', { default: 64 }] },
          'by factor': { factor: ['FLOAT', { default: 2 }] },
        }),
      },
    },
    output: ['IMAGE'],
  },
});

export interface Marked {
  readonly doc: WorkflowDocument;
  readonly offset: number;
}

/** A text in which ¦ marks the cursor. */
export function marked(text: string): Marked {
  const offset = text.indexOf('¦');
  if (offset < 0) throw new Error('no ¦ in the text');
  return { doc: WorkflowDocument.of(text.replace('¦', '')), offset };
}

/** Loader 1, encoder 2, sampler 3, saver 4. */
export const chain = `{
  "1": {
    "class_type": "Checkpoint",
    "inputs": { "ckpt_name": "a.safetensors" },
    "_meta": { "title": "My model" }
  },
  "2": {
    "class_type": "Encode",
    "inputs": { "text": "a cat", "clip": ["1", 1] }
  },
  "3": {
    "class_type": "Sampler",
    "inputs": {
      "model": ["1", 0],
      "positive": ["2", 0],
      "seed": 7,
      "steps": 20,
      "sampler": "euler",
      "tiled": false
    }
  },
  "4": {
    "class_type": "Save",
    "inputs": { "images": ["3", 0], "prefix": "x" }
  }
}
`;

/** The same as a graph, with the sampler inside a subgraph. */
export const graph = `{
  "last_node_id": 12,
  "last_link_id": 5,
  "nodes": [
    {
      "id": 1,
      "type": "Checkpoint",
      "pos": [0, 0],
      "size": [1, 1],
      "mode": 0,
      "outputs": [
        { "name": "MODEL", "type": "MODEL", "links": [1] },
        { "name": "CLIP", "type": "CLIP", "links": null }
      ],
      "properties": {
        "models": [{ "name": "a.safetensors", "url": "https://example.org/a.safetensors", "directory": "checkpoints" }]
      },
      "widgets_values": ["a.safetensors"],
      "title": "My model"
    },
    {
      "id": 2,
      "type": "sub-1",
      "inputs": [{ "name": "model", "type": "MODEL", "link": 1 }],
      "outputs": [{ "name": "LATENT", "type": "LATENT", "links": [2] }],
      "properties": { "proxyWidgets": [["11", "steps"]] },
      "widgets_values": []
    },
    {
      "id": 3,
      "type": "Save",
      "inputs": [{ "name": "images", "type": "IMAGE,LATENT", "link": 2 }],
      "widgets_values": ["x"]
    }
  ],
  "links": [
    [1, 1, 0, 2, 0, "MODEL"],
    [2, 2, 0, 3, 0, "LATENT"]
  ],
  "definitions": {
    "subgraphs": [
      {
        "id": "sub-1",
        "name": "Sampling",
        "state": { "lastNodeId": 12 },
        "inputNode": { "id": -10 },
        "outputNode": { "id": -20 },
        "inputs": [{ "id": "i", "name": "model", "type": "MODEL", "linkIds": [4] }],
        "outputs": [{ "id": "o", "name": "LATENT", "type": "LATENT", "linkIds": [5] }],
        "nodes": [
          {
            "id": 11,
            "type": "Sampler",
            "inputs": [
              { "name": "model", "type": "MODEL", "link": 4 },
              { "name": "positive", "type": "CONDITIONING", "link": null }
            ],
            "outputs": [{ "name": "LATENT", "type": "LATENT", "links": [5] }],
            "widgets_values": [7, "randomize", 20, "euler", false]
          }
        ],
        "links": [
          { "id": 4, "origin_id": -10, "origin_slot": 0, "target_id": 11, "target_slot": 0, "type": "MODEL" },
          { "id": 5, "origin_id": 11, "origin_slot": 0, "target_id": -20, "target_slot": 0, "type": "LATENT" }
        ]
      }
    ]
  },
  "version": 0.4
}
`;

/** The text with the cursor after the nth occurrence of a piece (counted from 1). */
export function cursorIn(text: string, piece: string, behind = 1, nth = 1): Marked {
  let start = -1;
  for (let count = 0; count < nth; count++) {
    start = text.indexOf(piece, start + 1);
    if (start < 0) throw new Error(`${piece} is not in the text`);
  }
  return { doc: WorkflowDocument.of(text), offset: start + behind };
}
