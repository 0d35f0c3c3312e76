import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

export type SymbolKind = 'node' | 'outputNode' | 'input' | 'link' | 'widget' | 'subgraph' | 'group';

/** An entry of the outline. */
export interface WorkflowSymbol extends JsonRange {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly detail: string;
  /** What is selected when one goes there; inside the range. */
  readonly selection: JsonRange;
  readonly children: readonly WorkflowSymbol[];
}

/** The outline: nodes by title with their inputs; subgraphs with their nodes. */
export function symbols(doc: WorkflowDocument): WorkflowSymbol[] {
  return [];
}
