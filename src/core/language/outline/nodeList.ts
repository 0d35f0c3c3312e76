import type { JsonRange } from '../../json/node';
import { workflowSymbols, type WorkflowSymbol } from './symbols';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

export interface ListedNode {
  readonly name: string;
  /** Its type if that is not its name, and its ID. */
  readonly detail: string;
  readonly within?: string | undefined;
  readonly selection: JsonRange;
}

export function nodeList(doc: WorkflowDocument): ListedNode[] {
  return workflowSymbols(doc).flatMap((symbol) => nodesOf(symbol));
}

function nodesOf({ kind, name, detail, selection, children }: WorkflowSymbol, within?: string): ListedNode[] {
  if (kind === 'subgraph') return children.flatMap((child) => nodesOf(child, name));
  return kind === 'node' ? [{ name, detail, selection, within }] : [];
}
