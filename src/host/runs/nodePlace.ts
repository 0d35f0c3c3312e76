import * as vscode from 'vscode';
import { type JsonDocument, parseJson } from '../../core/json/tree';
import { PositionIndex } from '../../core/json/position';
import { detectFormat, promptNodeOf, type WorkflowFormat } from '../../core/workflow/format';
import { typeRange } from '../../core/workflow/promptPlaces';
import { readGraph } from '../../core/workflow/graph/graph';
import type { GraphNode } from '../../core/workflow/graph/graphNode';
import { readPrompt } from '../../core/workflow/prompt';

/** A stretch of a text in the editor's terms, from offsets in UTF-16 units. */
export function rangeAt(text: string, offset: number, length: number): vscode.Range {
  const positions = new PositionIndex(text);
  const start = positions.positionAt(offset);
  const end = positions.positionAt(offset + length);
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/**
 * Where a node stands in a workflow text; undefined when the text has no such node, or one of another class than
 * `classType`: then the text is not what was run. The id of a node that came from an expansion begins with the id
 * of the node that it came from (protocol 3.3).
 */
export function nodeRange(text: string, nodeId: string, classType?: string): vscode.Range | undefined {
  const document = parseJson(text);
  const format = detectFormat(document);
  const node = promptNodeOf(format);
  if (!node) return graphNodeRange(document, format, nodeId, classType);
  const prompt = readPrompt(document, node);
  const exact = prompt.node(nodeId);
  const found = exact ?? prompt.node(nodeId.split('.')[0] ?? nodeId);
  if (!found || (exact && classType !== undefined && exact.classType !== classType)) return undefined;
  const { offset, length } = found.classTypeNode ?? found.idNode;
  return rangeAt(text, offset, length);
}

/**
 * The same in a graph file, without its source map: an id such as `12:3` leads through the instance 12 of a subgraph
 * to the node 3 inside it. What a group node unfolds into stands at the group node.
 */
function graphNodeRange(
  document: JsonDocument,
  format: WorkflowFormat,
  nodeId: string,
  classType: string | undefined,
): vscode.Range | undefined {
  if (format.kind !== 'graph' && format.kind !== 'wrapper') return undefined;
  const graph = readGraph(document, format.node);
  let nodes: readonly GraphNode[] | undefined = graph.nodes;
  let found: GraphNode | undefined;
  const path = (nodeId.split('.')[0] ?? nodeId).split(':');
  for (const id of path) {
    const next: GraphNode | undefined = nodes?.find((each) => each.id === id);
    if (!next) break;
    found = next;
    nodes = graph.subgraphs.get(next.type)?.nodes;
  }
  const isExact = found?.id === path.at(-1) && !nodeId.includes('.');
  if (!found || (isExact && classType !== undefined && found.type !== classType)) return undefined;
  const { offset, length } = typeRange(found.node);
  return rangeAt(document.text, offset, length);
}
