import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** A piece of text that can be folded. `noise` is what only the canvas needs: positions, sizes, properties. */
export interface FoldingRange extends JsonRange {
  readonly kind: 'node' | 'noise' | 'links';
}

export function foldingRanges(doc: WorkflowDocument): FoldingRange[] {
  return [];
}
