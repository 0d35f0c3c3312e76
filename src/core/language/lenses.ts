import type { Catalog } from '../catalog/catalog';
import type { Finding } from '../check/finding';
import type { JsonRange } from '../json/node';
import type { WorkflowDocument } from './workflowDocument';

/** A line of words above a place that does something. */
export type Lens = JsonRange &
  (
    | { readonly kind: 'run' | 'runWithNewSeeds'; readonly title: string }
    /** Run what this output node needs, and nothing else. */
    | { readonly kind: 'runToHere'; readonly title: string; readonly nodeId: string }
    | { readonly kind: 'problems'; readonly title: string; readonly count: number }
  );

export function lenses(doc: WorkflowDocument, findings: readonly Finding[], catalog?: Catalog): Lens[] {
  return [];
}
