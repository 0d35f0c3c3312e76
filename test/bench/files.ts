import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import type { JsonNode } from '../../src/core/json/node';
import { parseJson, type JsonDocument } from '../../src/core/json/tree';
import { corpusNames, corpusPath, corpusText } from '../support/corpus';

/** Definitions of 3,295 node types. */
export function definitionsText(): string {
  return corpusText('object_info', 'comfyui-0.33.0-core+24packs.json');
}

/** The same node types with as many model names as large servers list: 28.9 MB. */
export function largeDefinitionsText(): string {
  const packed = corpusPath('object_info', 'comfyui-0.33.0-core+24packs-bigmodels.synthetic.json.gz');
  return gunzipSync(readFileSync(packed)).toString('utf8');
}

export function largestGraphText(): string {
  return fileWithMost('ui', (text) => countMatches(text, /"widgets_values"|"flags"\s*:/g));
}

export function largestPromptText(): string {
  return fileWithMost('api', (text) => countMatches(text, /"class_type"/g));
}

export function graphTextOfLength(length: number): string {
  return fileWithMost('ui', (text) => -Math.abs(text.length - length));
}

export function usualPromptText(): string {
  return fileWithMost('api', (text) => -Math.abs(text.length - 3_172));
}

export function parseFile(text: string): { readonly document: JsonDocument; readonly root: JsonNode } {
  const document = parseJson(text);
  if (!document.root) throw new Error('The file is no JSON.');
  return { document, root: document.root };
}

function fileWithMost(folder: 'ui' | 'api', measure: (text: string) => number): string {
  const texts = corpusNames('workflows', folder).map((name) => corpusText('workflows', folder, name));
  return texts.reduce((most, text) => (measure(text) > measure(most) ? text : most));
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
