import * as vscode from 'vscode';
import { nodePlace } from '../../core/workflow/nodePlace';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';

export function rangeAt({ positions }: WorkflowDocument, offset: number, length: number): vscode.Range {
  const start = positions.positionAt(offset);
  const end = positions.positionAt(offset + length);
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** A node's range; undefined when the workflow has no such node, or one of another type than `classType`. */
export function nodeRange(
  workflow: WorkflowDocument,
  nodeId: string,
  classType?: string,
): vscode.Range | undefined {
  const place = nodePlace(workflow, nodeId, classType);
  return place && rangeAt(workflow, place.offset, place.length);
}
