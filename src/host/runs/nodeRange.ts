import * as vscode from 'vscode';
import { nodePlace } from '../../core/workflow/promptPlaces';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';

/** A range of a workflow's text in editor positions, from offsets in UTF-16 units. */
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
