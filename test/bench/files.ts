import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';

import type { JsonNode } from '../../src/core/json/node';
import { parseJson, type JsonDocument } from '../../src/core/json/tree';
import { corpusNames, corpusPath, corpusText } from '../support/corpus';

/** The text length that 99 of 100 graph files do not exceed (workflows 6). */
const p99Length = 254_283;

/** Definitions of 3,295 node types. */
export function definitionsText(): string {
  return corpusText('object_info', 'comfyui-0.33.0-core+24packs.json');
}

/** The same node types with as many model names as large servers list: 28.9 MB. */
export function largeDefinitionsText(): string {
  const packed = corpusPath('object_info', 'comfyui-0.33.0-core+24packs-bigmodels.synthetic.json.gz');
  return gunzipSync(readFileSync(packed)).toString('utf8');
}

/** The graph file with the most nodes. */
export function largestGraphText(): string {
  return mostOf('ui', (text) => countOf(text, /"widgets_values"|"flags"\s*:/g));
}

/** The API file with the most nodes. */
export function largestPromptText(): string {
  return mostOf('api', (text) => countOf(text, /"class_type"/g));
}

/** The graph file closest in length to the 99th percentile. */
export function p99GraphText(): string {
  return graphTextOf(p99Length);
}

/** The graph file closest to this length. */
export function graphTextOf(length: number): string {
  return mostOf('ui', (text) => -Math.abs(text.length - length));
}

/** An API file of typical length. */
export function usualPromptText(): string {
  return mostOf('api', (text) => -Math.abs(text.length - 3_172));
}

export interface ParsedFile {
  readonly text: string;
  readonly document: JsonDocument;
  readonly root: JsonNode;
}

export function parsed(text: string): ParsedFile {
  const document = parseJson(text);
  if (!document.root) throw new Error('The file is no JSON.');
  return { text, document, root: document.root };
}

function mostOf(folder: 'ui' | 'api', measure: (text: string) => number): string {
  let most = { value: -Infinity, text: '' };
  for (const name of corpusNames('workflows', folder)) {
    const text = corpusText('workflows', folder, name);
    const value = measure(text);
    if (value > most.value) most = { value, text };
  }
  return most.text;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const chainTypes: readonly (readonly [type: string, widgets: readonly unknown[], height: number])[] = [
  ['CheckpointLoaderSimple', ['v1-5-pruned-emaonly.safetensors'], 98],
  ['CLIPTextEncode', ['a lighthouse at dusk, oil on canvas, long shadows, detailed waves'], 160],
  ['CLIPTextEncode', ['blurry, watermark'], 160],
  ['EmptyLatentImage', [512, 512, 1], 106],
  ['KSampler', [0, 'randomize', 20, 8, 'euler', 'normal', 1], 262],
  ['VAEDecode', [], 46],
  ['SaveImage', ['chain'], 270],
  ['Note', ['Made for the bench.'], 60],
];

/** Links of a chain: from node and slot, to node and input, by their places in the chain. */
const chainLinks: readonly (readonly [number, number, number, number, string])[] = [
  [0, 0, 4, 0, 'MODEL'],
  [0, 1, 1, 0, 'CLIP'],
  [0, 1, 2, 0, 'CLIP'],
  [1, 0, 4, 1, 'CONDITIONING'],
  [2, 0, 4, 2, 'CONDITIONING'],
  [3, 0, 4, 3, 'LATENT'],
  [4, 0, 5, 0, 'LATENT'],
  [0, 2, 5, 1, 'VAE'],
  [5, 0, 6, 0, 'IMAGE'],
];

const slotNames: Readonly<Record<string, readonly (readonly string[])[]>> = {
  CheckpointLoaderSimple: [[], ['MODEL', 'CLIP', 'VAE']],
  CLIPTextEncode: [['clip'], ['CONDITIONING']],
  EmptyLatentImage: [[], ['LATENT']],
  KSampler: [['model', 'positive', 'negative', 'latent_image'], ['LATENT']],
  VAEDecode: [['samples', 'vae'], ['IMAGE']],
  SaveImage: [['images'], []],
};

/** A made graph: chains of eight nodes each, from the checkpoint to the saved image, in rows of ten. */
export function chainsGraphText(chains: number): string {
  const [nodes, links]: [object[], unknown[][]] = [[], []];
  for (let chain = 0; chain < chains; chain++) {
    const [first, firstLink] = [chain * chainTypes.length + 1, chain * chainLinks.length + 1];
    const [left, top] = [(chain % 10) * 2_600, Math.floor(chain / 10) * 700];
    for (const [at, [type, widgets, height]] of chainTypes.entries()) {
      const [inputs = [], outputs = []] = slotNames[type] ?? [];
      const linkOf = (each: (typeof chainLinks)[number]): number => firstLink + chainLinks.indexOf(each);
      const into = (slot: number) => chainLinks.find(([, , to, input]) => to === at && input === slot);
      const outOf = (slot: number) => chainLinks.filter(([from, output]) => from === at && output === slot);
      const typeOf = (each: (typeof chainLinks)[number] | undefined): string => each?.[4] ?? '*';
      nodes.push({
        id: first + at,
        type,
        pos: [left + at * 310, top + (at % 2) * 300],
        size: [270, height],
        flags: {},
        order: first + at,
        mode: 0,
        inputs: inputs.map((name, slot) => {
          const link = into(slot);
          return { name, type: typeOf(link), link: link ? linkOf(link) : null };
        }),
        outputs: outputs.map((name, slot) => ({ name, type: name, links: outOf(slot).map(linkOf) })),
        properties: { 'Node name for S&R': type },
        widgets_values: type === 'KSampler' ? [chain, ...widgets.slice(1)] : widgets,
      });
    }
    for (const [index, [from, slot, to, input, type]] of chainLinks.entries())
      links.push([firstLink + index, first + from, slot, first + to, input, type]);
  }
  const last = { last_node_id: nodes.length, last_link_id: links.length };
  return JSON.stringify({ ...last, nodes, links, groups: [], config: {}, extra: {}, version: 0.4 }, null, 2);
}
