import * as vscode from 'vscode';
import { parseJson } from '../../core/json/tree';
import { PositionIndex } from '../../core/json/position';
import { detectFormat, promptNodeOf } from '../../core/workflow/format';
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
  const node = promptNodeOf(detectFormat(document));
  if (!node) return undefined;
  const prompt = readPrompt(document, node);
  const exact = prompt.node(nodeId);
  const found = exact ?? prompt.node(nodeId.split('.')[0] ?? nodeId);
  if (!found || (exact && classType !== undefined && exact.classType !== classType)) return undefined;
  const { offset, length } = found.classTypeNode ?? found.idNode;
  return rangeAt(text, offset, length);
}
