import type * as vscode from 'vscode';
import { nodePlaceInText } from '../../core/workflow/promptPlaces';
import { rangeAt } from '../platform/editorRanges';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';

/** A node's range; undefined when the workflow has no such node, or one of another type than `classType`. */
export function nodeRange(
  workflow: WorkflowDocument,
  nodeId: string,
  classType?: string,
): vscode.Range | undefined {
  const place = nodePlaceInText(workflow, nodeId, classType);
  return place && rangeAt(workflow.positions, place);
}
