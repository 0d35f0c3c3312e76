import type { Catalog } from '../catalog/catalog';
import type { JsonNode } from '../json/node';
import { textOf } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { compileGraph } from '../workflow/graph/compileGraph';
import type { GraphProblem } from '../workflow/graph/graphProblem';
import type { WorkflowDocument } from './workflowDocument';

/** A graph in the API format, laid out to be read, or why that cannot be. */
export type ApiConversion =
  | { readonly kind: 'converted'; readonly text: string; readonly warnings: readonly GraphProblem[] }
  | { readonly kind: 'failed'; readonly problem: GraphProblem };

/** The prompt that the web editor would send for a graph file; undefined for other files. */
export function convertToApi(doc: WorkflowDocument, catalog: Catalog): ApiConversion | undefined {
  if (!doc.graph) return undefined;
  const compiled = compileGraph(doc.json, doc.graph.node, catalog);
  if (compiled.kind === 'failed') return compiled;
  return { kind: 'converted', text: readable(compiled.promptText), warnings: compiled.warnings };
}

/** JSON with one member on a line and lists, such as links, on one line; every digit stays. */
export function readable(json: string): string {
  const { root } = parseJson(json);
  return root ? `${laidOut(json, root, '')}\n` : json;
}

function laidOut(text: string, node: JsonNode, indent: string): string {
  if (node.kind === 'array') return `[${node.items.map((item) => onOneLine(text, item)).join(', ')}]`;
  if (node.kind !== 'object') return textOf(text, node);
  if (node.properties.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = node.properties.map(({ key, value }) => {
    return `${inner}${textOf(text, key)}: ${value ? laidOut(text, value, inner) : 'null'}`;
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function onOneLine(text: string, node: JsonNode): string {
  if (node.kind === 'array') return `[${node.items.map((item) => onOneLine(text, item)).join(', ')}]`;
  if (node.kind !== 'object') return textOf(text, node);
  const members = node.properties.map(({ key, value }) => {
    return `${textOf(text, key)}: ${value ? onOneLine(text, value) : 'null'}`;
  });
  return `{${members.join(', ')}}`;
}
