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
